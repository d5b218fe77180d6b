import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CatalogError, linkOf, retryAfterOf } from './errors.ts'
import { type Attempt, nextWait, politeFetch, RETRY_LIMITS, waitFor } from './retry.ts'

const attempts = fc.record({
  number: fc.integer({ min: 1, max: 10 }),
  status: fc.option(fc.constantFrom(200, 304, 400, 404, 409, 410, 429, 500, 502, 503, 504)),
  retryAfterSeconds: fc.option(fc.integer({ min: 0, max: 1_000 })),
  waitedSeconds: fc.double({ min: 0, max: 100, noNaN: true }),
  isRead: fc.boolean(),
})
const limits = fc.record({
  attemptsMax: fc.integer({ min: 1, max: 8 }),
  waitSecondsMax: fc.double({ min: 0, max: 200, noNaN: true }),
  backoffSeconds: fc.double({ min: 0.01, max: 10, noNaN: true }),
  timeoutSeconds: fc.constant(30),
})
const chance = fc.double({ min: 0, max: 1, noNaN: true })

describe('the wait before the next attempt', () => {
  test('is never shorter than Retry-After, and stays within all bounds', () => {
    fc.assert(
      fc.property(attempts, limits, chance, (attempt, limits, random) => {
        const wait = nextWait(attempt, limits, random)
        if (wait === null) return
        expect(attempt.number).toBeLessThan(limits.attemptsMax)
        expect(attempt.waitedSeconds + wait).toBeLessThanOrEqual(limits.waitSecondsMax)
        if (attempt.retryAfterSeconds !== null) expect(wait).toBe(attempt.retryAfterSeconds)
      }),
    )
  })

  test('is none where a second request could do something twice, or would get the same answer', () => {
    fc.assert(
      fc.property(attempts, limits, chance, (attempt, limits, random) => {
        const isTransient = attempt.status === null || [502, 503, 504].includes(attempt.status)
        if (attempt.status === 429 || (attempt.isRead && isTransient)) return
        expect(nextWait(attempt, limits, random)).toBe(null)
      }),
    )
  })

  test('doubles where the answer names none', () => {
    const after = (number: number, random: number) =>
      nextWait(
        { number, status: 503, retryAfterSeconds: null, waitedSeconds: 0, isRead: true } satisfies Attempt,
        RETRY_LIMITS,
        random,
      )
    expect([1, 2, 3, 4].map((number) => after(number, 0))).toEqual([0.5, 1, 2, null])
    expect([1, 2, 3].map((number) => after(number, 1))).toEqual([0.25, 0.5, 1])
  })
})

/** A server that gives these answers in turn, and what a caller did. */
function conversation(answers: readonly (() => Response | Promise<Response>)[], more: { isRead?: boolean } = {}) {
  const bodies: string[] = []
  const waits: number[] = []
  const ask = politeFetch({
    fetch: async (request) => {
      bodies.push(await request.text())
      return (answers[bodies.length - 1] as () => Response)()
    },
    limits: RETRY_LIMITS,
    isRead: () => more.isRead ?? true,
    wait: async (seconds, signal) => {
      waits.push(seconds)
      signal.throwIfAborted()
    },
  })
  return { ask, bodies, waits }
}
const limited = (seconds: number | string) => () =>
  new Response('{"error":"rate_limited_minute"}', { status: 429, headers: { 'retry-after': String(seconds) } })
const fine = () => new Response('{"items":[]}')
const broken = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }))
const page = () => new Request('http://catalog.test/v1/items')

describe('a polite fetch', () => {
  test('waits as long as it is told, and sends the body again', async () => {
    const { ask, bodies, waits } = conversation([limited(7), limited(3), fine], { isRead: false })
    const response = await ask(new Request('http://catalog.test/v1/keys/signup', { method: 'POST', body: 'mine' }))
    expect([response.status, await response.text()]).toEqual([200, '{"items":[]}'])
    expect([waits, bodies]).toEqual([
      [7, 3],
      ['mine', 'mine', 'mine'],
    ])
  })

  test.each([
    ['whose wait is longer than its bound', [3_600], []],
    ['where the waits of a call together are', [40, 40], [40]],
    ['that comes at every attempt', [1, 1, 1, 1], [1, 1, 1]],
  ])('returns the refusal %s', async (_what, told, waited) => {
    const { ask, bodies, waits } = conversation([...told.map(limited), fine])
    expect((await ask(page())).status).toBe(429)
    expect([bodies.length, waits]).toEqual([told.length, waited])
  })

  test('asks again after a failed connection, but not for what may have been done', async () => {
    const reading = conversation([broken, broken, fine])
    expect((await reading.ask(page())).status).toBe(200)
    const writing = conversation([broken, fine], { isRead: false })
    await expect(writing.ask(page())).rejects.toThrow('unreachable: fetch failed: connect ECONNREFUSED')
    await expect(conversation([broken, broken, broken, broken]).ask(page())).rejects.toBeInstanceOf(CatalogError)
    expect(writing.bodies).toHaveLength(1)
  })

  test('ends its wait when the caller aborts', async () => {
    const caller = new AbortController()
    const { ask, bodies } = conversation([
      () => {
        caller.abort(new Error('closed by the user'))
        return limited(7)()
      },
      fine,
    ])
    await expect(ask(new Request(page(), { signal: caller.signal }))).rejects.toThrow('closed by the user')
    expect(bodies).toHaveLength(1)
    const wait = waitFor(3_600, caller.signal)
    await expect(wait).rejects.toThrow('closed by the user')
  })

  test('takes a body that breaks off for no answer', async () => {
    const cut = () =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode('{"items":['))
            controller.error(new TypeError('terminated'))
          },
        }),
      )
    const { ask, bodies } = conversation([cut, fine])
    expect(await (await ask(page())).text()).toBe('{"items":[]}')
    expect(bodies).toHaveLength(2)
  })

  test('takes an answer that is late for none', async () => {
    const ask = politeFetch({
      fetch: (_request, { signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      limits: { ...RETRY_LIMITS, attemptsMax: 1, timeoutSeconds: 0.01 },
      isRead: () => true,
    })
    await expect(ask(page())).rejects.toThrow('unreachable: expected an answer within 0.01 s')
  })
})

describe('headers', () => {
  const now = Date.parse('2026-11-25T10:00:00Z')
  test.each([
    ['42', 42],
    [' 0 ', 0],
    ['Wed, 25 Nov 2026 10:00:30 GMT', 30],
    ['Wed, 25 Nov 2026 09:00:00 GMT', 0],
    ['soon', null],
    ['', null],
  ])('Retry-After: %j is %j', (value, seconds) => {
    expect(retryAfterOf(new Headers({ 'retry-after': value }), now)).toBe(seconds)
  })

  test('Link names an address by its relation', () => {
    const headers = new Headers({ link: '<https://a.test/errors#x>; rel="help"' })
    headers.append('link', '<https://a.test/v1/feeds?since=2,3>; type="text/plain"; rel=next')
    expect(['help', 'next', 'snapshot'].map((relation) => linkOf(headers, relation))).toEqual([
      'https://a.test/errors#x',
      'https://a.test/v1/feeds?since=2,3',
      null,
    ])
  })
})
