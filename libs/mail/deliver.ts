import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type DueMail,
  markFailed,
  markSent,
  purgeMail,
  putBackMail,
  takeDueMail,
} from '@catalog/store/accounts/mail.ts'
import type { Store } from '@catalog/store/db.ts'
import { type Mailer, MailerAway, MailRefused } from './mail.ts'

/** Somebody waits before a page that says that a mail comes. */
const POLL_MS = 1_000
/** One of them may be slow; more connections at once than this, and servers refuse them. */
const AT_ONCE_MAX = 4
/** A server, or a store, that is away is asked again after 1 s, then after twice as long, up to this. */
const AWAY_MS_MAX = 60_000
/** For what is on its way when we are to stop; what is not done by then is sent again when its claim has ended. */
const DRAIN_MS = 10_000
const PURGE_EVERY_MS = 600_000
const PURGED_AT_ONCE_MAX = 1_000

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
 * Sends what is queued until the signal aborts, then waits for what is on its way. Any number of processes may do so: each
 * mail has one sender at a time.
 *
 * Law: at least once. A mail is marked as sent after it was; who ends in between leaves it to the next, with the same
 * Message-ID. A server or a store that is away is waited for; a mail that is refused is tried again for two days. Logs name mails
 * by their number, never by what is in them.
 */
export async function deliverMail({ signal, ...deliverer }: Deliverer & { signal: AbortSignal }): Promise<void> {
  const { store, now, log, drainMs = DRAIN_MS } = deliverer
  let awayMs = POLL_MS
  let purgeAtMs = 0
  while (!signal.aborted) {
    let waitMs = POLL_MS
    let isAway = false
    try {
      if (now().getTime() >= purgeAtMs) {
        await purge(deliverer)
        purgeAtMs = now().getTime() + PURGE_EVERY_MS
      }
      const due = await takeDueMail(store, { at: now().toISOString(), max: AT_ONCE_MAX })
      const outcomes = await untilStopped(sendAll(due, deliverer), { signal, drainMs })
      isAway = outcomes.includes('away')
      if (due.length === AT_ONCE_MAX) waitMs = 0
    } catch (err) {
      // What was sent and could not be marked is sent again.
      isAway = true
      log.warn({ err }, 'mail waits for the store')
    }
    if (isAway) waitMs = awayMs
    awayMs = isAway ? Math.min(2 * awayMs, AWAY_MS_MAX) : POLL_MS
    await delay(waitMs, undefined, { signal }).catch(() => {})
  }
}

type Outcome = 'sent' | 'failed' | 'away'

/** Side by side. Throws what the store throws, when all have ended. */
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
    if (error instanceof MailerAway) {
      await putBackMail(store, failure)
      log.warn({ mailId: String(mailId), reason: error.message }, 'mail waits for its server')
      return 'away'
    }
    const isForGood = error instanceof MailRefused && error.isForGood
    // Anything but a refusal is a fault of ours, whose words may hold anything.
    const told = error instanceof MailRefused ? failure.error : (error as Error).name
    const state = await markFailed(store, { ...failure, error: told, forGood: isForGood })
    log.warn({ mailId: String(mailId), attempts, reason: told, state }, 'a mail was not sent')
    return 'failed'
  }
  await markSent(store, { mailId, at: now().toISOString() })
  log.info({ mailId: String(mailId), attempts }, 'a mail was sent')
  return 'sent'
}

/** The outcomes, or none when the signal has aborted and they are not there in time. */
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
  const { givenUp } = await purgeMail(store, { at: now().toISOString(), max: PURGED_AT_ONCE_MAX })
  if (givenUp > 0) log.warn({ mails: givenUp }, 'mails were given up')
}
