import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { sha256Bytes, sha256Hex } from '@catalog/core/digest.ts'
import { EmbedderUnavailable } from '@catalog/embed/embed.ts'
import { cosine, describeEmbedder } from '@catalog/stack/conformance/embedder.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type HttpOptions, openHttpEmbedder } from './http.ts'
import { type Kind, REQUEST_LIMITS } from './provider.ts'

const DIMS = 16
const KEY = 'sk-secret-0123456789'
/** For a provider that does not answer. */
const REQUEST_TIMEOUT_MS = 300
const SHORT_TIMEOUTS = {
  query: { ...REQUEST_LIMITS.query, requestTimeoutMs: REQUEST_TIMEOUT_MS },
  document: { ...REQUEST_LIMITS.document, requestTimeoutMs: REQUEST_TIMEOUT_MS },
}

type SentRequest = Readonly<{ texts: readonly string[]; headers: IncomingHttpHeaders; body: Record<string, unknown> }>
/** Responds instead of the provider; 'none' lets the provider respond. */
type Fault = (texts: readonly string[], response: ServerResponse, place: number) => unknown

let url: string
let requests: SentRequest[]
let fault: Fault
const none: Fault = () => 'none'
const texts = () => requests.map((request) => request.texts)

/** A server with the embeddings API. */
const server = createServer(async (request, response) => {
  const body = JSON.parse((await request.setEncoding('utf8').toArray()).join('')) as Record<string, unknown>
  const input = body.input as string[]
  requests.push({ texts: input, headers: request.headers, body })
  if (request.url !== '/v1/embeddings?api-version=1') response.writeHead(404).end()
  else if (fault(input, response, requests.length) === 'none') json(response, answerTo(input))
})
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/?api-version=1`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** A distinct vector for each text, not of unit length. */
const rawVector = (text: string) => Array.from(sha256Bytes(text).subarray(0, DIMS), (byte) => byte - 127.5)
const answerTo = (input: readonly string[]) => ({
  object: 'list',
  data: input.map((text, index) => ({ object: 'embedding', index, embedding: rawVector(text) as unknown })),
  usage: { prompt_tokens: 3 * input.length, total_tokens: 3 * input.length },
})
function json(response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
const refusal =
  (status: number, headers: Record<string, string> = {}): Fault =>
  (_, response) =>
    json(response, { error: { message: `no, ${KEY} is not welcome` } }, status, headers)
/** The faults in turn, then none. */
const inTurn =
  (...faults: Fault[]): Fault =>
  (input, response, place) =>
    (faults[place - 1] ?? none)(input, response, place)

/** The embedder's dependencies, under the test's control. */
let nowMs: number
let slept: number[]
let spent: number
let tokensMax: number
let cached: Map<string, Float32Array>
beforeEach(() => {
  ;[requests, fault, nowMs, slept, spent, tokensMax, cached] = [[], none, 1_000, [], 0, 1_000_000, new Map()]
})

function open(given: Partial<HttpOptions> = {}) {
  return openHttpEmbedder({
    url,
    key: KEY,
    model: 'a-model',
    revision: '',
    dims: DIMS,
    sendDims: false,
    prefixes: { query: '', document: '' },
    budget: {
      async reserve(tokens) {
        if (spent + tokens > tokensMax) return { emptyForSeconds: 3_600 }
        spent += tokens
        return {
          settle: async (actual) => {
            spent += actual - tokens
          },
        }
      },
    },
    openCache: () => ({
      read: async (shas) => new Map(shas.flatMap((sha) => (cached.has(sha) ? [[sha, cached.get(sha) as never]] : []))),
      save: async (vectors) => {
        for (const [sha, vector] of vectors) cached.set(sha, vector)
      },
    }),
    now: () => nowMs,
    sleep: async (ms) => {
      slept.push(ms)
      // Whole milliseconds add up exactly.
      nowMs += Math.ceil(ms)
    },
    limits: {
      query: { ...REQUEST_LIMITS.query, requestTimeoutMs: 20_000, callTimeoutMs: 60_000 },
      document: REQUEST_LIMITS.document,
    },
    ...given,
  })
}
async function failing(kind: Kind = 'document', embedder = open()): Promise<EmbedderUnavailable> {
  const error = await embedder.embed(['Fenster'], kind).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(EmbedderUnavailable)
  return error as EmbedderUnavailable
}

describeEmbedder('HTTP', async () => open())

describe('a request', () => {
  test('sends model, texts and key to /embeddings of the base address', async () => {
    const [vector] = await open().embed(['Ready-mixed concrete'], 'document')
    expect(requests).toHaveLength(1)
    expect(requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
    expect(requests[0]?.body).toEqual({ model: 'a-model', input: ['Ready-mixed concrete'], encoding_format: 'float' })
    const raw = Float32Array.from(rawVector('Ready-mixed concrete'))
    expect(cosine(vector, raw) / Math.sqrt(cosine(raw, raw))).toBeCloseTo(1, 5)
  })

  test('names the dimensions with sendDims, and has no authorization without a key', async () => {
    await open({ sendDims: true, key: null }).embed(['Fenster'], 'query')
    expect(requests[0]?.body.dimensions).toBe(DIMS)
    expect(requests[0]?.headers.authorization).toBeUndefined()
  })

  test('starts each text with the prefix of its kind', async () => {
    const embedder = open({ prefixes: { query: 'query: ', document: 'passage: ' } })
    await embedder.embed(['Fenster'], 'query')
    await embedder.embed(['Fenster'], 'document')
    expect(texts()).toEqual([['query: Fenster'], ['passage: Fenster']])
  })

  test.each(['12,5', 'B500S', '--- ///', '', '12 34'])('is not sent for %j, which has no vector', async (text) => {
    expect(await open().embed([text], 'query')).toEqual([null])
    expect(requests).toEqual([])
  })

  test('has each text once, in any script, cut to its maximum length', async () => {
    const long = `${'a'.repeat(999)}💧 b`
    const [first, second, third, cut] = await open().embed(['セメント', 'Fenster', 'セメント', long], 'document')
    expect(texts()).toEqual([['セメント', 'Fenster', `${'a'.repeat(999)}\ufffd`]])
    expect(third).toEqual(first)
    expect(second).not.toEqual(first)
    expect(cut).toHaveLength(DIMS)
  })

  test('is cut into batches by number and by characters', async () => {
    const names = Array.from({ length: 300 }, (_, i) => `Tubo ${i}`)
    expect(await open().embed(names, 'document')).toHaveLength(300)
    expect(texts().map((batch) => batch.length)).toEqual([128, 128, 44])
    requests = []
    await open().embed(
      names.slice(0, 100).map((name) => name.padEnd(900, 'x')),
      'document',
    )
    expect(texts().map((batch) => batch.length)).toEqual([35, 35, 30])
  })

  test('follows no redirect, so that no other address gets the key', async () => {
    let reached = 0
    const other = createServer((_, response) => {
      reached++
      response.end()
    }).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/v1/embeddings`
    fault = (_, response) => response.writeHead(307, { location }).end()
    expect((await failing()).message).toContain('status 307: redirects are not followed')
    expect([requests.length, reached]).toEqual([1, 0])
    other.close()
  })
})

test('the fingerprint changes with everything that changes vectors, but not with address or key', () => {
  const base = open().fingerprint
  expect(base).toMatch(/^http\/1\/a-model\/16\/[0-9a-f]{12}$/)
  expect(open({ url: 'http://10.0.0.1/v1', key: null }).fingerprint).toBe(base)
  const others = [
    open({ model: 'b-model' }),
    open({ dims: 8 }),
    open({ sendDims: true }),
    open({ revision: '2' }),
    open({ prefixes: { query: 'q: ', document: '' } }),
  ]
  expect(new Set([base, ...others.map(({ fingerprint }) => fingerprint)]).size).toBe(others.length + 1)
})

describe('an answer', () => {
  const entry = (index: number, embedding: unknown) => ({ index, embedding })
  const good = (index: number) => entry(index, rawVector(`text ${index}`))
  const NOT_A_NUMBER = 'not a number'

  test('is sorted by its indices', async () => {
    fault = (input, response) => json(response, { ...answerTo(input), data: answerTo(input).data.toReversed() })
    const [first] = await open().embed(['Fenster', 'Beton', 'Ziegel'], 'document')
    fault = none
    cached.clear()
    expect([first]).toEqual(await open().embed(['Fenster'], 'document'))
  })

  test.each<[string, unknown]>([
    ['null', null],
    ['zero', Array(DIMS).fill(0)],
    ['null among its components', [null, ...Array(DIMS - 1).fill(1)]],
    ['text', 'AAAA'],
    ['of other dimensions', [1, 2, 3]],
    ['too large to have a length', Array(DIMS).fill(1e200)],
    ["Python's NaN", [NOT_A_NUMBER, ...Array(DIMS - 1).fill(0.5)]],
  ])('that is %s for one text leaves that text without a vector', async (_, embedding) => {
    fault = (_input, response) => {
      const body = JSON.stringify({ data: [good(0), entry(1, embedding)] }).replace(`"${NOT_A_NUMBER}"`, 'NaN')
      response.writeHead(200).end(body)
    }
    const [first, second] = await open().embed(['Fenster', 'Beton'], 'document')
    expect(first).toHaveLength(DIMS)
    expect(second).toBeNull()
    expect(cached.size).toBe(1)
  })

  test('of null for a query gives no vector, so that search uses its words', async () => {
    fault = (_input, response) => json(response, { data: [entry(0, null)] })
    expect(await open().embed(['Fenster'], 'query')).toEqual([null])
    expect(requests).toHaveLength(1)
  })

  test.each<[string, unknown, string]>([
    ['too few', { data: [good(0)] }, '1 embeddings for 2 texts'],
    ['too many', { data: [good(0), good(1), good(2)] }, '3 embeddings for 2 texts'],
    ['two of one index', { data: [good(0), good(0)] }, 'with index 0'],
    ['an index that was not requests for', { data: [good(0), good(2)] }, 'with index 2'],
    ['none that can be used', { data: [entry(0, null), entry(1, null)] }, 'none of 2 embeddings can be used'],
    ['something else', { data: 'soon' }, 'no list of embeddings'],
  ])('with %s is a failure', async (_, body, reason) => {
    fault = (_input, response) => json(response, body)
    await expect(open().embed(['Fenster', 'Beton'], 'document')).rejects.toThrow(reason)
    expect(requests).toHaveLength(5)
    expect(cached.size).toBe(0)
  })

  test.each<Kind>(['query', 'document'])(
    'of other dimensions for a %s says so, and is not requests for again',
    async (kind) => {
      fault = (_input, response) => json(response, { data: [entry(0, [1, 2, 3])] })
      const error = await failing(kind)
      expect(error.message).toContain('embeddings of 3 dimensions, expected 16 (EMBEDDINGS_DIMS)')
      expect(error.retryAfterSeconds).toBe(60)
      expect(requests).toHaveLength(1)
    },
  )

  test.each<[string, Fault]>([
    ['no JSON', (_input, response) => response.writeHead(200).end('<html>welcome</html>')],
    ['half a body', halfABody],
    ['a body that is cut off and has no length', cutOff],
  ])('that is %s is requested again', async (_, broken) => {
    fault = inTurn(broken, broken)
    expect((await open().embed(['Fenster'], 'document'))[0]).toHaveLength(DIMS)
    expect(requests).toHaveLength(3)
    fault = broken
    await failing('query')
  })

  test('that never ends is cut off when it is too large', async () => {
    fault = (_input, response) => {
      response.writeHead(200)
      const chunk = Buffer.alloc(1024 * 1024, ' ')
      const more = () => {
        if (!response.destroyed && response.write(chunk)) setImmediate(more)
      }
      response.on('drain', more).on('error', () => {})
      more()
    }
    const limits = {
      ...REQUEST_LIMITS,
      document: { ...REQUEST_LIMITS.document, requestTimeoutMs: 20_000, retriesMax: 0 },
    }
    expect((await failing('document', open({ limits }))).message).toContain('more than 33554432 bytes')
  })
})

function halfABody(input: readonly string[], response: ServerResponse): void {
  const body = JSON.stringify(answerTo(input))
  response.writeHead(200, { 'content-length': body.length })
  response.write(body.slice(0, body.length / 2), () => response.destroy())
}
function cutOff(input: readonly string[], response: ServerResponse): void {
  response.writeHead(200, { connection: 'close' })
  response.end(JSON.stringify(answerTo(input)).slice(0, -20))
}

describe('a provider that fails', () => {
  test.each([500, 502, 503, 429, 408])('with %i is retried with growing delays', async (status) => {
    fault = inTurn(refusal(status), refusal(status), refusal(status))
    expect((await open().embed(['Fenster'], 'document'))[0]).toHaveLength(DIMS)
    expect(requests).toHaveLength(4)
    const [first, second, third] = slept as [number, number, number]
    for (const [waited, base] of [
      [first, 250],
      [second, 500],
      [third, 1_000],
    ] as const) {
      expect(waited).toBeGreaterThanOrEqual(base / 2)
      expect(waited).toBeLessThanOrEqual(base)
    }
    expect(spent).toBe(3)
  })

  test.each<[string, Fault[], number[]]>([
    [
      'after its Retry-After',
      [refusal(429, { 'retry-after': '7' }), refusal(503, { 'retry-after': '0.5' })],
      [7_000, 500],
    ],
    [
      'at the instant of its Retry-After, by its own clock',
      [refusal(429, { date: 'Sun, 06 Nov 2033 08:49:37 GMT', 'retry-after': 'Sun, 06 Nov 2033 08:49:41 GMT' })],
      [4_000],
    ],
  ])('is retried %s', async (_when, faults, pauses) => {
    fault = inTurn(...faults)
    expect((await open().embed(['Fenster'], 'document'))[0]).toHaveLength(DIMS)
    expect(slept).toEqual(pauses)
  })

  test('gets no request for a long Retry-After', async () => {
    fault = refusal(429, { 'retry-after': '90' })
    const embedder = open()
    expect((await failing('query', embedder)).retryAfterSeconds).toBe(90)
    nowMs += 30_000
    expect((await failing('query', embedder)).retryAfterSeconds).toBe(60)
    expect(requests).toHaveLength(1)
    // The other kind has its own circuit breaker.
    fault = none
    await embedder.embed(['Fenster'], 'document')
    nowMs += 60_000
    expect((await embedder.embed(['Fenster'], 'query'))[0]).toHaveLength(DIMS)
  })

  test.each<[string, Fault, Kind, number, number]>([
    [
      'a Retry-After of a week is asked within the hour',
      refusal(503, { 'retry-after': '604800' }),
      'document',
      3_600,
      1,
    ],
    ['a permanent 401 is not retried', refusal(401), 'document', 60, 1],
    ['a permanent 403 is not retried', refusal(403), 'document', 60, 1],
    ['a permanent 404 is not retried', refusal(404), 'document', 60, 1],
    ["500 gets two attempts for a query, within a reader's patience", refusal(500), 'query', 5, 2],
  ])('with %s', async (_what, given, kind, retryAfterSeconds, attempts) => {
    fault = given
    expect((await failing(kind)).retryAfterSeconds).toBe(retryAfterSeconds)
    expect([requests.length, spent]).toEqual([attempts, 0])
  })

  test('by a timeout is retried', async () => {
    fault = inTurn(() => {})
    const embedder = open({ limits: SHORT_TIMEOUTS })
    expect((await embedder.embed(['Fenster'], 'document'))[0]).toHaveLength(DIMS)
    expect(requests.length).toBeGreaterThan(1)
    fault = () => {}
    expect((await failing('query', embedder)).message).toContain(`no answer within ${REQUEST_TIMEOUT_MS} ms`)
  })

  test('by silence costs a reader a second, and the sixth reader no time', async () => {
    fault = () => {}
    const embedder = open({ limits: REQUEST_LIMITS })
    const begun = performance.now()
    expect((await failing('query', embedder)).retryAfterSeconds).toBe(5)
    // Room for a busy machine.
    expect(performance.now() - begun).toBeLessThan(2_000)
    await Promise.all([1, 2, 3, 4].map(() => failing('query', embedder)))
    const sent = requests.length
    expect((await failing('query', embedder)).message).toContain('next attempt in')
    expect(requests.length).toBe(sent)
  })

  test('by silence is awaited as long for each query of a batch', async () => {
    fault = () => {}
    const embedder = open({ limits: { ...SHORT_TIMEOUTS, query: { ...SHORT_TIMEOUTS.query, requestTimeoutMs: 2 } } })
    // More than one request holds.
    const queries = Array.from({ length: 150 }, (_, i) => `Fenster ${i}`)
    await expect(embedder.embed(queries, 'query')).rejects.toThrow('no answer within 300 ms')
  })

  test('by a slow drip is abandoned at the end of the call', async () => {
    fault = (_input, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(drip))
    }
    const query = { ...REQUEST_LIMITS.query, requestTimeoutMs: 20_000, callTimeoutMs: 200 }
    expect((await failing('query', open({ limits: { ...REQUEST_LIMITS, query } }))).message).toContain(
      'no answer in time',
    )
  })

  test('by refusing connections costs no tokens', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as AddressInfo
    closed.close()
    await once(closed, 'close')
    const error = await failing('document', open({ url: `http://127.0.0.1:${port}/v1` }))
    expect(error.message).toMatch(/no connection: .*ECONNREFUSED/)
    expect(slept).toHaveLength(4)
    expect(spent).toBe(0)
  })

  test('opens the breaker after five failures; an answered probe closes it', async () => {
    fault = refusal(500)
    const embedder = open()
    for (let i = 0; i < 3; i++) await failing('query', embedder)
    expect(requests).toHaveLength(5)
    expect((await failing('query', embedder)).message).toContain('next attempt in 5 s')
    expect(requests).toHaveLength(5)

    nowMs += 5_000
    await failing('query', embedder)
    expect(requests).toHaveLength(6)
    nowMs += 5_000
    expect((await failing('query', embedder)).retryAfterSeconds).toBe(5)
    expect(requests).toHaveLength(6)

    nowMs += 5_000
    fault = none
    expect((await embedder.embed(['Fenster'], 'query'))[0]).toHaveLength(DIMS)
    fault = refusal(500)
    await embedder.embed(['Fenster'], 'query')
    await expect(embedder.embed(['Beton'], 'query')).rejects.toThrow('status 500')
    expect(requests).toHaveLength(9)
  })

  test('gets one probe at a time', async () => {
    const embedder = open()
    fault = refusal(500)
    for (let i = 0; i < 3; i++) await failing('query', embedder)
    nowMs += 5_000
    const held = Promise.withResolvers<() => void>()
    fault = (input, response) => held.resolve(() => json(response, answerTo(input)))
    const trying = embedder.embed(['Fenster'], 'query')
    const answer = await held.promise
    await expect(embedder.embed(['Beton'], 'query')).rejects.toThrow('next attempt in 5 s')
    answer()
    expect((await trying)[0]).toHaveLength(DIMS)
    fault = none
    expect((await embedder.embed(['Beton'], 'query'))[0]).toHaveLength(DIMS)
  })

  test.each<[string, Fault]>([
    ['a refusal that repeats it', refusal(401)],
    ['a redirect', (_input, response) => response.writeHead(302, { location: '/elsewhere' }).end()],
    ['half a body', halfABody],
    ['no answer', () => {}],
  ])('by %s leaks no key', async (_, broken) => {
    fault = broken
    const error = await failing('query', open({ limits: SHORT_TIMEOUTS }))
    expect(inspect(error, { depth: 9, showHidden: true, getters: true })).not.toContain('secret')
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('secret')
  })
})

test('a key that is invalid in a header is refused without being quoted', () => {
  expect(() => open({ key: 'sk-secret\n' })).toThrow(/^the key of the embeddings provider: expected visible ASCII/)
})

describe('texts that the provider refuses', () => {
  test('are halved until only the refused text lacks a vector', async () => {
    fault = (input, response) => (input.includes('Verboten') ? refusal(400)(input, response, 0) : 'none')
    const names = ['Fenster', 'Beton', 'Verboten', 'Ziegel']
    const vectors = await open().embed(names, 'document')
    expect(vectors.map((vector) => vector?.length ?? null)).toEqual([DIMS, DIMS, null, DIMS])
    expect(texts()).toEqual([names, ['Fenster', 'Beton'], ['Verboten', 'Ziegel'], ['Verboten'], ['Ziegel']])
    expect(spent).toBe(9)
  })

  test('are distinguished by a probe text from a provider that refuses all', async () => {
    fault = (input, response) => (input.includes('Verboten') ? refusal(422)(input, response, 0) : 'none')
    expect(await open().embed(['Verboten'], 'document')).toEqual([null])
    expect(texts()).toEqual([['Verboten'], ['concrete']])
    fault = refusal(400)
    expect((await failing()).message).toMatch(/refuses any text: status 400/)
  })

  test('because they are too many shrink all later batches', async () => {
    fault = (input, response) => (input.length > 32 ? refusal(413)(input, response, 0) : 'none')
    const names = Array.from({ length: 128 }, (_, i) => `Tubo ${i}`)
    const embedder = open()
    for (const vector of await embedder.embed(names, 'document')) expect(vector).toHaveLength(DIMS)
    requests = []
    await embedder.embed(
      names.map((name) => `${name} verde`),
      'document',
    )
    expect(texts().map((batch) => batch.length)).toEqual([32, 32, 32, 32])
  })
})

describe('the budget', () => {
  test("is charged the provider's count, or the reservation without one", async () => {
    await open().embed(['Fenster', 'Beton'], 'document')
    expect(spent).toBe(6)
    fault = (input, response) => json(response, { data: answerTo(input).data })
    await open().embed(['Ziegel'], 'query')
    expect(spent).toBe(6 + 'Ziegel'.length + 8)
  })

  test('is checked before a request, by its maximum cost', async () => {
    tokensMax = 'Fenster'.length + 7
    const error = await failing('query')
    expect(error.message).toContain('token budget of this month is spent')
    expect(error.retryAfterSeconds).toBe(3_600)
    expect(requests).toEqual([])
    tokensMax++
    expect((await open().embed(['Fenster'], 'query'))[0]).toHaveLength(DIMS)
  })

  test('is charged for an answer lost in transit', async () => {
    fault = inTurn(halfABody)
    await open().embed(['Fenster'], 'document')
    expect(spent).toBe('Fenster'.length + 8 + 3)
  })
})

describe('an embedded text', () => {
  test('is not sent again as a document by any process with the cache', async () => {
    const [first] = await open().embed(['Fenster'], 'document')
    expect([...cached.keys()]).toEqual([sha256Hex('Fenster')])
    const [again, other] = await open().embed(['Fenster', 'Beton'], 'document')
    expect(again).toEqual(first)
    expect(other).toHaveLength(DIMS)
    expect(texts()).toEqual([['Fenster'], ['Beton']])
  })

  test('is cached as a query in this process only', async () => {
    const embedder = open()
    await embedder.embed(['Fenster'], 'query')
    await embedder.embed(['Fenster'], 'query')
    expect(texts()).toEqual([['Fenster']])
    expect(cached.size).toBe(0)
    await open().embed(['Fenster'], 'query')
    expect(requests).toHaveLength(2)
  })

  test('stays cached when another batch of the call fails', async () => {
    fault = (input, response) => (input.includes('Tubo 200') ? refusal(401)(input, response, 0) : 'none')
    const names = Array.from({ length: 256 }, (_, i) => `Tubo ${i}`)
    await expect(open().embed(names, 'document')).rejects.toThrow('status 401')
    expect(cached.size).toBe(128)
  })
})

test('a query does not wait behind documents, which have at most two concurrent requests', async () => {
  const held: (() => void)[] = []
  const two = Promise.withResolvers<void>()
  fault = (input, response) => {
    if (input.includes('Fenster')) return 'none'
    if (held.push(() => json(response, answerTo(input))) === 2) two.resolve()
  }
  const limits = { ...REQUEST_LIMITS, document: { ...REQUEST_LIMITS.document, requestTimeoutMs: 20_000 } }
  const embedder = open({ limits })
  const documents = embedder.embed(
    Array.from({ length: 600 }, (_, i) => `Tubo ${i}`),
    'document',
  )
  await two.promise
  expect((await embedder.embed(['Fenster'], 'query'))[0]).toHaveLength(DIMS)
  expect(held).toHaveLength(2)
  fault = none
  for (const release of held) release()
  expect(await documents).toHaveLength(600)
})

test('an aborting signal ends a call under way, with its reason', async () => {
  const stopping = new AbortController()
  fault = () => stopping.abort(new Error('asked to stop'))
  await expect(open().embed(['Fenster'], 'document', stopping.signal)).rejects.toThrow('asked to stop')
  expect(requests).toHaveLength(1)
})
