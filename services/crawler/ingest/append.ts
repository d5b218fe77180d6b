import { observationKey } from '@catalog/core/events/topics.ts'
import { ConflictNames } from '@catalog/crawler/conflicts/conflict-names.ts'
import type { Refusal } from '@catalog/formats/mapping/candidate.ts'
import type { Outcome } from '@catalog/formats/read.ts'
import type { Detected } from '@catalog/formats/read-options.ts'
import {
  type EventBatch,
  observationEvent,
  parkedEvent,
  type Recording,
  recipeEvent,
  sourceKey,
} from './crawl-events.ts'
import { DETECTED_MAX, type Input, type InputFile, latestObservation } from './inputs.ts'
import type { Passes } from './passes.ts'
import {
  bookName,
  booksIn,
  mappedBook,
  type PriceBookFile,
  type ReadPriceBooks,
  readPriceBooks,
} from './price-books.ts'
import type { Candidates } from './survey.ts'
import { contentOf, SOURCES_MAX, type Tallies, type Tally } from './tallies.ts'

/** The result of the second pass. */
export type Appended = Readonly<{
  /** Candidate observations; another number than in the first pass means that the input changed in between. */
  candidates: number
  files: number
  /** Files that end early. */
  filesCut: number
  /** The first {@link DETECTED_MAX}. */
  detected: readonly Detected[]
  parkedByReason: Readonly<Record<string, number>>
  /** The files with recipes by name, whose recipes are read after their prices. */
  priceBooks: ReadonlyMap<string, Detected>
}>

export type AppendDeps = Readonly<{ batch: EventBatch; tallies: Tallies; recording: Recording }>

const TOO_MANY_SOURCES = {
  reason: 'TOO_MANY_SOURCES',
  detail: `the input names more than ${SOURCES_MAX} sources: is the right column mapped?`,
}

/** The second pass over an input: appends its observations and parks the records that it cannot record. */
export async function appendRecords(
  passes: Passes,
  { conflictOf, isDuplicate }: Candidates,
  deps: AppendDeps,
): Promise<Appended> {
  const { batch, tallies, recording } = deps
  const parkedByReason: Record<string, number> = {}
  const seen = new SeenFiles({ hasRecipes: passes.input.options.mapping?.recipes !== undefined })
  const conflicts = new ConflictNames()
  let candidates = 0
  const park = async (tally: Tally, outcome: Outcome, refusal: Omit<Refusal, 'source'>) => {
    tally.parked++
    parkedByReason[refusal.reason] = (parkedByReason[refusal.reason] ?? 0) + 1
    const event = parkedEvent({ sourceId: tally.ref.id, ...recording }, { ...outcome, ...refusal })
    await batch.add(sourceKey(tally.ref.id), event)
  }
  const appendOutcome = async (outcome: Outcome) => {
    const { result } = outcome
    const own = tallies.of('content' in result ? result.content.source : result.source)
    const tally = own ?? tallies.first
    tally.read++
    if (own === null) return park(tally, outcome, TOO_MANY_SOURCES)
    if (!('content' in result)) return park(tally, outcome, result)
    const candidate = candidates++
    const conflict = conflictOf(candidate)
    if (conflict === 'product') return park(tally, outcome, conflicts.refusalOf(result.content, seen.file))
    if (conflict === 'price') return park(tally, outcome, conflicts.priceRefusalOf(result.content, seen.file))
    if (isDuplicate(candidate)) {
      tally.duplicates++
      return
    }
    tally.appended++
    const content = contentOf(result, tally)
    await batch.add(observationKey(tally.ref.id, content.vendor_ref), observationEvent(content, recording))
  }
  for await (const { detected, outcomes } of passes.read(2)) {
    seen.add(detected)
    for (const outcome of outcomes) await appendOutcome(outcome)
  }
  return { candidates, parkedByReason, ...seen.finish() }
}

/** The files of the second pass. A detection is complete only once the next file begins. */
class SeenFiles {
  readonly #detected: Detected[] = []
  readonly #priceBooks = new Map<string, Detected>()
  readonly #hasRecipes: boolean
  #current: Detected | null = null
  #files = 0
  #filesCut = 0

  /** `hasRecipes`: the mapping says where the recipes of a table stand. */
  constructor({ hasRecipes }: Readonly<{ hasRecipes: boolean }>) {
    this.#hasRecipes = hasRecipes
  }

  /** The file of the present outcomes. */
  get file(): Detected | null {
    return this.#current
  }

  add(file: Detected): void {
    if (file === this.#current) return
    this.#endCurrent()
    this.#files++
    this.#current = file
    if (file.format === 'bc3' || (this.#hasRecipes && file.format !== null)) this.#priceBooks.set(bookName(file), file)
    if (this.#detected.length < DETECTED_MAX) this.#detected.push(file)
  }

  finish(): Pick<Appended, 'files' | 'filesCut' | 'detected' | 'priceBooks'> {
    this.#endCurrent()
    this.#current = null
    return {
      files: this.#files,
      filesCut: this.#filesCut,
      detected: this.#detected,
      priceBooks: this.#priceBooks,
    }
  }

  #endCurrent(): void {
    if (this.#current?.complete === false) this.#filesCut++
  }
}

/** Law: read = appended + the sum of refused, by reason. */
export type RecipeCounts = Readonly<{ read: number; appended: number; refused: Readonly<Record<string, number>> }>

type RecipeDeps = AppendDeps &
  Readonly<{
    priceBooks: Appended['priceBooks']
    now: Date
    /** Reads the recipes of a file; in this process by default. */
    readPriceBooks?: ReadPriceBooks | undefined
  }>

/** Appends the recipes of the input's price books. */
export async function appendRecipes(
  input: Input,
  { priceBooks, now, readPriceBooks: read = readPriceBooks, ...deps }: RecipeDeps,
): Promise<RecipeCounts> {
  const { batch, recording } = deps
  const counts = { read: 0, appended: 0 }
  const refused: Record<string, number> = {}
  const books = [...priceBooks].flatMap(([name, file]) => priceBookFile(name, file, { input, now, ...deps }))
  if (books.length === 0) return { ...counts, refused }
  for await (const file of input.files()) {
    const inFile = booksIn(file, books)
    if (inFile.length === 0) continue
    for await (const { outcomes } of read(
      file,
      inFile.map((book) => datedAs(book, file)),
    )) {
      for (const outcome of outcomes) {
        counts.read++
        if ('content' in outcome) {
          counts.appended++
          const { source, vendor_ref } = outcome.content
          await batch.add(observationKey(source.id, vendor_ref), recipeEvent(outcome, recording))
        } else refused[outcome.reason] = (refused[outcome.reason] ?? 0) + 1
      }
    }
  }
  return { ...counts, refused }
}

/** A price book with the findings of its prices; none for one that could not be read, or whose source is one too many. */
function priceBookFile(
  name: string,
  { bc3: header, encoding, source, format, edition }: Detected,
  { input, now, tallies }: Readonly<{ input: Input; now: Date; tallies: Tallies }>,
): PriceBookFile[] {
  const tally = tallies.of(source)
  if (tally === null) return []
  const { mapping, currency, observedAt } = input.options
  const options = {
    source: tally.ref,
    notAfter: latestObservation(now),
    currency: mapping?.constants?.currency ?? currency,
    observedAt: mapping?.constants?.observed_at ?? observedAt,
  }
  if (header !== null && encoding !== null) return [{ name, options: { ...options, header, encoding: encoding.used } }]
  return mappedBook({ name, format, edition }, { ...options, mapping })
}

/** A price book whose prices were seen when its document was fetched, where nothing else says when. */
function datedAs(book: PriceBookFile, { options }: InputFile): PriceBookFile {
  const observedAt = options?.observedAt
  if ('mapped' in book) return { ...book, mapped: { ...book.mapped, observedAt: book.mapped.observedAt ?? observedAt } }
  return { ...book, options: { ...book.options, observedAt: book.options.observedAt ?? observedAt } }
}
