import type { Bucket, Owner } from '@catalog/access/counter.ts'
import { openLimiter } from '@catalog/access/rate-limiter.ts'
import { type Period, secondsUntil } from '@catalog/access/windows.ts'
import { networkOf } from '@catalog/api/callers/network.ts'
import type { FastifyRequest } from 'fastify'
import type { ConsoleContext } from './context.ts'
import { PageError } from './page-error.ts'

/** Limits on guessing and on sending mail. Windows follow the clock (UTC). */
const LIMITS = {
  /** Counted before the password check, so right passwords count too. */
  signInsPerHour: 10,
  /** From all networks together, against distributed guessing. A mailed link still lets the person in. */
  signInsOfEmailPerDay: 100,
  signInsOfNetworkPerHour: 100,
  /** Verification and reset links requested for one address, with or without an account. */
  linksPerHour: 5,
  linksOfEmailPerDay: 20,
  linksOfNetworkPerHour: 50,
  /** Mail to people who may not expect it. */
  invitationsOfWorkspacePerDay: 50,
  invitationsOfEmailPerDay: 10,
  workspacesPerDay: 3,
  /** Issued and rotated keys: each leaves a permanent row. */
  keysOfWorkspacePerDay: 200,
}

/** Each method counts one attempt, or throws a page that names the time of the next one. */
export interface AttemptLimits {
  signIn(request: FastifyRequest, email: string): Promise<void>
  signUp(request: FastifyRequest, email: string): Promise<void>
  /** Counts a requested link to verify or reset. */
  mailLink(request: FastifyRequest, email: string): Promise<void>
  invite(email: string, workspaceId: string): Promise<void>
  createWorkspace(email: string): Promise<void>
  /** Counts issued and rotated keys. */
  issueKey(workspaceId: string): Promise<void>
  close(): Promise<void>
}

export function openAttemptLimits({
  store,
  limits,
  now,
}: Pick<ConsoleContext, 'store' | 'limits' | 'now'>): AttemptLimits {
  const limiter = openLimiter({ store, now })
  const { signupsPerHour, signupsPerDay, signupsPerEmailPerDay } = limits

  async function count(...wanted: readonly Bucket[]): Promise<void> {
    const endMs = await limiter.takeOnce(wanted)
    if (endMs === undefined) return
    const retryAfterSeconds = secondsUntil(endMs, now().getTime())
    const time = new Date(endMs).toISOString().slice(11, 16)
    throw new PageError(
      429,
      'Too many attempts',
      `This was tried too often. Try again after ${time} UTC, in ${durationText(retryAfterSeconds)}.`,
      { retryAfterSeconds },
    )
  }

  return {
    signIn: (request, email) =>
      count(
        window('sign-in', both(request, email), 'hour', LIMITS.signInsPerHour),
        window('sign-in', emailOf(email), 'day', LIMITS.signInsOfEmailPerDay),
        window('sign-in', networkOfRequest(request), 'hour', LIMITS.signInsOfNetworkPerHour),
      ),
    signUp: (request, email) =>
      count(
        window('account-hour', networkOfRequest(request), 'hour', signupsPerHour),
        window('account-day', networkOfRequest(request), 'day', signupsPerDay),
        window('account-day', emailOf(email), 'day', signupsPerEmailPerDay),
      ),
    mailLink: (request, email) =>
      count(
        window('link', both(request, email), 'hour', LIMITS.linksPerHour),
        window('link', emailOf(email), 'day', LIMITS.linksOfEmailPerDay),
        window('link', networkOfRequest(request), 'hour', LIMITS.linksOfNetworkPerHour),
      ),
    invite: (email, workspaceId) =>
      count(
        window('invite', { kind: 'workspace', id: workspaceId }, 'day', LIMITS.invitationsOfWorkspacePerDay),
        window('invite', emailOf(email), 'day', LIMITS.invitationsOfEmailPerDay),
      ),
    issueKey: (workspaceId) =>
      count(window('issue', { kind: 'workspace', id: workspaceId }, 'day', LIMITS.keysOfWorkspacePerDay)),
    createWorkspace: (email) => count(window('workspace', emailOf(email), 'day', LIMITS.workspacesPerDay)),
    close: () => limiter.close(),
  }
}

const window = (counts: string, owner: Owner, period: Period, limit: number): Bucket => ({
  counts,
  owner,
  period,
  limit,
})
const emailOf = (email: string): Owner => ({ kind: 'email', id: email.toLowerCase() })
const networkOfRequest = ({ ip }: FastifyRequest): Owner => ({ kind: 'ip', id: networkOf(ip) })
const both = ({ ip }: FastifyRequest, email: string): Owner => ({
  kind: 'email',
  id: `${email.toLowerCase()} ${networkOf(ip)}`,
})

function durationText(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  if (minutes <= 1) return 'a minute'
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}
