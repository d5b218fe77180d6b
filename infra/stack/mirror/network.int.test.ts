import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openDownloads } from '@catalog/mirror/downloads.ts'
import { type MirrorOptions, nextPauseMs } from '@catalog/mirror/mirror.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Behaviour, broken, cut, status } from './mirror-server.ts'
import { openStage, type Stage } from './stage.ts'

/** Networks, caches and loaded servers against the client of ccm/1, over real HTTP. */
let { stack, origin, server, root, mirrorOf: mirrorIn } = {} as Stage
/** Milliseconds that the client asked to wait; the tests never wait. */
let waits: number[]
beforeEach(async () => {
  ;({ stack, origin, server, root, mirrorOf: mirrorIn } = await openStage({ pageSize: 4 }))
  publish(1)
  publish(2)
  waits = []
})
afterEach(() => stack.disposeAsync())

function publish(night: number): void {
  for (let item = 0; item < 6; item++) origin.publish({ item, cents: 10 + night, regions: ['ES'], name: `N${item}` })
  origin.mark()
}

function mirrorOf(more: Partial<MirrorOptions> = {}) {
  const wait = async (ms: number) => {
    waits.push(ms)
  }
  return mirrorIn('items', { into: new DatabaseSync(':memory:'), wait, ...more })
}

/** Applies the behaviour to the first `count` answers below `path`. */
const times = (count: number, path: string, behave: Behaviour): Behaviour => {
  let left = count
  return (asked, answer) => (asked.startsWith(path) && left-- > 0 ? behave(asked, answer) : undefined)
}

describe('a temporary failure is waited for', () => {
  test.each<[string, Behaviour]>([
    ['a connection that breaks', broken],
    ['a body that ends too soon', cut],
    ['status 500', status(500)],
    ['status 503', status(503)],
    ['status 429', status(429)],
  ])('%s, once for each document', async (_what, behave) => {
    const seen = new Set<string>()
    server.behave = (path, answer) => {
      if (seen.has(path)) return undefined
      seen.add(path)
      return behave(path, answer)
    }
    const synced = await mirrorOf().sync()
    expect(synced.state.seq).toBe(origin.head('items'))
  })

  test('for as long as Retry-After says, in seconds or as a date', async () => {
    const now = new Date('2026-11-20T03:00:00Z')
    server.behave = times(1, 'archive', status(429, { 'retry-after': '7' }))
    await mirrorOf().sync()
    expect(waits).toEqual([7_000])
    waits = []
    server.behave = times(1, 'state', status(503, { 'retry-after': 'Fri, 20 Nov 2026 03:00:40 GMT' }))
    await mirrorOf({ now: () => now }).sync()
    expect(waits).toEqual([40_000])
  })

  test('with growing delays between attempts', async () => {
    server.behave = times(4, 'state', status(500))
    await mirrorOf().sync()
    expect(waits).toHaveLength(4)
    for (const [i, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(250 * 2 ** i)
      expect(wait).toBeLessThanOrEqual(500 * 2 ** i)
    }
  })
})

describe('a follower', () => {
  /** Follows for so many passes; answers what it asked for. */
  async function follow(passes: number, mirror = mirrorOf()): Promise<readonly string[]> {
    const ending = new AbortController()
    let left = passes
    const onSync = () => {
      if (--left === 0) ending.abort()
    }
    await mirror.follow({ everyMs: 1, signal: ending.signal, onSync })
    return server.asked.filter((path) => path.startsWith('state'))
  }

  test('lets the origin hold its answer until something changes', async () => {
    expect(await follow(3)).toEqual(['state.json', 'state.json?wait=20', 'state.json?wait=20'])
  })

  test('polls an origin that refuses to wait', async () => {
    server.behave = (path) => (path.includes('wait') ? { status: 400 } : undefined)
    expect(await follow(3)).toEqual(['state.json', 'state.json?wait=20', 'state.json', 'state.json'])
  })

  test('comes rarely while nothing changes, and soon after a change', () => {
    const pauses = Array.from({ length: 8 }).reduce<number[]>((all) => [...all, nextPauseMs(all.at(-1) ?? null, 0)], [])
    expect(pauses.map((ms) => ms / 60_000)).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
    expect(nextPauseMs(3_600_000, 1)).toBe(60_000)
  })
})

describe('a download that breaks', () => {
  const BODY = Buffer.from('0123456789'.repeat(20))
  const STOPS = 70
  /** A server whose first answer stops in its middle; the others follow Range, or not. */
  async function openBroken({ etag, follows }: { etag: string; follows: boolean }) {
    const ranges: (string | undefined)[] = []
    const served = createServer((request, response) => {
      const { range } = request.headers
      ranges.push(range)
      const from = range === undefined || !follows ? 0 : Number(/^bytes=(\d+)-$/.exec(range)?.[1])
      const rest = BODY.subarray(from)
      const isRange = range !== undefined && follows
      const part = isRange && { 'content-range': `bytes ${from}-${BODY.length - 1}/${BODY.length}` }
      response.writeHead(isRange ? 206 : 200, { etag, 'content-length': rest.length, ...part })
      if (ranges.length > 1) return void response.end(rest)
      response.write(rest.subarray(0, STOPS), () => response.destroy())
    })
    served.listen(0, '127.0.0.1')
    await once(served, 'listening')
    stack.defer(() => void served.close())
    return { url: `http://127.0.0.1:${(served.address() as AddressInfo).port}/file`, ranges }
  }
  const downloads = () => openDownloads({ wait: async () => {} })

  test.each([
    ['goes on where it stopped', '"abc"', true, `bytes=${STOPS}-`],
    ['begins anew at a server that ignores ranges', '"abc"', false, `bytes=${STOPS}-`],
    ['begins anew without a strong validator', 'W/"abc"', true, undefined],
  ])('%s', async (_what, etag, follows, range) => {
    const { url, ranges } = await openBroken({ etag, follows })
    const answer = await downloads().get(url)
    expect(answer).toMatchObject({ kind: 'found' })
    expect(Buffer.from((answer as { bytes: Uint8Array }).bytes)).toEqual(BODY)
    expect(ranges).toEqual([undefined, range])
  })

  test.each([
    ['goes on where an earlier process stopped', 30, 'bytes=30-'],
    ['begins anew behind a file that is too long', 500, 'bytes=500-'],
  ])('into a file %s', async (_what, size, range) => {
    const file = join(root, 'x.part')
    writeFileSync(file, Buffer.concat([BODY, BODY, BODY]).subarray(0, size))
    const ranges: (string | undefined)[] = []
    const served = createServer((request, response) => {
      ranges.push(request.headers.range)
      const from = Number(/\d+/.exec(request.headers.range ?? '0')?.[0])
      if (from >= BODY.length) return void response.writeHead(416).end()
      const part = from > 0 && { 'content-range': `bytes ${from}-${BODY.length - 1}/${BODY.length}` }
      response.writeHead(from > 0 ? 206 : 200, { ...part }).end(BODY.subarray(from))
    })
    served.listen(0, '127.0.0.1')
    await once(served, 'listening')
    stack.defer(() => void served.close())
    const url = `http://127.0.0.1:${(served.address() as AddressInfo).port}/file`
    expect(await downloads().get(url, { file })).toMatchObject({ kind: 'found' })
    expect(readFileSync(file)).toEqual(BODY)
    expect(ranges[0]).toBe(range)
  })
})

describe('a lasting failure ends the pass with its cause', () => {
  test.each<[string, Behaviour, RegExp]>([
    ['a connection that always breaks', broken, /GET .*archive.*\/0\.atom: .*\(attempt 6\)/],
    ['a body that always ends too soon', cut, /items after seq 0: no Atom document/],
    ['status 500 for ever', status(500), /GET .*\/0\.atom: status 500 \(attempt 6\)/],
    ['status 403', status(403), /GET .*\/0\.atom: status 403 \(attempt 1\)/],
    ['a wait of an hour', status(429, { 'retry-after': '3600' }), /status 429 \(attempt 1\); .* in 3600 s/],
    ['a page that is gone again and again', status(410), /items after seq 0: GET .*\/0\.atom: status 410/],
    [
      'another origin',
      status(302, { location: 'http://127.0.0.2:1/x' }),
      /redirect to http:\/\/127\.0\.0\.2:1, expected/,
    ],
    [
      'a redirect to itself',
      (path) => ({ status: 307, headers: { location: `/v1/feeds/${path}` } }),
      /more than 3 redirects/,
    ],
    [
      'another generation',
      (_path, { body }) => ({ body: Buffer.from(body.toString().replace(/<ccm:gen>.*?</, '<ccm:gen>other<')) }),
      /items seq 1: gen of the document: expected 0+, found other/,
    ],
    [
      'another scope',
      (_path, { body }) => ({ body: Buffer.from(body.toString().replace('>items<', '>region/ES<')) }),
      /items seq 1: scope of the document/,
    ],
  ])('%s', async (_what, behave, says) => {
    server.behave = (path, answer) => (path.startsWith('archive') ? behave(path, answer) : undefined)
    const mirror = mirrorOf()
    await expect(mirror.sync()).rejects.toThrow(says)
    expect(mirror.state()).toBeNull()
    expect([...mirror.items()]).toEqual([])
  })

  test('an endless body, at the limit', async () => {
    let sent = 0
    server.behave = (path) => {
      if (!path.startsWith('archive')) return undefined
      return (response) => {
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536, 0x20))) sent += 65_536
        }
        response.on('drain', more).on('error', () => {})
        more()
      }
    }
    await expect(mirrorOf({ limits: { bytesMax: 1_000_000 } }).sync()).rejects.toThrow(/more than 1000000 bytes/)
    expect(sent).toBeLessThan(50_000_000)
  })

  test('a missing answer, and one that stops in its middle', async () => {
    const limits = { stallMs: 100, attempts: 2 }
    server.behave = (path) => (path.startsWith('archive') ? () => {} : undefined)
    await expect(mirrorOf({ limits }).sync()).rejects.toThrow(/no answer within 100 ms \(attempt 2\)/)
    server.behave = (path, { body }) =>
      path.startsWith('archive') ? (response) => void response.writeHead(200).write(body.subarray(0, 100)) : undefined
    await expect(mirrorOf({ limits }).sync()).rejects.toThrow(/no answer within 100 ms \(attempt 2\)/)
  })

  test('a slow answer that keeps coming is accepted', async () => {
    server.behave = (path, { body }) => {
      if (!path.startsWith('archive')) return undefined
      return (response) => {
        response.writeHead(200)
        const step = Math.ceil(body.length / 20)
        let at = 0
        const timer = setInterval(() => {
          if (at >= body.length) {
            clearInterval(timer)
            response.end()
          } else response.write(body.subarray(at, at + step))
          at += step
        }, 20)
      }
    }
    const { state } = await mirrorOf({ limits: { stallMs: 5_000, attempts: 1 } }).sync()
    expect(state.seq).toBe(origin.head('items'))
  })

  test('an address without feeds', async () => {
    await expect(mirrorOf({ url: `${server.url}/elsewhere` }).sync()).rejects.toThrow(
      /no feeds at .*elsewhere: expected/,
    )
    expect(() => mirrorOf({ url: 'ftp://example.org' })).toThrow(/address 'ftp:\/\/example.org'/)
  })

  test('a missing server', async () => {
    const gone = createServer().listen(0, '127.0.0.1')
    await once(gone, 'listening')
    const { port } = gone.address() as AddressInfo
    gone.close()
    await expect(mirrorOf({ url: `http://127.0.0.1:${port}/v1` }).sync()).rejects.toThrow(/ECONNREFUSED.*attempt 6/)
  })
})

describe('a stale cache', () => {
  /** Serves the document as it is now, even to requests that bypass the cache. */
  const held = (document: string): Behaviour => {
    const { body } = origin.answer(`${origin.baseUrl}/feeds/${document}`)
    return (path) => (path === document ? { body } : undefined)
  }

  test('of state.json never moves a mirror backwards, and is named when it persists', async () => {
    const mirror = mirrorOf()
    const stale = held('state.json')
    publish(3)
    await mirror.sync()
    const before = mirror.state()
    server.behave = stale
    await expect(mirror.sync()).rejects.toThrow(/items seq 18: head of state.json: expected at least 18, found 12/)
    expect(mirror.state()).toEqual(before)
  })

  test('of the subscription is waited for', async () => {
    const mirror = mirrorOf()
    await mirror.sync()
    server.behave = held('items.atom')
    origin.publish({ item: 1, cents: 99, regions: ['ES'], name: 'N1' })
    await expect(mirror.sync()).rejects.toThrow(
      /items seq 13: numbers of the document: expected 13 in it, found 9 to 12/,
    )
    server.behave = () => undefined
    expect((await mirror.sync()).state.seq).toBe(13)
  })

  test('of a former generation brings no mirror back to it', async () => {
    const mirror = mirrorOf()
    await mirror.sync()
    const stale = held('state.json')
    origin.resize(3)
    await mirror.sync()
    const { gen } = mirror.state() as { gen: string }
    expect(gen).toBe(origin.gen())
    server.behave = stale
    await expect(mirror.sync()).rejects.toThrow(/gen of state.json: expected 0+1 or a later one, found 0+$/)
    expect(mirror.state()?.gen).toBe(gen)
  })
})
