import { rm } from 'node:fs/promises'
import { type CrawlProblem, PROBLEMS_MAX } from '@catalog/core/events/events.ts'
import { instant } from '@catalog/core/time.ts'
import { documentName, withoutSecrets } from '@catalog/crawler/fetch/document-name.ts'
import type { Fetched, Fetcher } from '@catalog/crawler/fetch/fetcher.ts'
import type { Clock } from '@catalog/crawler/fetch/host-queue.ts'
import type { Spool, SpooledBody } from './spool.ts'

/**
 * Brings one address after the other into the spool of a crawl, each once, as long as there is room, and keeps account of
 * what did not come. What an earlier attempt brought is not asked for again.
 */
export type Bringer = Readonly<{
  /** False of an address that was admitted before, and of any once `pagesMax` were; that is a problem. */
  admit: (url: string) => boolean
  /** Whether another address can be admitted; that none can is a problem. */
  hasRoom: () => boolean
  /** As admit, of an address to which another one led: it is asked for already. */
  arrive: (url: string) => boolean
  bring: (asked: string, bringing: Bringing) => Promise<Brought>
  /** Adds what came to the spool, unless an earlier attempt did. */
  keep: (body: Body, purpose: Purpose) => Promise<void>
  /** Forgets what came; with `isSettled` it is not asked for again either. */
  leave: (body: Body, options: Readonly<{ isSettled: boolean }>) => Promise<void>
  problem: (code: string, detail: string) => void
  /** A problem for which there are documents that are not known. */
  cut: (code: string, detail: string) => void
  /** As cut, where the problem was told. */
  cutAlready: () => void
  /** Some documents were left out, since they have not changed. */
  leaveUnchanged: () => void
  /** Tells the progress; `queued` addresses wait. */
  progress: (queued: number) => void
  account: () => Account
}>

export type Bringing = Readonly<{
  /** Of the body, decoded. */
  bytesMax: number
  /** Where its host has to be left alone, it comes 'later', when others were asked for; else it is waited for. */
  isPutOff?: boolean
  etag?: string | null
  lastModified?: string | null
}>
export type Brought =
  | Readonly<{ status: 'came'; body: Body }>
  /** It was settled by an earlier attempt. */
  | Readonly<{ status: 'nothing' }>
  | Readonly<{ status: 'unchanged'; etag: string | null; lastModified: string | null }>
  /** 404 or 410; told to nobody yet, and the sentence may hold the keys of an address. */
  | Readonly<{ status: 'gone'; sentence: string }>
  /** Its host has to be left alone for a while; after that it may be asked for once more. */
  | Readonly<{ status: 'later' }>
  /** Counted and told. */
  | Readonly<{ status: 'missed' }>

/** A body in the spool's folder. */
export type Body = Omit<SpooledBody, 'kept' | 'format' | 'records' | 'expectsOffer'>
type Purpose = Pick<SpooledBody, 'kept' | 'format'> & Partial<Pick<SpooledBody, 'records' | 'expectsOffer'>>

type Account = Readonly<{
  missed: number
  isPartial: boolean
  /** Something is missing that nobody can count. */
  isCut: boolean
  problems: readonly CrawlProblem[]
}>

export type GatherProgress = Readonly<{ documents: number; bytes: number; queued: number }>

type NotCome = Extract<Fetched, { status: 'failed' | 'refused' }>

/** Of one code, so that there is room for others. */
const PROBLEMS_OF_CODE_MAX = 10
/** A host that is left alone for longer than the fetcher does by itself is not waited for. */
const PAUSE_MS_MAX = 15 * 60_000
/** Pauses without a body between them: the host will not be back soon. */
const PAUSES_IN_ROW_MAX = 2
/** Of one crawl. */
const PAUSES_MAX = 12
/** RFC 9110 15.5.5, 15.5.11. */
const GONE = new Set<number | null>([404, 410])

export function openBringer({
  fetcher,
  spool,
  clock,
  signal,
  pagesMax,
  isPatient,
  onProgress,
}: {
  fetcher: Pick<Fetcher, 'get'>
  spool: Spool
  clock: Clock
  signal: AbortSignal | undefined
  /** Addresses that are asked for, without sitemaps. */
  pagesMax: number
  /** Waits for a host that wants to be left alone for a while. */
  isPatient: boolean
  onProgress: ((progress: GatherProgress) => void) | undefined
}): Bringer {
  const met = new Set<string>()
  let admitted = 0
  const problems: CrawlProblem[] = []
  const pauses = { count: 0, inRow: 0 }
  /** Until when hosts are left alone. */
  const untilMs = new Map<string, number>()
  let missed = 0
  let isPartial = false
  let isCut = false
  let isFull = false

  function problem(code: string, sentence: string): void {
    const detail = withoutSecrets(sentence)
    const alike = problems.filter((known) => known.code === code)
    if (problems.length >= PROBLEMS_MAX || alike.length >= PROBLEMS_OF_CODE_MAX) return
    if (!alike.some((known) => known.detail === detail)) problems.push({ code, detail })
  }

  function cut(code: string, sentence: string): void {
    isCut = true
    problem(code, sentence)
  }

  function missFull(): Brought {
    isFull = true
    missed++
    cut('SPOOL_FULL', `${spool.bytes + spool.room} bytes is what may come, expected a crawl that has fewer`)
    return { status: 'missed' }
  }

  /**
   * Waits while the host is left alone. An address that was not asked for is asked for after that; one that was, and did
   * not come, once more, or is put off (null).
   */
  async function get(
    asked: string,
    { isPutOff, ...asking }: Parameters<Fetcher['get']>[1] & Readonly<{ isPutOff: boolean }>,
  ): Promise<Fetched | null> {
    const host = URL.parse(asked)?.hostname ?? ''
    for (let isSecond = false; ; ) {
      const waitMs = (untilMs.get(host) ?? 0) - clock.now()
      if (waitMs > 0) await clock.sleep(waitMs, signal)
      const answer = await fetcher.get(asked, asking)
      if (answer.status === 'fetched' || answer.status === 'not modified') {
        pauses.inRow = 0
        return answer
      }
      const isLater = answer.againAt !== null && isWorthIt(answer) && mayPause(host, answer.againAt.getTime())
      if (!isLater || (isSecond && answer.isAsked)) return answer
      if (answer.isAsked && isPutOff) return null
      isSecond ||= answer.isAsked
    }
  }

  /** A host whose robots.txt never answered is not known to exist, or is one that may not be asked. */
  const isWorthIt = ({ status, httpStatus }: NotCome) =>
    isPatient && (status === 'failed' || httpStatus !== null || spool.documents > 0)

  /** Whether a host is waited for: not where that is too long, or was in vain too often. */
  function mayPause(host: string, againAtMs: number): boolean {
    if (againAtMs - clock.now() > PAUSE_MS_MAX) return false
    const knownMs = untilMs.get(host) ?? 0
    // Those that were under way when it began wait with it.
    if (clock.now() >= knownMs) {
      if (pauses.count >= PAUSES_MAX || pauses.inRow >= PAUSES_IN_ROW_MAX) return false
      pauses.count++
      pauses.inRow++
    }
    untilMs.set(host, Math.max(knownMs, againAtMs))
    return true
  }

  function hasRoom(): boolean {
    if (admitted < pagesMax) return true
    cut('PAGES_MAX', `there are more than ${pagesMax} addresses to ask for, expected at most these (pages_max)`)
    return false
  }

  return {
    hasRoom,
    admit(url) {
      if (met.has(url) || !hasRoom()) return false
      admitted++
      met.add(url)
      return true
    },
    arrive(url) {
      const isNew = !met.has(url)
      met.add(url)
      return isNew
    },
    async bring(asked, { bytesMax, isPutOff = false, ...conditions }) {
      signal?.throwIfAborted()
      const earlier = spool.earlier(asked)
      if (earlier !== undefined) {
        return earlier.kept === 'nothing' ? { status: 'nothing' } : { status: 'came', body: earlier }
      }
      if (isFull || spool.room <= 0) return missFull()
      if (spool.documents >= pagesMax) {
        missed++
        cut('PAGES_MAX', `${pagesMax} documents came before, expected at most these (pages_max)`)
        return { status: 'missed' }
      }
      const file = spool.next()
      const limits = { decodedBytesMax: Math.min(bytesMax, spool.room) }
      const answer = await get(asked, { into: file, limits, isPutOff, ...conditions, ...(signal && { signal }) })
      if (answer === null) return { status: 'later' }
      switch (answer.status) {
        case 'fetched': {
          const { url, etag, lastModified, contentType, charset, robotsTag = null, bytes, sha256 } = answer
          const fetchedAt = instant(new Date(clock.now()))
          const found = { url, name: documentName(url), contentType, charset, fetchedAt, bytes, sha256 }
          return { status: 'came', body: { asked, file, ...found, etag, lastModified, robotsTag } }
        }
        case 'not modified':
          return { status: 'unchanged', etag: answer.etag, lastModified: answer.lastModified }
        case 'failed':
        case 'refused': {
          // It came, and the room that is left was less than it may have.
          if (answer.httpStatus === 200 && spool.room < bytesMax) return missFull()
          if (GONE.has(answer.httpStatus)) return { status: 'gone', sentence: answer.sentence }
          missed++
          problem(codeOf(answer), answer.sentence)
          return { status: 'missed' }
        }
      }
    },
    async keep(body, { kept, format, records = null, expectsOffer = true }) {
      if (spool.earlier(body.asked) === undefined) {
        await spool.add({ ...body, kept, format, records, expectsOffer })
      }
    },
    async leave({ asked, file }, { isSettled }) {
      if (spool.earlier(asked) !== undefined) return
      await rm(file, { force: true })
      if (isSettled) await spool.add({ kept: 'nothing', asked })
    },
    problem,
    cut,
    cutAlready() {
      isCut = true
    },
    leaveUnchanged() {
      isPartial = true
    },
    progress: (queued) => onProgress?.({ documents: spool.documents, bytes: spool.bytes, queued }),
    account: () => ({ missed, isPartial, isCut, problems }),
  }
}

/** What forbids an address by name can be told from a host that cannot be asked. */
function codeOf({ status, url, sentence }: NotCome): string {
  if (status === 'failed') return 'NOT_FETCHED'
  return sentence.startsWith(`${url}: robots.txt `) ? 'ROBOTS' : 'REFUSED'
}
