import type { CrawlProblem } from '@catalog/core/events/crawls.ts'
import type { ObservationContent } from '@catalog/formats/mapping/candidate.ts'
import { problemWith } from './examples.ts'

/** Gives a sentence for each record whose reference stood for another article before. */
export type ReuseCheck = (records: readonly ObservationContent[]) => Promise<readonly string[]>

/** Records that are compared with what their references stood for: some seconds of a crawl. */
const COMPARED_MAX = 20_000

/** Counts the references of a crawl that stand for another article than before. They hold no crawl: the next run tells them apart. */
export class ReusedReferences {
  readonly #check: (() => Promise<ReuseCheck>) | undefined
  #added = 0
  readonly #waiting: ObservationContent[] = []
  /** A reference has a record for each quantity. */
  readonly #found = new Set<string>()
  #opened: Promise<ReuseCheck> | undefined

  constructor(check: (() => Promise<ReuseCheck>) | undefined) {
    this.#check = check
  }

  add(record: () => ObservationContent): void {
    if (this.#check !== undefined && this.#added++ < COMPARED_MAX) this.#waiting.push(record())
  }

  /** Compares the records that were added; before they are appended, or they would be compared with themselves. */
  async compare(): Promise<void> {
    if (this.#check === undefined || this.#waiting.length === 0) return
    this.#opened ??= this.#check()
    const check = await this.#opened
    for (const found of await check(this.#waiting.splice(0))) this.#found.add(found)
  }

  problems(): readonly CrawlProblem[] {
    if (this.#found.size === 0) return []
    const detail = `references that stand for another article than before: ${this.#found.size}; the next run tells them apart: catalog review reused`
    return [problemWith({ code: 'REFERENCES_REUSED', detail }, [...this.#found])]
  }
}
