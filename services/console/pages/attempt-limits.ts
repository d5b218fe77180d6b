import { openBucketNames } from '@catalog/access/bucket-names.ts'
import type { Bucket, Owner } from '@catalog/access/counter.ts'
import { openLimiter } from '@catalog/access/rate-limiter.ts'
import { type Period, secondsUntil } from '@catalog/access/windows.ts'
import { networkOf, siteOf } from '@catalog/api/callers/network.ts'
import { instant } from '@catalog/core/time.ts'
import { endLockout, lockedOutUntil } from '@catalog/store/accounts/devices.ts'
import type { FastifyRequest } from 'fastify'
import type { ConsoleContext } from './context.ts'
import { knownDevice } from './known-device.ts'
import { PageError } from './page-error.ts'

/** Limits on guessing and on sending mail. Windows follow the clock (UTC). */
const LIMITS = {
  /** Of unknown browsers, for all accounts; right passwords count too. */
  signInsOfNetworkPerHour: 100,
  signInsOfSitePerHour: 1_000,
  /** Of one person's known browsers: each costs a hash and a session, also with the right password. */
  ownSignInsPerHour: 60,
  /** Of unknown browsers everywhere together, who all know the password: six digits are few. */
  codesOfEmailPerDay: 50,
  /** Verification and reset links requested for one address, with or without an account. */
  linksPerHour: 5,
  /** From unknown browsers of all networks together. */
  linksOfEmailPerDay: 10,
  /** From browsers in which the person signed in before: the share that no stranger can use up. */
  ownLinksOfEmailPerDay: 10,
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
  /**
   * The lockout grows with each attempt: for a browser in which the person signed in before by itself, for all others of
   * an e-mail by site. So no stranger keeps a person out.
   */
  signIn(request: FastifyRequest, email: string): Promise<Attempt>
  /** The same for codes of a second factor, counted apart: a right password ends no lockout of codes. */
  code(request: FastifyRequest, email: string): Promise<Attempt>
  signUp(request: FastifyRequest, email: string): Promise<void>
  /** Counts a requested link to verify or reset; one that a known browser requests does not count with those of strangers. */
  mailLink(request: FastifyRequest, email: string): Promise<void>
  invite(email: string, workspaceId: string): Promise<void>
  createWorkspace(email: string): Promise<void>
  /** Counts issued and rotated keys. */
  issueKey(workspaceId: string): Promise<void>
  close(): Promise<void>
}

interface Attempt {
  /** Whether the person signed in with this browser before. */
  isKnown: boolean
  /** To call after the right password: it ends the lockout. */
  succeed(): Promise<void>
}

export function openAttemptLimits({
  store,
  limits,
  now,
}: Pick<ConsoleContext, 'store' | 'limits' | 'now'>): AttemptLimits {
  const limiter = openLimiter({ store, now })
  const nameOf = openBucketNames(store)
  const { signupsPerHour, signupsPerDay, signupsPerEmailPerDay } = limits

  async function count(...wanted: readonly Bucket[]): Promise<void> {
    const endMs = await limiter.takeOnce(wanted)
    if (endMs === undefined) return
    const retryAfterSeconds = secondsUntil(endMs, now().getTime())
    const time = new Date(endMs).toISOString().slice(11, 16)
    refuse(`This was tried too often. Try again after ${time} UTC, in`, retryAfterSeconds)
  }

  async function attempt(counts: 'sign-in' | 'code', request: FastifyRequest, email: string): Promise<Attempt> {
    const at = instant(now())
    const device = await knownDevice(store, request, { email, at })
    if (device === undefined)
      await count(
        window(counts, networkOfRequest(request), 'hour', LIMITS.signInsOfNetworkPerHour),
        window(counts, siteOfRequest(request), 'hour', LIMITS.signInsOfSitePerHour),
        ...(counts === 'code' ? [window('code', emailOf(email), 'day', LIMITS.codesOfEmailPerDay)] : []),
      )
    else await count(window(`own-${counts}`, emailOf(email), 'hour', LIMITS.ownSignInsPerHour))
    const owner = device === undefined ? emailAtSite(request, email) : deviceOf(device)
    const bucket = await nameOf({ counts, owner })
    const until = await lockedOutUntil(store, { bucket, at })
    if (until !== undefined)
      refuse(
        `Several ${counts === 'code' ? 'codes' : 'passwords'} were tried. Try again in`,
        secondsUntil(Date.parse(until), Date.parse(at)),
      )
    return { isKnown: device !== undefined, succeed: () => endLockout(store, bucket) }
  }

  return {
    signIn: (request, email) => attempt('sign-in', request, email),
    code: (request, email) => attempt('code', request, email),
    signUp: (request, email) =>
      count(
        window('account-hour', networkOfRequest(request), 'hour', signupsPerHour),
        window('account-day', networkOfRequest(request), 'day', signupsPerDay),
        window('account-day', emailOf(email), 'day', signupsPerEmailPerDay),
      ),
    async mailLink(request, email) {
      const device = await knownDevice(store, request, { email, at: instant(now()) })
      if (device === undefined)
        await count(
          window('link', both(request, email), 'hour', LIMITS.linksPerHour),
          window('link', emailOf(email), 'day', LIMITS.linksOfEmailPerDay),
          window('link', networkOfRequest(request), 'hour', LIMITS.linksOfNetworkPerHour),
        )
      else
        await count(
          window('link', deviceOf(device), 'hour', LIMITS.linksPerHour),
          window('own-link', emailOf(email), 'day', LIMITS.ownLinksOfEmailPerDay),
        )
    },
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
const siteOfRequest = ({ ip }: FastifyRequest): Owner => ({ kind: 'ip', id: `site ${siteOf(ip)}` })
const deviceOf = (sha: Buffer): Owner => ({ kind: 'device', id: sha.toString('base64url') })
const emailAtSite = ({ ip }: FastifyRequest, email: string): Owner => ({
  kind: 'email',
  id: `${email.toLowerCase()} ${siteOf(ip)}`,
})
const both = ({ ip }: FastifyRequest, email: string): Owner => ({
  kind: 'email',
  id: `${email.toLowerCase()} ${networkOf(ip)}`,
})

function refuse(message: string, retryAfterSeconds: number): never {
  throw new PageError(429, 'Too many attempts', `${message} ${durationText(retryAfterSeconds)}.`, { retryAfterSeconds })
}

function durationText(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? 'a second' : `${seconds} seconds`
  const minutes = Math.ceil(seconds / 60)
  if (minutes <= 1) return 'a minute'
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}
