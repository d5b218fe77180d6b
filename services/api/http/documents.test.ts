import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { documentOf, modifiedAt, type RenderedDocument, sendDocument } from './documents.ts'
import type { ApiError } from './errors.ts'

const LONG = documentOf(JSON.stringify(Array.from({ length: 200 }, (_, i) => ({ cement: i }))), {
  'content-type': 'application/json',
  'content-location': '/elsewhere',
})
const SHORT = documentOf('{"short":true}', {})

/** Sends the document to a caller with these headers; returns the reply and the number of charges. */
async function sent(document: RenderedDocument, headers: Record<string, string> = {}) {
  const answer = {
    status: 200,
    headers: {} as Record<string, string>,
    body: undefined as Buffer | undefined,
    charges: 0,
  }
  const reply = {
    header: (name: string, value: string) => {
      answer.headers[name] = value
      return reply
    },
    hasHeader: (name: string) => name in answer.headers,
    headers: (more: Record<string, string>) => {
      Object.assign(answer.headers, more)
      return reply
    },
    code: (status: number) => {
      answer.status = status
      return reply
    },
    send: (body?: Buffer) => {
      answer.body = body
      return reply
    },
  }
  const request = {
    headers,
    charge: async () => {
      answer.charges++
    },
  }
  await sendDocument(request as unknown as FastifyRequest, reply as unknown as FastifyReply, document)
  return answer
}

test('equal bytes have equal entity tags, different bytes different ones', () => {
  expect(documentOf('a', {}).etag).toBe(documentOf('a', { link: 'x' }).etag)
  expect(documentOf('a', {}).etag).not.toBe(documentOf('b', {}).etag)
})

test('each coding has its own bytes and strong tag, and all decode to the same document', async () => {
  const plain = await sent(LONG)
  const br = await sent(LONG, { 'accept-encoding': 'gzip, br' })
  const gzip = await sent(LONG, { 'accept-encoding': 'gzip' })
  expect([plain, br, gzip].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'br', 'gzip'])
  expect(new Set([plain, br, gzip].map(({ headers }) => headers.etag)).size).toBe(3)
  for (const { headers } of [plain, br, gzip]) expect(headers.etag).toMatch(/^"[\w-]+"$/)
  expect(brotliDecompressSync(br.body as Buffer)).toEqual(LONG.bytes)
  expect(gunzipSync(gzip.body as Buffer)).toEqual(LONG.bytes)
  expect((br.body as Buffer).length).toBeLessThan(LONG.bytes.length / 2)
})

test('a document is compressed once per coding, even under concurrent requests', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => sent(LONG, { 'accept-encoding': 'br' })))
  for (const { body } of answers) expect(body).toBe(answers[0]?.body)
})

test('a short body is sent uncompressed unless identity is refused', async () => {
  expect((await sent(SHORT, { 'accept-encoding': 'br' })).headers['content-encoding']).toBeUndefined()
  const refused = await sent(SHORT, { 'accept-encoding': 'br, identity;q=0' })
  expect(brotliDecompressSync(refused.body as Buffer)).toEqual(SHORT.bytes)
})

test('a caller that refuses every coding gets 406, free of charge', async () => {
  await expect(sent(LONG, { 'accept-encoding': 'identity;q=0, zstd' })).rejects.toMatchObject({
    code: 'not_acceptable',
  } satisfies Partial<ApiError>)
})

const tag = LONG.etag.slice(1, -1)
test.each([
  [`"${tag}"`, {}],
  [`"${tag}"`, { 'accept-encoding': 'br' }],
  [`"${tag}-br"`, { 'accept-encoding': 'br' }],
  [`"${tag}-br"`, {}],
  [`"${tag}-gzip"`, { 'accept-encoding': 'br' }],
  [`W/"${tag}"`, {}],
  [`"other", W/"${tag}-br"`, { 'accept-encoding': 'br' }],
  [`"other","${tag}"`, {}],
])(
  'If-None-Match: %s matches (%j): 304 with that tag, free of charge and without a body',
  async (ifNoneMatch, headers) => {
    const answer = await sent(LONG, { 'if-none-match': ifNoneMatch, ...headers })
    expect([answer.status, answer.body, answer.charges]).toEqual([304, undefined, 0])
    expect(ifNoneMatch).toContain(answer.headers.etag)
    expect(answer.headers).toEqual({
      etag: answer.headers.etag,
      'cache-control': 'public, no-cache',
      'content-location': '/elsewhere',
      vary: 'Accept-Encoding',
    })
  },
)

test('If-None-Match: * matches any document, and answers with the tag of the negotiated form', async () => {
  const answer = await sent(LONG, { 'if-none-match': '*', 'accept-encoding': 'gzip' })
  expect([answer.status, answer.headers.etag]).toEqual([304, `"${tag}-gzip"`])
})

test.each(['"other"', '"other", W/"another"', tag, '', `"${tag}-zstd"`, '"*"'])(
  'If-None-Match: %s does not match: 200, charged once',
  async (ifNoneMatch) => {
    const answer = await sent(LONG, { 'if-none-match': ifNoneMatch })
    expect([answer.status, answer.body, answer.charges]).toEqual([200, LONG.bytes, 1])
  },
)

test('shared caches must not store a document that a keyed request received', async () => {
  const answer = await sent(LONG, { authorization: 'Bearer svc_pub_x' })
  expect(answer.headers['cache-control']).toBe('private, no-cache')
})

test('an error from a refused charge carries no ETag of the document', async () => {
  const headers: Record<string, string> = {}
  const reply = {
    hasHeader: () => false,
    header: (name: string, value: string) => Object.assign(headers, { [name]: value }),
  }
  const request = {
    headers: { 'if-none-match': '"other"' },
    charge: async () => {
      throw new Error('rate limited')
    },
  }
  const sending = sendDocument(request as unknown as FastifyRequest, reply as unknown as FastifyReply, LONG)
  await expect(sending).rejects.toThrow('rate limited')
  expect(headers).toEqual({ vary: 'Accept-Encoding' })
})

const NOON = Date.parse('2026-11-20T12:00:00Z')
/** Renders a document `renderedMs` after noon; `dateAfter` reads its Last-Modified at a later time. */
function dated(renderedMs: number) {
  let atMs = NOON + renderedMs
  const modified = modifiedAt({ beganMs: atMs, renderedMs: atMs }, () => new Date(atMs))
  const document = { ...documentOf('a', {}), modified, cachedAs: { key: 'a', serial: 1 } }
  return {
    document,
    dateAfter: (milliseconds: number) => {
      atMs = NOON + renderedMs + milliseconds
      return modified.date()
    },
  }
}

test('a Last-Modified of these bytes matches once it has settled, and If-None-Match takes precedence', async () => {
  const { document, dateAfter } = dated(300)
  const date = dateAfter(5_000)
  expect(date).toBe('Fri, 20 Nov 2026 12:00:01 GMT')
  expect((await sent(document)).headers['last-modified']).toBe(date)
  expect((await sent(document, { 'if-modified-since': date })).status).toBe(304)
  expect((await sent(document, { 'if-modified-since': date, 'if-none-match': '"other"' })).status).toBe(200)
  expect((await sent(document, { 'if-modified-since': date, 'if-none-match': document.etag })).status).toBe(304)
})

test('a Last-Modified of other bytes never matches, however soon another server replaced them', () => {
  for (let firstMs = 0; firstMs < 1_000; firstMs += 111) {
    for (let replacedMs = 1; replacedMs < 5_000; replacedMs += 130) {
      // The second server's clock runs ahead of the first one's, or runs behind while that server sees changes sooner.
      for (const behindMs of [-1_500, 0, 700, 1_300, 1_990]) {
        const first = dated(firstMs)
        const { modified } = dated(firstMs + replacedMs - behindMs).document
        const dates = new Set([first.dateAfter(0), first.dateAfter(replacedMs / 2), first.dateAfter(replacedMs)])
        expect([firstMs, replacedMs, behindMs, [...dates].filter(modified.isProvenBy)]).toEqual([
          firstMs,
          replacedMs,
          behindMs,
          [],
        ])
      }
    }
  }
})

test.each(['', 'yesterday', 'Fri, 20 Nov 2036 12:00:00 GMT', 'Thu, 19 Nov 2026 12:00:00 GMT', '2036'])(
  'If-Modified-Since: %s does not match',
  async (date) => {
    expect((await sent(dated(0).document, { 'if-modified-since': date })).status).toBe(200)
  },
)
