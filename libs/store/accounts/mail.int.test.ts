import { DAY_MS, HOUR_MS } from '@catalog/core/time.ts'
import { BOTH_STORES } from '@catalog/stack/testing/fixtures.ts'
import type { Store } from '@catalog/store/db.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  CLAIM_MS,
  claimDueMail,
  type DueMail,
  MAIL_AGE_MAX_MS,
  MAIL_ATTEMPTS_MAX,
  markFailed,
  markSent,
  purgeMail,
  queueMail,
  releaseMail,
} from './mail.ts'

const NOON = '2026-11-20T12:00:00Z'
const at = (ms: number) => new Date(Date.parse(NOON) + ms).toISOString()

for (const [name, open, missing] of BOTH_STORES) {
  describe.skipIf(missing !== null)(`the outbox on ${name}`, () => {
    let store: Store
    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store[Symbol.asyncDispose]())
    beforeEach(async () => {
      await store.query(`truncate mail_outbox restart identity`)
    })

    const queue = (recipient: string, ms = 0) =>
      queueMail(store, { recipient, subject: 'Hola', body: 'https://x/?token=secret', at: at(ms) })
    const take = (ms: number, max = 9) => claimDueMail(store, { at: at(ms), max })
    const held = ({ mail_id: mailId, attempts }: DueMail, ms: number) => ({ mailId, attempts, at: at(ms) })
    const fail = (mail: DueMail, ms: number, forGood = false) =>
      markFailed(store, { ...held(mail, ms), error: '451 not now', forGood })
    const rows = () =>
      store.query(`select recipient, body, next_at, attempts, last_error, sent_at from mail_outbox order by mail_id`)

    test('a mail is due at once, longest waiting first, and claimed by one sender at a time', async () => {
      for (const [i, who] of ['a@x.org', 'b@x.org', 'c@x.org'].entries()) await queue(who, i)
      expect(await take(-1)).toEqual([])
      expect(await take(9, 2)).toMatchObject([
        { recipient: 'a@x.org', subject: 'Hola', body: 'https://x/?token=secret', created_at: NOON, attempts: 1 },
        { recipient: 'b@x.org', attempts: 1 },
      ])
      expect(await take(9)).toMatchObject([{ recipient: 'c@x.org' }])
      expect(await take(9)).toEqual([])
    })

    test('a rollback removes the mail that its transaction queued', async () => {
      const undone = store.transaction(async (tx) => {
        await queueMail(tx, { recipient: 'a@x.org', subject: 'Hola', body: '', at: NOON })
        throw new Error('undone')
      })
      await expect(undone).rejects.toThrow('undone')
      expect(await take(0)).toEqual([])
    })

    test("a crashed sender's mail is due again when its claim expires", async () => {
      await queue('a@x.org')
      await take(0)
      expect(await take(CLAIM_MS - 1)).toEqual([])
      expect(await take(CLAIM_MS)).toMatchObject([{ recipient: 'a@x.org', attempts: 2 }])
    })

    test('a sent mail is never due again, and its body is deleted', async () => {
      await queue('a@x.org')
      const [mail] = (await take(0)) as [DueMail]
      await markSent(store, { mailId: mail.mail_id, at: at(500) })
      expect(await take(9 * DAY_MS)).toEqual([])
      expect(await rows()).toMatchObject([{ body: null, next_at: null, sent_at: at(500) }])
    })

    test('retries a failed mail with growing waits for two days, then deletes its body', async () => {
      await queue('a@x.org')
      const tries: number[] = []
      let state: unknown
      for (let ms = 0; state !== 'given up'; ) {
        expect(await take(ms - 1)).toEqual([])
        const [mail] = (await take(ms)) as [DueMail]
        tries.push(ms)
        state = await fail(mail, ms)
        ms = Date.parse(String((await rows())[0]?.next_at)) - Date.parse(NOON)
      }
      expect(state).toBe('given up')
      const waits = tries.slice(1).map((ms, i) => ms - (tries[i] as number))
      expect(waits.slice(0, 4)).toEqual([30_000, 60_000, 120_000, 240_000])
      expect(waits.at(-1)).toBe(4 * HOUR_MS)
      expect(tries.length).toBeLessThanOrEqual(MAIL_ATTEMPTS_MAX)
      expect(tries.at(-1)).toBeGreaterThan(MAIL_AGE_MAX_MS - 5 * HOUR_MS)
      expect(tries.at(-1)).toBeLessThan(MAIL_AGE_MAX_MS)
      expect(await rows()).toMatchObject([{ body: null, next_at: null, sent_at: null, last_error: '451 not now' }])
    })

    test('gives up a permanently refused mail at once', async () => {
      await queue('a@x.org')
      const [mail] = (await take(0)) as [DueMail]
      expect(await fail(mail, 1, true)).toBe('given up')
      expect(await rows()).toMatchObject([{ body: null, next_at: null, sent_at: null }])
    })

    test('a late sender cannot change a mail that another one has claimed', async () => {
      await queue('a@x.org')
      const [first] = (await take(0)) as [DueMail]
      const [second] = (await take(CLAIM_MS)) as [DueMail]
      expect(await fail(first, CLAIM_MS + 1, true)).toBeNull()
      await releaseMail(store, { ...held(first, CLAIM_MS + 1), error: 'away' })
      expect(await take(CLAIM_MS + 1)).toEqual([])
      await markSent(store, { mailId: second.mail_id, at: at(CLAIM_MS + 2) })
      expect(await fail(second, CLAIM_MS + 3)).toBeNull()
      expect(await take(9 * CLAIM_MS)).toEqual([])
    })

    test('a released mail is due at once without counting the attempt, for two days', async () => {
      await queue('a@x.org')
      for (let ms = 0; ms < 3 * MAIL_ATTEMPTS_MAX; ms++) {
        const [mail] = (await take(ms)) as [DueMail]
        expect(mail.attempts).toBe(1)
        await releaseMail(store, { ...held(mail, ms), error: 'away' })
      }
      expect(await rows()).toMatchObject([{ last_error: 'away', attempts: 0 }])
      expect(await take(MAIL_AGE_MAX_MS)).toEqual([])
      expect(await purgeMail(store, { at: at(MAIL_AGE_MAX_MS), max: 9 })).toEqual({ givenUp: 1, deleted: 0 })
      expect(await rows()).toMatchObject([{ body: null, next_at: null, last_error: 'away' }])
    })

    test('gives up a mail whose senders all crash', async () => {
      await queue('a@x.org')
      for (let i = 0; i < MAIL_ATTEMPTS_MAX; i++) expect(await take(i * CLAIM_MS)).toHaveLength(1)
      const end = MAIL_ATTEMPTS_MAX * CLAIM_MS
      // The last sender may still be sending it, so it stays.
      expect(await purgeMail(store, { at: at(end - 1), max: 9 })).toEqual({ givenUp: 0, deleted: 0 })
      expect(await take(end)).toEqual([])
      expect(await purgeMail(store, { at: at(end), max: 9 })).toEqual({ givenUp: 1, deleted: 0 })
      expect(await rows()).toMatchObject([{ body: null, next_at: null, last_error: 'it was never sent in time' }])
    })

    test('deletes sent and abandoned mail after a month, in bounded batches; keeps waiting mail', async () => {
      for (const who of ['a@x.org', 'b@x.org', 'c@x.org']) await queue(who)
      for (const mail of await take(0)) await markSent(store, { mailId: mail.mail_id, at: NOON })
      await queue('young@x.org', 1)
      const purge = (ms: number) => purgeMail(store, { at: at(ms), max: 2 })
      expect(await purge(30 * DAY_MS)).toEqual({ givenUp: 1, deleted: 0 })
      expect(await purge(30 * DAY_MS + 1)).toEqual({ givenUp: 0, deleted: 2 })
      expect(await purge(30 * DAY_MS + 1)).toEqual({ givenUp: 0, deleted: 1 })
      expect(await rows()).toMatchObject([{ recipient: 'young@x.org' }])
    })

    test('concurrent senders never claim the same mail', async () => {
      for (let i = 0; i < 40; i++) await queue(`p${i}@x.org`)
      const taken = (await Promise.all(Array.from({ length: 8 }, () => take(0, 5)))).flat()
      expect(new Set(taken.map(({ mail_id }) => mail_id)).size).toBe(taken.length)
      const rest = await take(0, 40)
      expect(taken.length + rest.length).toBe(40)
    })

    test.each([
      ['a@x.org\nBcc: b@x.org', 'Hola'],
      ['a@x.org, b@x.org', 'Hola'],
      ['Ana <a@x.org>', 'Hola'],
      [`${'a'.repeat(250)}@x.org`, 'Hola'],
      ['a@x.org', 'Hola\r\nBcc: b@x.org'],
      ['a@x.org', ''],
    ])('refuses to queue a mail to %j about %j', async (recipient, subject) => {
      await expect(queueMail(store, { recipient, subject, body: '', at: NOON })).rejects.toThrow('expected one')
      expect(await rows()).toEqual([])
    })
  })
}
