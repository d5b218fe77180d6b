import { chainStart } from '@catalog/core/changes/change.ts'
import { CCM_NAMESPACE } from '@catalog/core/changes/protocol.ts'
import { sha256Hex } from '@catalog/core/digest.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chainAfter, checkedChanges, type FeedDocument, parseDocument } from './feed-document.ts'

const GEN = '00112233aabbccdd'
const ZERO = { gen: GEN, seq: 0, chain: chainStart(GEN, 'items').toString('hex') }

/** A document with one upsert whose state is written as `xml`. */
const documentWith = (xml: string, { sha = '0'.repeat(64), more = '' } = {}) =>
  Buffer.from(`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:at="http://purl.org/atompub/tombstones/1.0" xmlns:ccm="${CCM_NAMESPACE}">
<ccm:gen>${GEN}</ccm:gen><ccm:scope>items</ccm:scope><ccm:first>1</ccm:first><ccm:last>1</ccm:last>
<ccm:chain>${'0'.repeat(64)}</ccm:chain>${more}
<entry><id>tag:example.org,2026:item/ci_a</id><title>A</title><ccm:seq>1</ccm:seq><ccm:op>upsert</ccm:op>
<ccm:sha256>${sha}</ccm:sha256><ccm:state>${xml}</ccm:state></entry>
</feed>`)

const stateOf = (xml: string) => parseDocument(documentWith(xml)).changes[0]?.state

test.each([
  ['entities', '{"a":"&lt;b&gt; &amp;amp; &quot;c&quot; &apos;"}', '{"a":"<b> &amp; "c" \'"}'],
  ['quotes as they are', `{"a":"it's"}`, `{"a":"it's"}`],
  ['numeric references', '&#65;&#x42;&#x1F3D7;&#13;&#10;&#9;&#x85;', 'AB\u{1f3d7}\r\n\t\u0085'],
  ['what looks like a number', '1e3', '1e3'],
  ['leading and trailing white space', ' \t{} \n ', ' \t{} \n '],
  ['ends of lines, which XML makes one', 'a\r\nb\rc', 'a\nb\nc'],
  [
    'astral and combining characters',
    '\u{1f3d7}e\u0301\u{10ffff}\u2028\ufeff',
    '\u{1f3d7}e\u0301\u{10ffff}\u2028\ufeff',
  ],
  ['names of dangerous properties', '{"__proto__":{"constructor":1}}', '{"__proto__":{"constructor":1}}'],
])('reads the state back exactly: %s', (_what, xml, expected) => {
  expect(stateOf(xml)).toBe(expected)
})

test('reads back exactly any text that XML can carry', () => {
  const written = (text: string) => text.replace(/[&<>\r]/g, (letter) => `&#${letter.charCodeAt(0)};`)
  const text = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 40 })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what XML cannot carry
    .map((given) => `x${given.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ' ')}`)
  fc.assert(
    fc.property(text, (given) => {
      expect(stateOf(written(given))).toBe(given)
    }),
  )
})

test.each([
  ['a text that ends in its middle', documentWith('{}').subarray(0, -30), /no Atom document/],
  ['bytes that are no UTF-8', Buffer.from([0x3c, 0xff, 0xfe]), /no Atom document/],
  ['a page of HTML', Buffer.from('<html><body>down</body></html>'), /expected an element feed/],
  ['a document type', Buffer.from('<!DOCTYPE feed [<!ENTITY a "b">]><feed>&a;</feed>'), /document type/],
  ['an entity of its own', documentWith('&nbsp;'), /'&' is no reference/],
  ['a reference to no character', documentWith('&#xD800;'), /no reference of XML/],
  ['a state twice', documentWith('{}</ccm:state><ccm:state>{}'), /expected one element ccm:state/],
  ['CDATA, where entities mean something else', documentWith('<![CDATA[{}]]>'), /expected one element ccm:state/],
  ['a hash that is none', documentWith('{}', { sha: 'abc' }), /'abc' is no SHA-256/],
])('refuses %s', (_what, bytes, says) => {
  expect(() => parseDocument(bytes)).toThrow(says)
})

test('accepts any namespace prefixes', () => {
  const text = documentWith('{}')
    .toString()
    .replaceAll(/(<\/?|xmlns:)ccm\b/g, '$1m')
  expect(parseDocument(Buffer.from(text)).changes).toMatchObject([{ seq: 1, itemId: 'ci_a', state: '{}' }])
})

/** A page of changes given as `op id`, or `op id *` for a superseded one, with right hashes and chains. */
function pageOf(texts: readonly string[]): FeedDocument {
  let { chain } = ZERO
  const changes = texts.map((text, i) => {
    const [op = '', itemId = '', star] = text.split(' ')
    const told = `{"at":${i + 1}}`
    const change = {
      seq: i + 1,
      op: op as 'upsert' | 'delete',
      itemId,
      isSuperseded: star === '*',
      sha: op === 'upsert' ? sha256Hex(told) : null,
      state: op === 'upsert' && star !== '*' ? told : null,
    }
    chain = chainAfter(chain, change)
    return change
  })
  return { gen: GEN, scope: 'items', first: 1, last: texts.length, chain, changes: changes.toReversed() }
}
const check = (document: FeedDocument, { from = ZERO, chains = new Map<number, string>() } = {}) =>
  checkedChanges(document, { scope: 'items', from, chains })

test('gives the changes of a complete page in order, from any position in it', () => {
  const page = pageOf(['upsert a', 'upsert b *', 'delete a', 'upsert b'])
  const all = check(page)
  expect(all.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  const at = all[1] as { seq: number; chain: string }
  expect(check(page, { from: { gen: GEN, ...at } }).map(({ seq }) => seq)).toEqual([3, 4])
})

test.each<[string, (page: FeedDocument) => FeedDocument, RegExp]>([
  ['a gap', (page) => ({ ...page, changes: page.changes.filter(({ seq }) => seq !== 2) }), /seq 2: change/],
  [
    'a number twice',
    (page) => ({ ...page, changes: [...page.changes, ...page.changes.slice(0, 1)] }),
    /seq 3: numbers/,
  ],
  ['a number beyond the last', (page) => ({ ...page, last: 2 }), /seq 3: numbers/],
  ['an altered state', (page) => altered(page, 3, { state: '{"at":4}' }), /seq 3: sha256 of the state/],
  ['an altered hash', (page) => altered(page, 1, { sha: 'f'.repeat(64), state: null }), /seq 3: chain from seq 0/],
  ['another item', (page) => altered(page, 2, { itemId: 'c' }), /seq 3: chain from seq 0/],
  ['another op', (page) => altered(page, 2, { op: 'leave' }), /seq 3: chain from seq 0/],
  ['another chain', (page) => ({ ...page, chain: '1'.repeat(64) }), /seq 3: chain from seq 0: expected 1{64}/],
  [
    'nothing in the place of what is superseded',
    (page) => altered(page, 3, { isSuperseded: true }),
    /a later change of a/,
  ],
])('refuses a page and names the number: %s', (_what, alter, says) => {
  const page = pageOf(['upsert a', 'delete b', 'upsert a'])
  expect(check(page)).toHaveLength(3)
  expect(() => check(alter(page))).toThrow(says)
})

const altered = (page: FeedDocument, seq: number, change: Partial<FeedDocument['changes'][number]>): FeedDocument => ({
  ...page,
  changes: page.changes.map((told) => (told.seq === seq ? { ...told, ...change } : told)),
})

test('requires the announced chain of a change within the page', () => {
  const page = pageOf(['upsert a', 'delete b', 'upsert a'])
  expect(() => check(page, { chains: new Map([[2, '2'.repeat(64)]]) })).toThrow(
    /seq 2: chain from seq 0: expected 2{64}/,
  )
  expect(() => check(page, { chains: new Map([[3, '2'.repeat(64)]]) })).toThrow(/seq 3: chain: expected 2{64}/)
})
