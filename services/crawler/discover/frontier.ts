import { rm } from 'node:fs/promises'
import { type CrawlProblem, PROBLEMS_MAX } from '@catalog/core/events/crawls.ts'
import { instant } from '@catalog/core/time.ts'
import { documentName, withoutSecrets } from '@catalog/crawler/fetch/document-name.ts'
import { type Fetched, type Fetcher, isRobotsRefusal, type NotFetchedAs } from '@catalog/crawler/fetch/fetcher.ts'
import type { Clock } from '@catalog/crawler/fetch/host-queue.ts'
import type { OwnHeaders } from '@catalog/crawler/fetch/own-headers.ts'
import type { Spool, SpooledBody } from './spool.ts'

export type FrontierRequest = Readonly<{
  /** Bounds the decoded body. */
  bytesMax: number
  /** Defers a failed address of a paused host until the others were fetched, instead of waiting for the host. */
  isDeferrable?: boolean
  /** A page or a sitemap named it: where robots.txt forbids it, it is no document of the source. */
  isLink?: boolean
  etag?: string | null
  lastModified?: string | null
}>
export type FetchOutcome =
  | Readonly<{ status: 'fetched'; body: Body }>
  /** An earlier attempt at this crawl found nothing there. */
  | Readonly<{ status: 'settled' }>
  | Readonly<{ status: 'unchanged'; etag: string | null; lastModified: string | null }>
  /** 404 or 410, not yet reported as a problem. The sentence may hold the keys of an address. */
  | Readonly<{ status: 'gone'; sentence: string }>
  /** A link that robots.txt forbids: no document of the source. */
  | Readonly<{ status: 'forbidden' }>
  /** Its host is paused; fetch it once more later. */
  | Readonly<{ status: 'deferred' }>
  /** Counted, and reported as a problem. */
  | Readonly<{ status: 'missed' }>

/** A body in the spool's folder. */
export type Body = Omit<SpooledBody, 'kept' | 'format' | 'records' | 'expectsOffer'>
/** A file of this machine after its copy into the spool. */
export type CopiedFile =
  | Readonly<{ body: Pick<Body, 'url' | 'name' | 'etag' | 'bytes' | 'sha256'>; modifiedMs: number }>
  /** The validator under which it is what it was. */
  | Readonly<{ unchanged: string }>
  | Readonly<{ problem: string }>
type Purpose = Pick<SpooledBody, 'kept' | 'format'> & Partial<Pick<SpooledBody, 'records' | 'expectsOffer'>>

type Summary = Readonly<{
  missed: number
  /** Links that robots.txt forbids. */
  forbidden: number
  /** Unchanged documents were left out. */
  isPartial: boolean
  /** Documents are missing that nobody can count. */
  isIncomplete: boolean
  problems: readonly CrawlProblem[]
}>

export type GatherProgress = Readonly<{ documents: number; bytes: number; queued: number }>

/** Bounds the problems of one code to leave room for others. */
const PROBLEMS_OF_CODE_MAX = 10
/** The longest pause of a host that a crawl waits for. */
const PAUSE_MS_MAX = 15 * 60_000
/** Pauses in a row without a body: the host will not be back soon. */
const PAUSES_IN_ROW_MAX = 2
/** Pauses that one crawl waits for. */
const PAUSES_MAX = 12
/** RFC 9110 15.5.5, 15.5.11. */
const GONE = new Set<number | null>([404, 410])

type FrontierOptions = Readonly<{
  fetcher: Pick<Fetcher, 'get'>
  spool: Spool
  clock: Clock
  signal: AbortSignal | undefined
  /** Addresses that the crawl may fetch, sitemaps excepted. */
  pagesMax: number
  /** Waits for hosts that ask for a pause. */
  isPatient: boolean
  onProgress: ((progress: GatherProgress) => void) | undefined
  own?: OwnHeaders | undefined
}>

/**
 * The frontier of a crawl: admits each address once, while there is room, fetches its document into the spool, and collects the
 * problems. It does not fetch again what an earlier attempt at the crawl has spooled.
 */
export class Frontier {
  readonly #options: FrontierOptions
  readonly #known = new Set<string>()
  readonly #problems: CrawlProblem[] = []
  readonly #pauses = { count: 0, inRow: 0 }
  readonly #pausedUntilMs = new Map<string, number>()
  #admitted = 0
  #missed = 0
  #forbidden = 0
  #isPartial = false
  #isIncomplete = false
  #isFull = false

  constructor(options: FrontierOptions) {
    this.#options = options
  }

  /** False of a known address, and of any once `pagesMax` were admitted, which is a problem. */
  admit(url: string): boolean {
    if (this.#known.has(url) || !this.hasRoom()) return false
    this.#admitted++
    this.#known.add(url)
    return true
  }

  /** Whether another address can be admitted. A full frontier is a problem. */
  hasRoom(): boolean {
    const { pagesMax } = this.#options
    if (this.#admitted < pagesMax) return true
    const detail = `more than ${pagesMax} addresses to fetch, expected at most that many (pages_max)`
    this.reportIncomplete('PAGES_MAX', detail)
    return false
  }

  /** Marks the target of a redirect as known; false where it was known already. */
  redirectedTo(url: string): boolean {
    const isNew = !this.#known.has(url)
    this.#known.add(url)
    return isNew
  }

  /** Fetches an admitted address. Throws the signal's reason, and what the disk throws. */
  async fetch(
    address: string,
    { bytesMax, isDeferrable = false, isLink = false, ...conditions }: FrontierRequest,
  ): Promise<FetchOutcome> {
    const { spool, signal, pagesMax, own } = this.#options
    signal?.throwIfAborted()
    const settled = this.#settledBefore(address)
    if (settled !== null) return settled
    if (spool.documents >= pagesMax) {
      this.#missed++
      this.reportIncomplete(
        'PAGES_MAX',
        `an earlier attempt fetched ${pagesMax} documents, expected at most that many (pages_max)`,
      )
      return { status: 'missed' }
    }
    const file = spool.next()
    const limits = { decodedBytesMax: Math.min(bytesMax, spool.room) }
    const request = { into: file, limits, isDeferrable, ...conditions, own, ...(signal && { signal }) }
    const fetched = await this.#fetchPatiently(address, request)
    if (fetched === null) return { status: 'deferred' }
    switch (fetched.status) {
      case 'fetched': {
        const {
          url,
          etag,
          lastModified,
          contentType,
          charset,
          robotsTag = null,
          nextLink = null,
          bytes,
          sha256,
        } = fetched
        const fetchedAt = instant(new Date(this.#options.clock.now()))
        const found = { url, name: documentName(url), contentType, charset, fetchedAt, bytes, sha256 }
        return { status: 'fetched', body: { asked: address, file, ...found, etag, lastModified, robotsTag, nextLink } }
      }
      case 'not modified':
        return { status: 'unchanged', etag: fetched.etag, lastModified: fetched.lastModified }
      case 'failed':
      case 'refused':
        // A 200 without a body: the room in the spool was less than the body's bound.
        if (fetched.httpStatus === 200 && spool.room < bytesMax) return this.#missFull()
        if (GONE.has(fetched.httpStatus)) return { status: 'gone', sentence: fetched.sentence }
        if (isLink && codeOf(fetched) === 'ROBOTS') {
          this.#forbidden++
          return { status: 'forbidden' }
        }
        this.#missed++
        this.report(codeOf(fetched), fetched.sentence)
        return { status: 'missed' }
    }
  }

  /**
   * Reads an admitted file of this machine, as {@link fetch} does an address: `copy` writes it to a path in the spool, or says that
   * it did not change or cannot be read.
   */
  async read(address: string, copy: (into: string) => Promise<CopiedFile>): Promise<FetchOutcome> {
    const { spool, clock } = this.#options
    const settled = this.#settledBefore(address)
    if (settled !== null) return settled
    const file = spool.next()
    const copied = await copy(file)
    if ('unchanged' in copied) return { status: 'unchanged', etag: copied.unchanged, lastModified: null }
    if ('problem' in copied) {
      this.#missed++
      this.report('NOT_READ', copied.problem)
      return { status: 'missed' }
    }
    const fetchedAt = instant(new Date(Math.min(copied.modifiedMs, clock.now())))
    const unsaid = { contentType: null, charset: null, lastModified: null, robotsTag: null, nextLink: null }
    return { status: 'fetched', body: { asked: address, file, fetchedAt, ...unsaid, ...copied.body } }
  }

  /** What an earlier attempt found at an address, or why nothing more fits; null where it is to be fetched. */
  #settledBefore(address: string): FetchOutcome | null {
    const { spool } = this.#options
    const earlier = spool.earlier(address)
    if (earlier !== undefined) {
      return earlier.kept === 'nothing' ? { status: 'settled' } : { status: 'fetched', body: earlier }
    }
    return this.#isFull || spool.room <= 0 ? this.#missFull() : null
  }

  /** Adds a body to the spool, unless an earlier attempt did. */
  async keep(body: Body, { kept, format, records = null, expectsOffer = true }: Purpose): Promise<void> {
    const { spool } = this.#options
    if (spool.earlier(body.asked) === undefined) await spool.add({ ...body, kept, format, records, expectsOffer })
  }

  /** Deletes a body. With `isSettled` a later attempt does not fetch it again. */
  async discard({ asked, file }: Body, { isSettled }: Readonly<{ isSettled: boolean }>): Promise<void> {
    const { spool } = this.#options
    if (spool.earlier(asked) !== undefined) return
    await rm(file, { force: true })
    if (isSettled) await spool.add({ kept: 'nothing', asked })
  }

  /** Reports a problem, once for each detail. */
  report(code: string, sentence: string): void {
    const detail = withoutSecrets(sentence)
    const alike = this.#problems.filter((known) => known.code === code)
    if (this.#problems.length >= PROBLEMS_MAX || alike.length >= PROBLEMS_OF_CODE_MAX) return
    if (!alike.some((known) => known.detail === detail)) this.#problems.push({ code, detail })
  }

  /** Reports a problem that hides documents which nobody can count. */
  reportIncomplete(code: string, sentence: string): void {
    this.markIncomplete()
    this.report(code, sentence)
  }

  /** As {@link reportIncomplete}, where the problem is reported already. */
  markIncomplete(): void {
    this.#isIncomplete = true
  }

  /** Marks the crawl as one that left out unchanged documents. */
  markPartial(): void {
    this.#isPartial = true
  }

  /** `queued`: addresses that wait. */
  reportProgress(queued: number): void {
    const { spool, onProgress } = this.#options
    onProgress?.({ documents: spool.documents, bytes: spool.bytes, queued })
  }

  summary(): Summary {
    return {
      missed: this.#missed,
      forbidden: this.#forbidden,
      isPartial: this.#isPartial,
      isIncomplete: this.#isIncomplete,
      problems: this.#problems,
    }
  }

  #missFull(): FetchOutcome {
    const { spool } = this.#options
    this.#isFull = true
    this.#missed++
    this.reportIncomplete('SPOOL_FULL', spool.limit)
    return { status: 'missed' }
  }

  /**
   * Waits while the host is paused, then fetches. Retries an address once after a pause that its own request caused, or returns
   * null to defer it.
   */
  async #fetchPatiently(
    address: string,
    { isDeferrable, ...request }: Parameters<Fetcher['get']>[1] & Readonly<{ isDeferrable: boolean }>,
  ): Promise<Fetched | null> {
    const { fetcher, clock, signal } = this.#options
    const host = URL.parse(address)?.hostname ?? ''
    for (let isSecond = false; ; ) {
      const waitMs = (this.#pausedUntilMs.get(host) ?? 0) - clock.now()
      if (waitMs > 0) await clock.sleep(waitMs, signal)
      const fetched = await fetcher.get(address, request)
      if (fetched.status === 'fetched' || fetched.status === 'not modified') {
        this.#pauses.inRow = 0
        return fetched
      }
      const { retryAt, isRequested } = fetched
      const isPaused = retryAt !== null && this.#isRetryable(fetched) && this.#mayPause(host, retryAt.getTime())
      if (!isPaused || (isSecond && isRequested)) return fetched
      if (isRequested && isDeferrable) return null
      isSecond ||= isRequested
    }
  }

  /** A host whose robots.txt never answered may not exist, or may forbid every request. */
  #isRetryable({ status, httpStatus }: NotFetchedAs): boolean {
    const { isPatient, spool } = this.#options
    return isPatient && (status === 'failed' || httpStatus !== null || spool.documents > 0)
  }

  /** Whether to wait for a host: only for a short pause, and only while earlier pauses helped. */
  #mayPause(host: string, retryAtMs: number): boolean {
    const nowMs = this.#options.clock.now()
    if (retryAtMs - nowMs > PAUSE_MS_MAX) return false
    const knownMs = this.#pausedUntilMs.get(host) ?? 0
    // Requests in progress when a pause began share that pause.
    if (nowMs >= knownMs) {
      if (this.#pauses.count >= PAUSES_MAX || this.#pauses.inRow >= PAUSES_IN_ROW_MAX) return false
      this.#pauses.count++
      this.#pauses.inRow++
    }
    this.#pausedUntilMs.set(host, Math.max(knownMs, retryAtMs))
    return true
  }
}

/** Tells an address that robots.txt forbids from a host whose robots.txt cannot be read. */
function codeOf(found: NotFetchedAs): string {
  if (found.status === 'failed') return 'NOT_FETCHED'
  return isRobotsRefusal(found) ? 'ROBOTS' : 'REFUSED'
}
