import { DAY_MS, HOUR_MS } from '@catalog/core/time.ts'
import type { Queryable } from '@catalog/store/db.ts'

/**
 * The mail outbox. A transaction writes the mail's row together with its cause, and a sender delivers it from there.
 * Instants are arguments, ISO 8601 with Z: the caller owns the clock.
 *
 * Law: at least once. A mail is due until its sender marks it sent or given up, so none is lost. When a sender crashes
 * between sending and marking, the mail is sent again.
 */

/** A sender that reports nothing in this time counts as crashed; one delivery never takes so long. */
export const CLAIM_MS = 5 * 60_000
/** Attempts that reached a server; this many fill the two days below. */
export const MAIL_ATTEMPTS_MAX = 20
/** Older mail is given up: its links have expired. */
export const MAIL_AGE_MAX_MS = 48 * HOUR_MS
/** The wait after the first attempt. It doubles after each, up to the maximum. */
const RETRY_FIRST_MS = 30_000
const RETRY_MAX_MS = 4 * HOUR_MS
/** Operators can look up past mail for this long. */
const KEPT_MS = 30 * DAY_MS
const ERROR_CHARS_MAX = 300
const RECIPIENT_CHARS_MAX = 254
const SUBJECT_CHARS_MAX = 500

/** Exactly one address: no name, list, comment or blank. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
const ONE_ADDRESS = /^[^\s\x00-\x20\x7f<>()[\]\\,;:"@]+@[^\s\x00-\x20\x7f<>()[\]\\,;:"@]+$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
const CONTROL = /[\x00-\x1f\x7f\u0085\u2028\u2029]/

/** Throws on text that could inject another header or recipient. */
export function checkHeaders({ recipient, subject }: { recipient: string; subject: string }): void {
  if (!ONE_ADDRESS.test(recipient) || recipient.length > RECIPIENT_CHARS_MAX) {
    throw new Error(`recipient ${JSON.stringify(recipient)}: expected one e-mail address and nothing else`)
  }
  if (subject === '' || CONTROL.test(subject) || subject.length > SUBJECT_CHARS_MAX) {
    throw new Error(`subject ${JSON.stringify(subject)}: expected one line of 1 to ${SUBJECT_CHARS_MAX} characters`)
  }
}

/** Queues a mail that is due at once. Throws when the recipient is not one address, or the subject not one line. */
export async function queueMail(
  db: Queryable,
  { recipient, subject, body, at }: { recipient: string; subject: string; body: string; at: string },
): Promise<void> {
  checkHeaders({ recipient, subject })
  await db.query(
    `insert into mail_outbox (recipient, subject, body, created_at, next_at) values ($1, $2, $3, $4, $4)`,
    [recipient, subject, body, at],
  )
}

export type DueMail = Readonly<{
  mail_id: bigint
  recipient: string
  subject: string
  body: string
  created_at: string
  /** Includes this attempt. It also identifies the claim: a later sender has a higher number. */
  attempts: number
}>

/** Claims up to `max` due mails, longest waiting first. For {@link CLAIM_MS} no other sender gets them. */
export async function claimDueMail(db: Queryable, { at, max }: { at: string; max: number }): Promise<DueMail[]> {
  return await db.query<DueMail>(
    `with due as (
       select mail_id from mail_outbox
        where next_at <= $1::timestamptz and attempts < $3 and created_at > $1::timestamptz - $4 * interval '1 ms'
        order by next_at, mail_id limit $2 for update skip locked
     ), taken as (
       update mail_outbox m set next_at = $1::timestamptz + $5 * interval '1 ms', attempts = attempts + 1
         from due where m.mail_id = due.mail_id
        returning m.mail_id, recipient, subject, body, created_at, attempts
     )
     select * from taken order by created_at, mail_id`,
    [at, max, MAIL_ATTEMPTS_MAX, MAIL_AGE_MAX_MS, CLAIM_MS],
  )
}

/** Also deletes the body. */
export async function markSent(db: Queryable, { mailId, at }: { mailId: bigint; at: string }): Promise<void> {
  await db.query(`update mail_outbox set sent_at = $2, next_at = null, body = null where mail_id = $1`, [mailId, at])
}

type Held = Readonly<{ mailId: bigint; attempts: number; at: string }>

/**
 * Schedules a retry, or gives the mail up if `forGood` or after the last attempt; returns which. The error must hold no
 * secret. Returns null, and changes nothing, when another sender has claimed the mail.
 */
export async function markFailed(
  db: Queryable,
  { mailId, attempts, at, error, forGood }: Held & Readonly<{ error: string; forGood: boolean }>,
): Promise<'again' | 'given up' | null> {
  const retryMs = Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** (attempts - 1))
  const [row] = await db.query<{ next_at: string | null }>(
    `with judged as (
       select mail_id, $5 or attempts >= $6
                or created_at <= $3::timestamptz + $7 * interval '1 ms' - $8 * interval '1 ms' as is_over
         from mail_outbox where mail_id = $1 and attempts = $2 and next_at is not null for update
     )
     update mail_outbox m
        set last_error = $4, body = case when is_over then null else body end,
            next_at = case when is_over then null else $3::timestamptz + $7 * interval '1 ms' end
       from judged where m.mail_id = judged.mail_id returning m.next_at`,
    [mailId, attempts, at, error.slice(0, ERROR_CHARS_MAX), forGood, MAIL_ATTEMPTS_MAX, retryMs, MAIL_AGE_MAX_MS],
  )
  if (row === undefined) return null
  return row.next_at === null ? 'given up' : 'again'
}

/**
 * Makes the mail due at once, without counting the attempt: the mail server was unreachable. Changes nothing when
 * another sender has claimed the mail.
 */
export async function releaseMail(
  db: Queryable,
  { mailId, attempts, at, error }: Held & Readonly<{ error: string }>,
): Promise<void> {
  await db.query(
    `update mail_outbox set next_at = $3, attempts = attempts - 1, last_error = $4
      where mail_id = $1 and attempts = $2 and next_at is not null`,
    [mailId, attempts, at, error.slice(0, ERROR_CHARS_MAX)],
  )
}

/** Mails that are not sent yet, and those of them whose last attempt failed. */
export async function countWaitingMail(db: Queryable): Promise<{ waiting: number; failing: number }> {
  const [row] = await db.query<{ waiting: number; failing: number }>(
    `select count(*)::int as waiting, count(last_error)::int as failing from mail_outbox where next_at is not null`,
  )
  return row as { waiting: number; failing: number }
}

/**
 * Gives up mail that is too old, or whose last sender crashed. Deletes mail that was sent or given up long ago. At most
 * `max` of each; returns how many.
 */
export async function purgeMail(
  db: Queryable,
  { at, max }: { at: string; max: number },
): Promise<{ givenUp: number; deleted: number }> {
  const [row] = await db.query<{ given_up: number; deleted: number }>(
    `with late as (
       select mail_id from mail_outbox
        where next_at <= $1::timestamptz and (attempts >= $3 or created_at <= $1::timestamptz - $4 * interval '1 ms')
        order by mail_id limit $2 for update skip locked
     ), given_up as (
       update mail_outbox m
          set next_at = null, body = null, last_error = coalesce(last_error, 'it was never sent in time')
         from late where m.mail_id = late.mail_id returning 1
     ), old as (
       select mail_id from mail_outbox where next_at is null and created_at < $1::timestamptz - $5 * interval '1 ms'
        order by mail_id limit $2 for update skip locked
     ), deleted as (
       delete from mail_outbox m using old where m.mail_id = old.mail_id returning 1
     )
     select (select count(*)::int from given_up) as given_up, (select count(*)::int from deleted) as deleted`,
    [at, max, MAIL_ATTEMPTS_MAX, MAIL_AGE_MAX_MS, KEPT_MS],
  )
  return { givenUp: row?.given_up ?? 0, deleted: row?.deleted ?? 0 }
}
