import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { atMostOnceAMinute } from '@catalog/runtime/run.ts'
import {
  claimDueMail,
  type DueMail,
  markFailed,
  markSent,
  purgeMail,
  releaseMail,
} from '@catalog/store/accounts/mail.ts'
import type { Store } from '@catalog/store/db.ts'
import { type Mailer, MailerUnavailable, MailRefused } from './mail.ts'

/** A person waits in front of a page that announces a mail. */
const POLL_MS = 1_000
/** One connection may be slow; servers refuse more than a few at once. */
const CONCURRENT_MAX = 4
/** Retries an unavailable server or store after 1 s, then after doubled delays up to this. */
const BACKOFF_MS_MAX = 60_000
/** For mails under way at a stop; an unfinished one is sent again when its claim expires. */
const DRAIN_MS = 10_000
const PURGE_EVERY_MS = 600_000
const PURGE_BATCH_MAX = 1_000

export type DeliverLog = Readonly<{
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}>

export type Deliverer = Readonly<{
  store: Store
  mailer: Mailer
  now: () => Date
  log: DeliverLog
  drainMs?: number
}>

/**
 * Sends queued mails until the signal aborts, then waits for those under way. Any number of processes may run it: each
 * mail has one sender at a time.
 *
 * Law: at least once. The sender marks a mail after sending it, so a crash in between repeats the mail with the same
 * Message-ID. An unavailable server or store delays mails; refused mails retry for two days. Logs name mails by number
 * and never show their content.
 */
export async function deliverMail({ signal, ...deliverer }: Deliverer & { signal: AbortSignal }): Promise<void> {
  const { store, now, log, drainMs = DRAIN_MS } = deliverer
  let backoffMs = POLL_MS
  let purgeAtMs = 0
  const sayOutage = atMostOnceAMinute(
    (err: unknown) => log.warn({ err }, 'mail waits for the store'),
    () => now().getTime(),
  )
  while (!signal.aborted) {
    let waitMs = POLL_MS
    let isUnavailable = false
    try {
      if (now().getTime() >= purgeAtMs) {
        await purge(deliverer)
        purgeAtMs = now().getTime() + PURGE_EVERY_MS
      }
      const due = await claimDueMail(store, { at: now().toISOString(), max: CONCURRENT_MAX })
      const outcomes = await untilStopped(sendAll(due, deliverer), { signal, drainMs })
      isUnavailable = outcomes.includes('unavailable')
      if (due.length === CONCURRENT_MAX) waitMs = 0
    } catch (err) {
      // A sent mail that could not be marked is sent again.
      isUnavailable = true
      sayOutage(err)
    }
    if (isUnavailable) waitMs = backoffMs
    backoffMs = isUnavailable ? Math.min(2 * backoffMs, BACKOFF_MS_MAX) : POLL_MS
    await delay(waitMs, undefined, { signal }).catch(() => {})
  }
}

type Outcome = 'sent' | 'failed' | 'unavailable'

/** Sends concurrently. After all have ended, throws what the store threw. */
async function sendAll(due: readonly DueMail[], deliverer: Deliverer): Promise<Outcome[]> {
  const settled = await Promise.allSettled(due.map((mail) => sendOne(mail, deliverer)))
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}

async function sendOne(due: DueMail, { store, mailer, now, log }: Deliverer): Promise<Outcome> {
  const { mail_id: mailId, recipient, subject, body, created_at: createdAt, attempts } = due
  try {
    await mailer.send({ id: `${mailId}.${Date.parse(createdAt)}`, recipient, subject, body, createdAt })
  } catch (error) {
    const failure = { mailId, attempts, at: now().toISOString(), error: (error as Error).message }
    if (error instanceof MailerUnavailable) {
      await releaseMail(store, failure)
      log.warn({ mailId: String(mailId), reason: error.message }, 'mail waits for its server')
      return 'unavailable'
    }
    const isPermanent = error instanceof MailRefused && error.isPermanent
    // Any other error is a bug, and its message may contain anything.
    const reason = error instanceof MailRefused ? failure.error : (error as Error).name
    const state = await markFailed(store, { ...failure, error: reason, forGood: isPermanent })
    log.warn({ mailId: String(mailId), attempts, reason, state }, 'a mail was not sent')
    return 'failed'
  }
  await markSent(store, { mailId, at: now().toISOString() })
  log.info({ mailId: String(mailId), attempts }, 'a mail was sent')
  return 'sent'
}

/** The outcomes, or none when the signal aborts and they miss the drain time. */
async function untilStopped(
  sending: Promise<Outcome[]>,
  { signal, drainMs }: { signal: AbortSignal; drainMs: number },
): Promise<Outcome[]> {
  const settled = new AbortController()
  const stopped = async (): Promise<Outcome[]> => {
    if (!signal.aborted) await once(signal, 'abort', { signal: settled.signal })
    await delay(drainMs, undefined, { signal: settled.signal })
    return []
  }
  try {
    return await Promise.race([sending, stopped()])
  } finally {
    settled.abort()
  }
}

async function purge({ store, now, log }: Deliverer): Promise<void> {
  const { givenUp } = await purgeMail(store, { at: now().toISOString(), max: PURGE_BATCH_MAX })
  if (givenUp > 0) log.warn({ mails: givenUp }, 'mails were given up')
}
