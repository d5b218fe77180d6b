import { expect, test } from 'vitest'
import { Cookies } from './cookies.ts'

const SHOP = new URL('https://shop.example.com/es/p/1')

test('given a cookie that a host set, when it is requested again, then it gets the cookie back, and no other host does', () => {
  const cookies = new Cookies()
  cookies.keep(SHOP, ['session=1; Path=/; HttpOnly', 'region=ES; Path=/es'])
  expect(cookies.headerFor(SHOP)).toBe('region=ES; session=1')
  expect(cookies.headerFor(new URL('https://shop.example.com/pt/'))).toBe('session=1')
  expect(cookies.headerFor(new URL('https://other.example.com/'))).toBeNull()
})

test.each([
  ['of another host', 'a=1; Domain=other.example.com'],
  ['of all hosts of a country', 'a=1; Domain=com'],
  ['that is over', 'a=1; Max-Age=0'],
  ['that is no cookie', '=;'],
  ['of 5,000 letters', `a=${'x'.repeat(5_000)}`],
])('given a cookie %s, when it is set, then it is not kept', (_what, value) => {
  const cookies = new Cookies()
  cookies.keep(SHOP, value)
  expect(cookies.headerFor(SHOP)).toBeNull()
})

test('given a cookie for https alone, when the host is requested over http, then the cookie stays at home', () => {
  const cookies = new Cookies()
  cookies.keep(SHOP, 'a=1; Secure; Path=/')
  expect(cookies.headerFor(new URL('http://shop.example.com/'))).toBeNull()
  expect(cookies.headerFor(SHOP)).toBe('a=1')
})

test('given a host that sets cookies without end, at many paths, when they are counted, then 50 are kept', () => {
  const cookies = new Cookies()
  for (let at = 0; at < 40; at++) {
    cookies.keep(SHOP, [`a${at}=1; Path=/`, `b${at}=1; Path=/${at}`, `c${at}=1; Path=/; Secure`])
  }
  const kept = ['/', ...Array.from({ length: 40 }, (_, at) => `/${at}`)].flatMap(
    (path) => cookies.headerFor(new URL(path, SHOP))?.split('; ') ?? [],
  )
  expect(new Set(kept).size).toBe(50)
})

test('given cookies of many hosts, when they are set, then those of the first 20 are kept', () => {
  const cookies = new Cookies()
  const hosts = Array.from({ length: 25 }, (_, n) => new URL(`https://h${n}.example.com/`))
  for (const host of hosts) cookies.keep(host, 'a=1')
  expect(hosts.filter((host) => cookies.headerFor(host) !== null)).toHaveLength(20)
})

test.each(['http://test/', 'http://co.uk/', 'http://127.0.0.1:8080/', 'http://[::1]/', 'http://a..b/'])(
  'given cookies of %s, when they are kept and read, then nothing throws',
  (address) => {
    const cookies = new Cookies()
    cookies.keep(new URL(address), ['a=1', 'b=2; Domain=uk', '__Host-c=1', '\u0000=\u0001'])
    expect([null, 'a=1']).toContain(cookies.headerFor(new URL(address)))
  },
)
