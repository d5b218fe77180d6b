import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { Api } from '@catalog/api/server.ts'
import { embedderOf, publish, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import Fastify from 'fastify'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { V1 } from './context.ts'
import { asApiError } from './errors.ts'
import { LOAD_MAX, shedLoad } from './load-shedding.ts'

const store = await storeOfFile()
const clock = testClock()

beforeAll(async () => {
  for (let i = 0; i < 20; i++) await publish(store, { id: testId('ci_', `item${i}`), name: `Cement ${i}` })
})

async function listen(api: Api): Promise<number> {
  await api.listen({ port: 0, host: '127.0.0.1' })
  return (api.server.address() as { port: number }).port
}

/** Creates an embedder that blocks every search until the test releases it. */
function gatedEmbedder() {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  let waiting = 0
  const embedder = embedderOf(async () => {
    waiting++
    await gate
    return [null]
  })
  return { embedder, open, waiting: () => waiting }
}

describe('an overloaded server', () => {
  test('refuses requests beyond 1,000 in flight, and answers those in flight', async () => {
    // On a busy machine, 1,000 requests at once reach two other limits: the event loop's delay, and the wait for the store.
    const { eventLoopDelayMs } = LOAD_MAX
    LOAD_MAX.eventLoopDelayMs = Number.POSITIVE_INFINITY
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => {
      LOAD_MAX.eventLoopDelayMs = eventLoopDelayMs
      vi.useRealTimers()
    })
    const { embedder, open, waiting } = gatedEmbedder()
    const api = testApi(store, clock, { embedder })
    await api.ready()
    const begun = Array.from({ length: LOAD_MAX.requestsInFlight }, () => api.inject('/v1/search?q=cement'))
    await expect.poll(waiting).toBe(1_000)
    const refused = await api.inject('/v1/items')
    expect([refused.statusCode, refused.json()]).toEqual([
      503,
      { error: 'overloaded', details: expect.stringContaining('1000 requests'), retry_after_seconds: 1 },
    ])
    expect(refused.headers['retry-after']).toBe('1')
    // The refused request did not start, so it does not count.
    expect(refused.headers).not.toHaveProperty('x-ratelimit-remaining')
    for (const url of ['/livez', '/readyz', '/']) expect((await api.inject(url)).statusCode).toBe(200)
    open()
    for (const answer of await Promise.all(begun)) expect(answer.statusCode, answer.body).toBe(200)
    expect((await api.inject('/v1/items')).statusCode).toBe(200)
    await api.close()
  })

  /** Starts a server with one route and the test's own load limits. */
  async function shedding(max: Partial<typeof LOAD_MAX>, handler: () => Promise<string>) {
    const app = Fastify()
    app.setErrorHandler((error, _request, reply) => reply.code(503).send(asApiError(error).body))
    shedLoad(app as unknown as V1, { ...LOAD_MAX, ...max })
    app.get('/', handler)
    await app.listen({ port: 0, host: '127.0.0.1' })
    return { app, port: (app.server.address() as { port: number }).port }
  }

  test.each([
    ['heap', { heapBytes: 1 }],
    ['resident memory', { residentBytes: 1 }],
    ['delay of the event loop', { eventLoopDelayMs: -1 }],
  ])('refuses by its %s too, from the first sample on', async (_what, max) => {
    const { app } = await shedding(max, async () => 'served')
    await expect.poll(async () => (await app.inject('/')).json().error, { timeout: 5_000 }).toBe('overloaded')
    await app.close()
  })

  test.each([
    ['disconnected', 'destroy'],
    ['closed their sending side', 'end'],
  ] as const)('stops counting requests of clients that %s', async (_what, leave) => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    let begun = 0
    const { app, port } = await shedding({ requestsInFlight: 2 }, async () => {
      begun++
      if (begun <= 2) await gate
      return 'served'
    })
    const sockets = [1, 2].map(() => connect(port, '127.0.0.1').on('error', () => {}))
    for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(() => begun).toBe(2)
    expect((await app.inject('/')).statusCode).toBe(503)
    for (const socket of sockets) socket[leave]()
    await expect.poll(async () => (await app.inject('/')).body).toBe('served')
    open()
    await app.close()
  })
})

describe('an unresponsive database', () => {
  test('times out after 10 s: 503 with Retry-After, and health reports it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const never = () => new Promise<never>(() => {})
      const api = testApi({ ...store, query: never, transaction: never }, clock)
      await api.ready()
      const answers = [api.inject('/v1/items'), api.inject('/readyz')]
      await vi.advanceTimersByTimeAsync(9_900)
      let answered = false
      void answers[0]?.then(() => {
        answered = true
      })
      await vi.advanceTimersByTimeAsync(50)
      expect(answered).toBe(false)
      await vi.advanceTimersByTimeAsync(10_000)
      const [items, ready] = await Promise.all(answers)
      expect([items?.statusCode, items?.json().error, items?.headers['retry-after']]).toEqual([
        503,
        'store_unavailable',
        '5',
      ])
      expect([ready?.statusCode, ready?.json().error]).toEqual([503, 'not_ready'])
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a stopping server', () => {
  type ConnectionSeen = { answers: number; lost: boolean; askedToClose: boolean }

  /**
   * Sends one request after another on one connection until the server asks to close it. Resolves when the connection
   * closes, with the number of answers and whether a request got none.
   */
  function keepAlive(port: number, onAnswer: (answers: number) => void): Promise<ConnectionSeen> {
    return new Promise((resolve) => {
      const seen: ConnectionSeen = { answers: 0, lost: false, askedToClose: false }
      const socket: Socket = connect(port, '127.0.0.1')
      let received = Buffer.alloc(0)
      let waiting = false
      const sendRequest = () => {
        waiting = true
        socket.write('GET /v1/items?limit=20 HTTP/1.1\r\nHost: a\r\n\r\n')
      }
      socket.on('connect', sendRequest)
      socket.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk])
        const end = received.indexOf('\r\n\r\n')
        const head = received.subarray(0, end).toString().toLowerCase()
        const length = Number(/content-length: (\d+)/.exec(head)?.[1])
        if (end < 0 || received.length < end + 4 + length) return
        if (!head.startsWith('http/1.1 200')) seen.lost = true
        onAnswer(++seen.answers)
        received = Buffer.alloc(0)
        waiting = false
        seen.askedToClose = head.includes('connection: close')
        if (!seen.askedToClose) sendRequest()
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve({ ...seen, lost: seen.lost || waiting }))
    })
  }

  test('answers every request in flight, so that busy clients lose none', async () => {
    for (let round = 0; round < 3; round++) {
      const api = testApi(store, clock)
      const port = await listen(api)
      // Each connection has sent a second request on the same connection: a busy machine serves some of them late.
      const busy = new Set<number>()
      const clients = Array.from({ length: 30 }, (_, n) => keepAlive(port, (answers) => answers > 1 && busy.add(n)))
      await expect.poll(() => busy.size, { timeout: 20_000 }).toBe(30)
      await api.close()
      const seen = await Promise.all(clients)
      expect(seen.filter(({ lost }) => lost)).toEqual([])
      expect(seen.filter(({ askedToClose }) => !askedToClose)).toEqual([])
    }
  })

  test('becomes unready at once, finishes its last answer, and closes idle connections', async () => {
    const { embedder, open, waiting } = gatedEmbedder()
    const api = testApi(store, clock, { embedder })
    const port = await listen(api)
    const address = `http://127.0.0.1:${port}`
    const underWay = fetch(`${address}/v1/search?q=cement`)
    await expect.poll(waiting).toBe(1)
    api.drain()
    const ready = await fetch(`${address}/readyz`)
    expect([ready.status, ready.headers.get('retry-after'), ready.headers.get('connection')]).toEqual([
      503,
      '5',
      'close',
    ])
    const idle = connect(port, '127.0.0.1')
    let closed = false
    const closing = api.close().then(() => {
      closed = true
    })
    await expect.poll(() => fetch(`${address}/livez`).catch(() => 'refused'), { timeout: 5_000 }).toBe('refused')
    expect(closed).toBe(false)
    open()
    const answer = await underWay
    // A kept-alive connection would hold the server open.
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
    await closing
    idle.destroy()
  })

  test('aborts unanswered requests after 15 s', async () => {
    const { embedder, waiting } = gatedEmbedder()
    const api = testApi(store, clock, { embedder })
    const address = `http://127.0.0.1:${await listen(api)}`
    const never = expect(fetch(`${address}/v1/search?q=cement`)).rejects.toThrow('fetch failed')
    await expect.poll(waiting).toBe(1)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      let closed = false
      const closing = api.close().then(() => {
        closed = true
      })
      while (api.server.listening) await setImmediate()
      await vi.advanceTimersByTimeAsync(14_900)
      expect(closed).toBe(false)
      await vi.advanceTimersByTimeAsync(200)
      await Promise.all([closing, never])
    } finally {
      vi.useRealTimers()
    }
  })

  test('closes at once without connections', async () => {
    const closeMs: number[] = []
    for (let round = 0; round < 3; round++) {
      const api = testApi(store, clock)
      await listen(api)
      const begun = performance.now()
      await api.close()
      closeMs.push(performance.now() - begun)
    }
    expect(Math.min(...closeMs)).toBeLessThan(400)
  })
})
