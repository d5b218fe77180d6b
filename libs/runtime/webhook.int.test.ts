import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openWebhook, signatureOf, type WebhookOptions } from './webhook.ts'

type Received = Readonly<{ path: string; headers: IncomingHttpHeaders; body: string }>
let received: Received[] = []
/** The statuses of the next answers; then 204. `silent` answers nothing. */
let answers: (number | 'silent')[] = []
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  received.push({ path: request.url ?? '', headers: request.headers, body })
  const answer = answers.shift() ?? 204
  if (answer === 'silent') return
  response.writeHead(answer, answer === 302 ? { location: `http://127.0.0.1:${portOf()}/inside` } : {})
  response.end('a secret of the receiver')
})
const portOf = () => (server.address() as AddressInfo).port
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  received = []
  answers = []
})

const SECRET = 'a-secret-of-the-operator'
const hook = (more: Partial<WebhookOptions> = {}) =>
  openWebhook({
    url: `http://127.0.0.1:${portOf()}/hooks/token-in-the-path`,
    secret: SECRET,
    allowed: ['127.0.0.0/8'],
    now: () => new Date('2026-03-20T00:00:00Z'),
    random: () => 0,
    timing: { attemptMs: 300, delayMs: 1 },
    ...more,
  })
const EVENT = { type: 'crawl.held', subject: 'src_1 crawl-1', data: { source_id: 'src_1' } }

describe('a webhook', () => {
  test('delivers an event with its signature, time and id', async () => {
    const delivery = await hook().post(EVENT)
    expect(delivery).toMatchObject({ isDelivered: true, attempts: 1, problem: null })
    const [{ headers, body }] = received as [Received]
    expect(JSON.parse(body)).toEqual({
      id: delivery.id,
      type: 'crawl.held',
      created_at: '2026-03-20T00:00:00.000Z',
      source_id: 'src_1',
    })
    expect(headers['catalog-timestamp']).toBe('1773964800')
    expect(headers['catalog-signature']).toBe(signatureOf(SECRET, { timestamp: '1773964800', body }))
    expect(headers['catalog-signature']).not.toBe(signatureOf('another', { timestamp: '1773964800', body }))
    expect(headers['idempotency-key']).toBe(delivery.id)
  })

  test.each([500, 503, 429, 408, 'silent'] as const)('repeats after %s under one id', async (fault) => {
    answers = [fault, fault]
    const delivery = await hook().post(EVENT)
    expect(delivery).toMatchObject({ isDelivered: true, attempts: 3 })
    expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  })

  test('gives up after four attempts, and says no secret', async () => {
    answers = [500, 500, 500, 500]
    const delivery = await hook().post(EVENT)
    expect(delivery).toMatchObject({
      isDelivered: false,
      attempts: 4,
      problem: 'the receiver answered 500; expected 200 to 299',
    })
    expect(JSON.stringify(delivery)).not.toMatch(/secret|token/)
  })

  test('does not repeat what will not pass', async () => {
    answers = [404]
    expect(await hook().post(EVENT)).toMatchObject({ isDelivered: false, attempts: 1 })
  })

  test('follows no redirect', async () => {
    answers = [302]
    expect(await hook().post(EVENT)).toMatchObject({ isDelivered: false, attempts: 1 })
    expect(received.map(({ path }) => path)).toEqual(['/hooks/token-in-the-path'])
  })

  test('reaches no private address unless the operator allows it', async () => {
    const delivery = await hook({ allowed: [] }).post(EVENT)
    expect(delivery).toMatchObject({ isDelivered: false, attempts: 1 })
    expect(delivery.problem).toMatch(/ALERT_ALLOWED_NETWORKS/)
    expect(received).toEqual([])
  })

  test('reports a receiver that cannot be reached', async () => {
    const closed = createServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const delivery = await hook({ url: `http://127.0.0.1:${port}/` }).post(EVENT)
    expect(delivery).toMatchObject({ isDelivered: false, attempts: 4, problem: 'the receiver cannot be reached' })
  })

  test('ends with its signal', async () => {
    const stopping = new AbortController()
    answers = ['silent']
    const posted = hook({ signal: stopping.signal, timing: { attemptMs: 60_000, delayMs: 1 } }).post(EVENT)
    stopping.abort(new Error('stopped'))
    await expect(posted).rejects.toThrow('stopped')
  })
})
