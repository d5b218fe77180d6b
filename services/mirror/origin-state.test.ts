import { expect, test } from 'vitest'
import { addressOf, parseState } from './origin-state.ts'

const URL_OF_STATE = 'https://example.org/v1/feeds/state.json'

test('resolves relative addresses within the folder of their document', () => {
  expect(addressOf('archive/0a/region/ES/3.atom', { from: URL_OF_STATE })).toBe(
    'https://example.org/v1/feeds/archive/0a/region/ES/3.atom',
  )
})

test.each([
  'https://elsewhere.org/items.atom',
  '//elsewhere.org/items.atom',
  '/etc/passwd',
  '../keys',
  'archive/../../../keys',
  'a\\..\\b',
  'a%2f..%2fb',
  'items.atom?x',
  '',
  'x'.repeat(600),
])('refuses an address outside that folder: %j', (relative) => {
  expect(() => addressOf(relative, { from: URL_OF_STATE })).toThrow(
    /is no address below https:\/\/example.org\/v1\/feeds\//,
  )
})

const hash = '0'.repeat(64)
const scope = {
  head: 3,
  chain: hash,
  floor: 0,
  closed: 1,
  subscription: 'items.atom',
  archive: 'archive/0a/{page}.atom',
}
const whole = {
  protocol: 'ccm/1',
  gen: '0a',
  page_size: 2,
  updated: null,
  scopes: { items: scope },
  digest: null,
  snapshot: null,
}
const parse = (value: unknown) => parseState(Buffer.from(JSON.stringify(value)), URL_OF_STATE)

test('reads state.json with absolute addresses', () => {
  const items = parse(whole).scopes.get('items')
  expect(items?.subscriptionUrl).toBe('https://example.org/v1/feeds/items.atom')
  expect(items?.archiveUrl(7)).toBe('https://example.org/v1/feeds/archive/0a/7.atom')
})

test('reads the chain of a digest, which old origins leave out', () => {
  const digest = { seq: 1, state_root: hash, url: 'digest/0a/items/1.json' }
  const chainOf = (items: object) =>
    parse({ ...whole, digest: { mark: 1, scopes: { items } } }).digest?.scopes.get('items')?.chain
  expect([chainOf(digest), chainOf({ ...digest, chain: hash })]).toEqual([null, hash])
  expect(() => chainOf({ ...digest, chain: 'AB' })).toThrow(/chain: expected 64 hex digits, found "AB"/)
})

test.each([
  [{ ...whole, protocol: 'ccm/2' }, /protocol: expected ccm\/1, found "ccm\/2"/],
  [{ ...whole, gen: '../x' }, /gen: expected letters/],
  [{ ...whole, page_size: 0 }, /page_size: expected 1 to/],
  [{ ...whole, scopes: { items: { ...scope, head: -1 } } }, /head: expected a whole number, found -1/],
  [{ ...whole, scopes: { items: { ...scope, head: 2 ** 53 } } }, /head: expected a whole number/],
  [{ ...whole, scopes: { items: { ...scope, chain: 'AB' } } }, /chain: expected 64 hex digits, found "AB"/],
  [{ ...whole, scopes: { items: { ...scope, subscription: '/x' } } }, /is no address below/],
  [{ ...whole, digest: { mark: 1, scopes: { items: { seq: 1, state_root: hash } } } }, /url: expected text/],
  [[], /expected an object/],
])('refuses a malformed state.json and names the field', (value, says) => {
  expect(() => parse(value)).toThrow(says)
})
