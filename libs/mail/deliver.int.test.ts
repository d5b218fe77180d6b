import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { queueMail } from '@catalog/store/accounts/mail.ts'
import type { Store } from '@catalog/store/db.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type DeliverLog, deliverMail } from './deliver.ts'
import { type Mail, MailerUnavailable, MailRefused } from './mail.ts'

const NOON = '2026-11-20T12:00:00Z'
/** Outlasts the slowest test on a busy machine. */
const DEADLINE_MS = 60_000
const POLL_MS = 20

const store = await storeOfFile()
let stopping: AbortController
let delivering: Promise<unknown>[]
/** The mails that the mailer got, and the log's entries. */
let sent: Mail[]
let lines: string[]
beforeEach(async () => {
  await store.query(`truncate mail_outbox restart identity`)
  ;[stopping, delivering, sent, lines] = [new AbortController(), [], [], []]
})
afterEach(async () => {
  stopping.abort()
  await Promise.all(delivering)
})

const note = (fields: object, message: string) => lines.push(JSON.stringify({ ...fields, message }))
function deliver(
  send: (mail: Mail) => Promise<void>,
  given: { store?: Store; drainMs?: number; log?: DeliverLog } = {},
) {
  const mailer = {
    send: async (mail: Mail) => {
      sent.push(mail)
      await send(mail)
    },
    async [Symbol.asyncDispose]() {},
  }
  const { signal } = stopping
  const ended = deliverMail({
    store,
    mailer,
    now: () => new Date(NOON),
    signal,
    log: { info: note, warn: note },
    ...given,
  })
  delivering.push(ended)
  return ended
}
const queue = (name: string) =>
  queueMail(store, { recipient: `${name}@x.org`, subject: name, body: `token=secret-${name}`, at: NOON })
const rows = () =>
  store.query<{
    recipient: string
    body: string | null
    next_at: string | null
    attempts: number
    last_error: string | null
    sent_at: string | null
  }>(`select recipient, body, next_at, attempts, last_error, sent_at from mail_outbox order by mail_id`)
const until = (holds: () => unknown) =>
  vi.waitFor(
    async () => {
      if (!(await holds())) throw new Error(`expected ${holds}; the log says ${lines.join('\n')}`)
    },
    { timeout: DEADLINE_MS, interval: POLL_MS },
  )
const allSent = async () => (await rows()).every(({ sent_at }) => sent_at !== null)

test('queued mail is sent and marked as sent, also when queued later', async () => {
  await queue('ana')
  void deliver(async () => {})
  await until(allSent)
  await queue('ben')
  await until(allSent)
  expect(sent).toMatchObject([
    { id: `1.${Date.parse(NOON)}`, recipient: 'ana@x.org', subject: 'ana', body: 'token=secret-ana', createdAt: NOON },
    { recipient: 'ben@x.org' },
  ])
  expect(lines.join()).not.toMatch(/secret|@x\.org/)
})

test('several senders send each mail once', async () => {
  for (let i = 0; i < 30; i++) await queue(`p${i}`)
  for (let i = 0; i < 3; i++) void deliver(async () => {})
  await until(allSent)
  expect(sent.map(({ subject }) => subject).sort()).toEqual(Array.from({ length: 30 }, (_, i) => `p${i}`).sort())
})

test('an unavailable server delays mail, without losses or counted attempts', async () => {
  for (const name of ['ana', 'ben']) await queue(name)
  let isBack = false
  void deliver(async () => {
    if (!isBack) throw new MailerUnavailable('mx.example.org:587 takes no mail')
  })
  await until(() => sent.length >= 4)
  expect((await rows())[0]).toMatchObject({ last_error: 'mx.example.org:587 takes no mail', sent_at: null })
  isBack = true
  await until(allSent)
  expect((await rows()).map(({ attempts }) => attempts)).toEqual([1, 1])
})

test('an unavailable server gets attempts less and less often', async () => {
  await queue('ana')
  const begun = performance.now()
  void deliver(async () => {
    throw new MailerUnavailable('away')
  })
  await until(() => sent.length >= 3)
  expect(performance.now() - begun).toBeGreaterThan(2_900)
})

test('a permanent refusal drops the mail, a transient one keeps it, and other mail goes out', async () => {
  for (const name of ['never', 'later', 'fault', 'ana']) await queue(name)
  void deliver(async ({ subject }) => {
    if (subject === 'never') throw new MailRefused('550 no such person', { isPermanent: true })
    if (subject === 'later') throw new MailRefused('451 not now', { isPermanent: false })
    if (subject === 'fault') throw new TypeError('a fault with secret-fault in it')
  })
  await until(async () => (await rows()).every(({ last_error, sent_at }) => last_error !== null || sent_at !== null))
  expect(await rows()).toMatchObject([
    { body: null, next_at: null, last_error: '550 no such person', sent_at: null },
    { body: 'token=secret-later', next_at: '2026-11-20T12:00:30Z', last_error: '451 not now', sent_at: null },
    { body: 'token=secret-fault', next_at: '2026-11-20T12:00:30Z', last_error: 'TypeError', sent_at: null },
    { body: null, sent_at: NOON },
  ])
  expect(lines.join()).not.toContain('secret')
})

test('on stop, mail under way arrives and is marked, and no other is started', async () => {
  for (const name of ['ana', 'ben', 'eva', 'leo', 'zoe']) await queue(name)
  const mayArrive = Promise.withResolvers<void>()
  const ended = deliver(() => mayArrive.promise)
  await until(() => sent.length === 4)
  stopping.abort()
  mayArrive.resolve()
  await ended
  expect((await rows()).map(({ sent_at }) => sent_at !== null)).toEqual([true, true, true, true, false])
})

test('on stop, a hanging mail is left to the next sender', async () => {
  await queue('ana')
  const ended = deliver(() => new Promise(() => {}), { drainMs: 50 })
  await until(() => sent.length === 1)
  stopping.abort()
  await ended
  expect(await rows()).toMatchObject([{ body: 'token=secret-ana', next_at: '2026-11-20T12:05:00Z', sent_at: null }])
})

test('an unavailable store is retried', async () => {
  await queue('ana')
  let failures = 2
  const flaky: Store = {
    ...store,
    query: async (sql, parameters) => {
      if (failures-- > 0) throw new Error('the store is away')
      return await store.query(sql, parameters)
    },
  }
  const said: string[] = []
  const log = { info() {}, warn: (_fields: object, message: string) => said.push(message) }
  void deliver(async () => {}, { store: flaky, log })
  await until(allSent)
  expect(sent).toHaveLength(1)
  // Two passes failed within a minute.
  expect([failures < 0, said]).toEqual([true, ['mail waits for the store']])
})
