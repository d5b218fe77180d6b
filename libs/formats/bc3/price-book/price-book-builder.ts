import type {
  Bc3Entry,
  CoefficientsEntry,
  ConceptEntry,
  DecompositionEntry,
  MeasurementEntry,
  RecodeEntry,
  VersionEntry,
} from '@catalog/formats/bc3/entries.ts'
import type { DiagnosticLog } from '@catalog/formats/bc3/entry-stream.ts'
import { cycleThrough, stronglyConnected } from './dependency-order.ts'
import { type Draft, isDescribed, NO_TEXTS, newDraft, type Report } from './draft.ts'
import { type PendingMeasurement, placeMeasurements } from './measurement-placement.ts'
import type { Concept, PriceBook } from './price-book.ts'
import { countReferences } from './references.ts'

/** Codes of a cycle that a diagnostic names. */
const CYCLE_CODES_MAX = 12

/** Builds the price book of these entries, in their order, and logs contradictions between them. Never throws. */
export async function buildPriceBook(
  batches: AsyncIterable<readonly Bc3Entry[]> | Iterable<readonly Bc3Entry[]>,
  log: DiagnosticLog,
): Promise<PriceBook> {
  const builder = new PriceBookBuilder(log)
  for await (const batch of batches) for (const entry of batch) builder.apply(entry)
  return builder.build()
}

/**
 * Applies the records of a file in their order. Later records win field by field: a blank field keeps the former value,
 * `0` withdraws a number and `NUL` a text. ~D replaces a recipe and ~Y extends it; ~M replaces a measurement and ~N
 * extends it; ~B changes the code of a concept.
 */
export class PriceBookBuilder {
  readonly #report: Report
  readonly #byCode = new Map<string, Draft>()
  readonly #bySynonym = new Map<string, Draft>()
  readonly #families = new Map<string, { line: number }>()
  readonly #pending: PendingMeasurement[] = []
  readonly #loose: MeasurementEntry[] = []
  #version: VersionEntry | null = null
  #coefficients: CoefficientsEntry | null = null

  constructor(log: DiagnosticLog) {
    this.#report = (line, code, message) => log.add({ line, code, message })
  }

  /** The concept that a code or synonym means after the entries so far; the finished book holds the same object. */
  conceptAt(code: string): Concept | undefined {
    return this.#byCode.get(code) ?? this.#bySynonym.get(code)
  }

  apply(entry: Bc3Entry): void {
    switch (entry.letter) {
      case 'V':
        this.#version = entry
        break
      case 'K':
        this.#coefficients = entry
        break
      case 'C':
        this.#define(entry)
        break
      case 'D':
      case 'Y':
        this.#decompose(entry)
        break
      case 'T': {
        const draft = this.#draftOf(entry.code)
        draft.text = overwritten(draft.text, entry.text)
        draft.firstLine ??= entry.line
        break
      }
      case 'M':
      case 'N':
        if (entry.parent === '') this.#loose.push(entry)
        else this.#pending.push({ parent: this.#draftOf(entry.parent), child: this.#draftOf(entry.code), entry })
        break
      case 'B':
        this.#recode(entry)
        break
      case 'raw':
        if (entry.of === 'P') this.#families.set(entry.fields[0]?.[0] ?? '', { line: entry.line })
        break
      default:
      // Keys change neither recipes nor prices.
    }
  }

  build(): PriceBook {
    const report = this.#report
    resolveSynonyms(this.#byCode.values(), this.#bySynonym)
    placeMeasurements(this.#pending, { report, loose: this.#loose })
    const described = [...this.#byCode.values()].filter(isDescribed)
    const families = countReferences(described, { families: this.#families, report })
    const concepts = new Map<string, Concept>()
    for (const draft of described) concepts.set(draft.code, draft)
    const roots = described.filter(({ suffix }) => suffix === '##')
    for (const { line, code, firstLine } of roots.slice(1)) {
      report(line ?? firstLine ?? 1, 'SEVERAL_ROOTS', `~C ${code}##: the root is ${roots[0]?.code} already`)
    }
    return {
      version: this.#version,
      coefficients: this.#coefficients,
      concepts,
      ...orderOf(described, report),
      root: roots[0] ?? null,
      families,
      loose: this.#loose,
    }
  }

  #draftOf(code: string): Draft {
    const known = this.#byCode.get(code) ?? this.#bySynonym.get(code)
    if (known !== undefined) return known
    const draft = newDraft(code)
    this.#byCode.set(code, draft)
    return draft
  }

  #define(entry: ConceptEntry): void {
    const draft = this.#draftOf(entry.code)
    if (draft.line !== null) {
      const message = `~C ${draft.code}: also on line ${draft.line}; its new values replace the former ones`
      this.#report(entry.line, 'DUPLICATE_CONCEPT', message)
    }
    draft.line = entry.line
    if (entry.suffix !== '') draft.suffix = entry.suffix
    draft.unit = overwritten(draft.unit, entry.unit)
    draft.summary = overwritten(draft.summary, entry.summary)
    draft.type = overwritten(draft.type, entry.type)
    if (entry.prices.length > 0) draft.prices = entry.prices
    if (entry.dates.length > 0) draft.dates = entry.dates
    if (entry.synonyms.length > 0) draft.synonyms = entry.synonyms
    for (const synonym of entry.synonyms) if (!this.#bySynonym.has(synonym)) this.#bySynonym.set(synonym, draft)
  }

  #decompose(entry: DecompositionEntry): void {
    if (entry.lines.length === 0) return
    const draft = this.#draftOf(entry.code)
    if (draft.line === null && entry.suffix !== '') draft.suffix = entry.suffix
    if (entry.letter === 'D') {
      if (draft.components.length > 0) {
        this.#report(entry.line, 'DUPLICATE_DECOMPOSITION', `~D ${draft.code}: replaces its former recipe`)
      }
      draft.components = []
    }
    for (const { code, factor, yield: yielded, percentages } of entry.lines) {
      const named = percentages.length === 0 ? NO_TEXTS : percentages
      draft.components.push({ concept: this.#draftOf(code), factor, yield: yielded, percentages: named })
    }
    draft.firstLine ??= entry.line
  }

  #recode(entry: RecodeEntry): void {
    const draft = this.#byCode.get(entry.code)
    if (draft === undefined) {
      this.#report(entry.line, 'RECODE_OF_UNKNOWN', `~B ${entry.code}: no record describes this concept`)
    } else if (entry.newCode === '') {
      // Recipes still refer to it, as to any concept that the file does not define.
      Object.assign(draft, newDraft(entry.code))
    } else if (this.#byCode.has(entry.newCode)) {
      const message = `~B ${entry.code}: its new code ${entry.newCode} is taken; the concept keeps its code`
      this.#report(entry.line, 'RECODE_TO_KNOWN', message)
    } else {
      this.#byCode.delete(entry.code)
      draft.code = entry.newCode
      this.#byCode.set(entry.newCode, draft)
    }
  }
}

/** The value of a field after a later record: a blank keeps the former value, NUL removes it. */
function overwritten(before: string, now: string): string {
  if (now === '') return before
  return now === 'NUL' ? '' : now
}

/** Repoints components that name a synonym before the file defines its concept. */
function resolveSynonyms(drafts: Iterable<Draft>, bySynonym: ReadonlyMap<string, Draft>): void {
  if (bySynonym.size === 0) return
  for (const { components } of drafts) {
    for (const [i, component] of components.entries()) {
      const concept = component.concept as Draft
      const main = isDescribed(concept) ? undefined : bySynonym.get(concept.code)
      if (main !== undefined) components[i] = { ...component, concept: main }
    }
  }
}

/** Orders components before the recipes that use them, and reports each cycle once. */
function orderOf(described: readonly Draft[], report: Report): Pick<PriceBook, 'order' | 'cyclic'> {
  const cyclic = new Set<Concept>()
  const order: Concept[] = []
  const childAt = ({ components }: Draft, place: number) => components[place]?.concept as Draft | undefined
  for (const members of stronglyConnected(described, childAt)) {
    for (const member of members) if (isDescribed(member)) order.push(member)
    const [first] = members as [Draft]
    const path = cycleThrough(first, members, childAt)
    if (path === null) continue
    for (const member of members) cyclic.add(member)
    const codes = path.map(({ code }) => code)
    const named = codes.length > CYCLE_CODES_MAX ? [...codes.slice(0, CYCLE_CODES_MAX), '…'] : codes
    const line = first.firstLine ?? first.line ?? 1
    report(line, 'CYCLE', `a recipe that needs itself: ${[...named, first.code].join(' → ')}`)
  }
  return { order, cyclic }
}
