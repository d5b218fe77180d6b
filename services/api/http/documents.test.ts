import { DAY_MS } from '@catalog/core/time.ts'
import fc from 'fast-check'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { documentOf, modifiedAt, type RenderedDocument, sendDocument, unchangedSince } from './documents.ts'

const LONG = documentOf(JSON.stringify(Array.from({ length: 200 }, (_, i) => ({ cement: i }))), {
  'content-type': 'application/json',
  'content-location': '/elsewhere',
})

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

test('a document is compressed once per coding, even under concurrent requests', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => sent(LONG, { 'accept-encoding': 'br' })))
  for (const { body } of answers) expect(body).toBe(answers[0]?.body)
})

const tag = LONG.etag.slice(1, -1)
test.each([
  [`"${tag}"`, {}],
  [`"${tag}"`, { 'accept-encoding': 'br' }],
  [`"${tag}-br"`, { 'accept-encoding': 'br' }],
  [`"${tag}-br"`, {}],
  [`"${tag}-gzip"`, { 'accept-encoding': 'br, gzip;q=0.1' }],
  [`"${tag}-gzip"`, { 'accept-encoding': '*' }],
  [`"${tag}"`, { 'accept-encoding': 'br;q=1, gzip' }],
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

test.each([
  [`"${tag}-gzip"`, 'br'],
  [`"${tag}-br"`, 'gzip'],
  [`W/"${tag}-br"`, 'identity'],
  [`"${tag}-gzip"`, ''],
  [`"${tag}-br"`, 'br;q=0, gzip'],
  [`"${tag}"`, 'identity;q=0, br'],
])('If-None-Match: %s of a coding outside Accept-Encoding: %s does not match', async (ifNoneMatch, acceptEncoding) => {
  const answer = await sent(LONG, { 'if-none-match': ifNoneMatch, 'accept-encoding': acceptEncoding })
  expect([answer.status, answer.charges]).toEqual([200, 1])
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
/** A document that changed `changedMs` after noon, in a process whose clock shows `clock.atMs` after noon. */
function dated(changedMs: number, clock: { atMs: number }) {
  const modified = modifiedAt(NOON + changedMs, () => new Date(NOON + clock.atMs))
  return { ...documentOf('a', {}), modified, cachedAs: { key: 'a', serial: 1 } }
}
const httpDate = (ms: number) => new Date(NOON + ms).toUTCString()

test('a date is sent once its second has come, the same by every process and in every coding', async () => {
  const clock = { atMs: 0 }
  const [one, other] = [dated(300, clock), dated(300, clock)]
  const datesOf = async () => {
    const answers = [await sent(one), await sent(other, { 'accept-encoding': 'br, identity;q=0' })]
    return answers.map(({ headers }) => headers['last-modified'])
  }
  for (clock.atMs of [300, 1_000, 2_999]) expect(await datesOf()).toEqual([undefined, undefined])
  for (clock.atMs of [3_000, 5_000, DAY_MS]) expect(await datesOf()).toEqual([httpDate(3_000), httpDate(3_000)])
})

test('a document that did not change since the date is 304, and If-None-Match takes precedence', async () => {
  const clock = { atMs: DAY_MS }
  const document = dated(300, clock)
  const statusOf = async (headers: Record<string, string>) => (await sent(document, headers)).status
  for (const since of [3_000, 4_000, DAY_MS]) expect(await statusOf({ 'if-modified-since': httpDate(since) })).toBe(304)
  expect(await statusOf({ 'if-modified-since': 'Friday, 20-Nov-26 12:00:03 GMT' })).toBe(304)
  expect(await statusOf({ 'if-modified-since': 'Fri Nov 20 12:00:03 2026' })).toBe(304)
  expect(await statusOf({ 'if-modified-since': httpDate(2_000) })).toBe(200)
  // No server has sent a date that has not come.
  expect(await statusOf({ 'if-modified-since': httpDate(DAY_MS + 1_000) })).toBe(200)
  const since = { 'if-modified-since': httpDate(3_000) }
  expect(await statusOf({ ...since, 'if-none-match': '"other"' })).toBe(200)
  expect(await statusOf({ ...since, 'if-none-match': document.etag })).toBe(304)
})

test('who received other bytes receives these, by their date or by that of the answer, whatever delays and clocks', () => {
  fc.assert(
    fc.property(
      fc.nat(5_000),
      fc.nat(5_000),
      // The change shows late, by less than its date allows, and the clock of that server may be wrong.
      fc.record({ lateMs: fc.nat(1_990), aheadMs: fc.integer({ min: -1_990, max: 1_990 }) }),
      fc.nat(10_000),
      (formerMs, replacedAfterMs, { lateMs, aheadMs }, askedAfterMs) => {
        const changedMs = formerMs + replacedAfterMs + 1
        const receivedMs = changedMs + lateMs + Math.min(aheadMs, 1_990 - lateMs)
        const former = dated(formerMs, { atMs: receivedMs })
        const present = dated(changedMs, { atMs: receivedMs + askedAfterMs })
        for (const since of [former.modified.date(), httpDate(receivedMs)]) {
          expect(since !== undefined && present.modified.isProvenBy(since)).toBe(false)
        }
      },
    ),
  )
})

test('bytes that are alone at their address are unchanged since any date after theirs', () => {
  const modified = unchangedSince(NOON + 999)
  expect(modified.date()).toBe(httpDate(0))
  expect([httpDate(-1_000), httpDate(0), httpDate(1_000), '', 'soon'].map(modified.isProvenBy)).toEqual([
    false,
    true,
    true,
    false,
    false,
  ])
  expect(unchangedSince(Number.NaN).date()).toBeUndefined()
})

test.each([
  '',
  'yesterday',
  '2026',
  '2026-11-20T12:00:05Z',
  'Fri, 20 Nov 2026 12:00:05',
  '5',
  'Thu, 19 Nov 2026 12:00:00 GMT',
])('If-Modified-Since: %s does not match', async (date) => {
  expect((await sent(dated(0, { atMs: DAY_MS }), { 'if-modified-since': date })).status).toBe(200)
})
