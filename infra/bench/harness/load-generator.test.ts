import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startLoadGenerator } from './load-generator.ts'

describe('the load generator', () => {
  let server: Server
  let origin: string
  let seen: string[]
  const load = startLoadGenerator()
  beforeAll(async () => {
    server = createServer((request, response) => {
      seen.push(`${request.url} ${request.headers['if-none-match'] ?? ''}`.trim())
      if (request.headers['if-none-match'] === '"held"') {
        response.writeHead(304).end()
        return
      }
      const bytes = Buffer.alloc(200_000, 'x')
      response.writeHead(request.url === '/missing' ? 404 : 200, { 'content-length': bytes.length })
      // In pieces, so that an answer spans chunks.
      response.write(bytes.subarray(0, 70_000))
      setImmediate(() => response.end(bytes.subarray(70_000)))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  beforeEach(() => {
    seen = []
  })
  afterAll(async () => {
    await load[Symbol.asyncDispose]()
    server.close()
  })

  test('requests each path once when there are as many as requests', async () => {
    const paths = Array.from({ length: 100 }, (_, i) => `/${i}`)
    await load.send({ origin, paths, count: 100 })
    expect(seen.toSorted()).toEqual(paths.toSorted())
  })

  test('cycles through fewer paths than requests', async () => {
    await load.send({ origin, paths: ['/a', '/b'], count: 5 })
    expect(seen.toSorted()).toEqual(['/a', '/a', '/a', '/b', '/b'])
  })

  test('accepts an answer without a body if expected', async () => {
    await load.send({ origin, paths: ['/'], count: 40, status: 304, headers: { 'if-none-match': '"held"' } })
    expect(seen).toEqual(Array.from({ length: 40 }, () => '/ "held"'))
  })

  test('throws with the text of the first unexpected answer', async () => {
    await expect(load.send({ origin, paths: ['/missing'], count: 3 })).rejects.toThrow(
      'expected 200, found HTTP/1.1 404',
    )
    await load.send({ origin, paths: ['/after'], count: 1 })
    expect(seen.at(-1)).toBe('/after')
  })

  test('throws if the server is down', async () => {
    const nobody = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => nobody.once('listening', resolve))
    const { port } = nobody.address() as AddressInfo
    await new Promise((resolve) => nobody.close(resolve))
    await expect(load.send({ origin: `http://127.0.0.1:${port}`, paths: ['/'], count: 1 })).rejects.toThrow(
      'ECONNREFUSED',
    )
  })
})
