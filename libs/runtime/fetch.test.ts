import { createServer } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ForbiddenAddress, openFetch } from './fetch.ts'

let asked: string[] = []
const server = createServer((request, response) => {
  asked.push(request.url ?? '')
  const { port } = server.address() as AddressInfo
  if (request.url === '/away') response.writeHead(302, { location: `http://127.0.0.2:${port}/inside` })
  response.end('inside')
})
let port: number
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => void server.close())

/** Resolves every name to these addresses. */
const resolvingTo =
  (...addresses: string[]): LookupFunction =>
  (_host, options, done) => {
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    if (options.all === true) done(null, found)
    else done(null, found[0]?.address as string, found[0]?.family)
  }
const causeOf = (fetching: Promise<unknown>) =>
  fetching.then(
    () => undefined,
    (error: Error) => error.cause,
  )

describe('an untrusted address', () => {
  test.each([
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '168.63.129.16',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[fe80::1]',
    '[fd00::1]',
    '[64:ff9b::7f00:1]',
    '2130706433',
    '0x7f.1',
    '127.1',
  ])('of this machine or a private network is refused before connecting: %s', async (host) => {
    asked = []
    expect(await causeOf(openFetch({ allowed: [] })(`http://${host}:${port}/`))).toBeInstanceOf(ForbiddenAddress)
    expect(asked).toEqual([])
  })

  test.each([[['127.0.0.1']], [['::1']], [['93.184.216.34', '127.0.0.1']]])(
    'is judged by what its name resolves to: %s',
    async (addresses) => {
      asked = []
      const fetch = openFetch({ allowed: [], lookup: resolvingTo(...addresses) })
      expect(await causeOf(fetch(`http://catalog.example:${port}/`))).toBeInstanceOf(ForbiddenAddress)
      expect(asked).toEqual([])
    },
  )

  test('of an allowed network is fetched, but not a redirect out of it', async () => {
    asked = []
    const fetch = openFetch({ allowed: ['127.0.0.1/32'] })
    expect(await (await fetch(`http://127.0.0.1:${port}/here`)).text()).toBe('inside')
    expect(await causeOf(fetch(`http://127.0.0.1:${port}/away`))).toBeInstanceOf(ForbiddenAddress)
    expect(asked).toEqual(['/here', '/away'])
  })
})
