import type {
  Bc3Entry,
  CoefficientsEntry,
  ConceptEntry,
  DecompositionEntry,
  MeasurementEntry,
  MeasurementLine,
  RecodeEntry,
  VersionEntry,
} from '@catalog/formats/bc3/entries.ts'
import type { DiagnosticLog } from '@catalog/formats/bc3/entry-stream.ts'
import { exact, exactText, plus } from './decimal.ts'
import { cycleThrough, groupsOf } from './dependency-order.ts'

/**
 * What a FIEBDC-3 file says in the end: its records, applied in their order. Later records win field by field, a blank
 * field says nothing, `0` takes a number back and `NUL` a text; ~D replaces a recipe and ~Y adds to it, ~M replaces a
 * measurement and ~N adds to it, ~B gives a concept another code.
 */
export type PriceBook = Readonly<{
  /** The last ~V; null for a fragment. */
  version: VersionEntry | null
  /** The last ~K; null where there is none. */
  coefficients: CoefficientsEntry | null
  /** By code, in the order in which the file first speaks of them; those that are only referred to are not in it. */
  concepts: ReadonlyMap<string, Concept>
  /** The same, what recipes hold before what holds it; those of a cycle next to each other. */
  order: readonly Concept[]
  /** Those whose recipe needs itself, directly or through others. */
  cyclic: ReadonlySet<Concept>
  /** The concept with `##`; null in a fragment. */
  root: Concept | null
  families: readonly Family[]
  /** Measurements of no concept's components: a list without structure. */
  loose: readonly MeasurementEntry[]
}>

export type Concept = Pick<
  ConceptEntry,
  'code' | 'suffix' | 'synonyms' | 'unit' | 'summary' | 'prices' | 'dates' | 'type'
> &
  Readonly<{
    /** Line of its last ~C; null without any: other records refer to it. */
    line: number | null
    text: string
    /** Its recipe, or what a chapter holds; empty for what is bought as it is. */
    components: readonly Component[]
    /** Measurements of its components, by their position from 1. */
    measurements: ReadonlyMap<number, Measurement>
  }>

/** The quantity is factor × yield, where blank (null) is 1 and "0" is 0. */
export type Component = Readonly<{
  /** Refers to the concept itself, so that ~B renames it everywhere; `line` null: the file has no such concept. */
  concept: Concept
  factor: string | null
  yield: string | null
  /** Codes of the percentages that apply to the line, where the file names them. */
  percentages: readonly string[]
}>

export type Measurement = Readonly<{ line: number; total: string | null; lines: readonly MeasurementLine[] }>

/** A parametric family: prices and recipes that a program computes. Not supported; `references` lines of recipes want it. */
export type Family = Readonly<{ code: string; line: number; references: number }>

/** The declared price of a concept under a label of ~V, from 0: there may be fewer prices than labels. */
export function priceOf(concept: Concept, label: number): string {
  return concept.prices[Math.min(label, concept.prices.length - 1)] ?? ''
}

export function isChapter(concept: Concept): boolean {
  return concept.suffix !== ''
}

/** A component that is a share of the lines before it, and not a concept with a price. */
export function isPercentage(code: string): boolean {
  return code.includes('%') || code.includes('&')
}

/** As the file's records build it. */
type Draft = {
  -readonly [Key in keyof Concept]: Concept[Key]
} & {
  components: Component[]
  measurements: Map<number, Measurement>
  /** Line of the first record about it beside ~C; null: others only refer to it. */
  saidOn: number | null
}

type PendingMeasurement = { parent: Draft; child: Draft; entry: MeasurementEntry }

/** Codes of a cycle that are named. */
const CYCLE_CODES_MAX = 12
/** The family code's own characters, before the `$` at its seventh place. */
const FAMILY_PREFIX_CHARS = 6

/** The book that these entries make, in their order; `log` is told of what does not fit together. Never throws. */
export async function bookOf(
  batches: AsyncIterable<readonly Bc3Entry[]> | Iterable<readonly Bc3Entry[]>,
  log: DiagnosticLog,
): Promise<PriceBook> {
  const drafting = openDrafting(log)
  for await (const batch of batches) for (const entry of batch) drafting.apply(entry)
  return drafting.finish()
}

type Note = (line: number, code: string, message: string) => void

/**
 * A book in the making, for whoever looks at it between entries: `at` is the concept that a code or synonym means at this
 * place of the file, the very one that the book will have.
 */
export function openDrafting(log: DiagnosticLog): Readonly<{
  apply(entry: Bc3Entry): void
  at(code: string): Concept | undefined
  finish(): PriceBook
}> {
  const note: Note = (line, code, message) => log.add({ line, code, message })
  const byCode = new Map<string, Draft>()
  const bySynonym = new Map<string, Draft>()
  const families = new Map<string, { line: number }>()
  const pending: PendingMeasurement[] = []
  const loose: MeasurementEntry[] = []
  let version: VersionEntry | null = null
  let coefficients: CoefficientsEntry | null = null

  function draftOf(code: string): Draft {
    const known = byCode.get(code) ?? bySynonym.get(code)
    if (known !== undefined) return known
    const draft = newDraft(code)
    byCode.set(code, draft)
    return draft
  }

  function define(entry: ConceptEntry): void {
    const draft = draftOf(entry.code)
    if (draft.line !== null) {
      note(entry.line, 'DUPLICATE_CONCEPT', `~C ${draft.code}: also on line ${draft.line}; what it says anew holds`)
    }
    draft.line = entry.line
    if (entry.suffix !== '') draft.suffix = entry.suffix
    draft.unit = later(draft.unit, entry.unit)
    draft.summary = later(draft.summary, entry.summary)
    draft.type = later(draft.type, entry.type)
    if (entry.prices.length > 0) draft.prices = entry.prices
    if (entry.dates.length > 0) draft.dates = entry.dates
    if (entry.synonyms.length > 0) draft.synonyms = entry.synonyms
    for (const synonym of entry.synonyms) if (!bySynonym.has(synonym)) bySynonym.set(synonym, draft)
  }

  function decompose(entry: DecompositionEntry): void {
    if (entry.lines.length === 0) return
    const draft = draftOf(entry.code)
    if (draft.line === null && entry.suffix !== '') draft.suffix = entry.suffix
    if (entry.letter === 'D') {
      if (draft.components.length > 0) {
        note(entry.line, 'DUPLICATE_DECOMPOSITION', `~D ${draft.code}: replaces the recipe that it had`)
      }
      draft.components = []
    }
    for (const { code, factor, yield: yielded, percentages } of entry.lines) {
      const named = percentages.length === 0 ? NONE : percentages
      draft.components.push({ concept: draftOf(code), factor, yield: yielded, percentages: named })
    }
    draft.saidOn ??= entry.line
  }

  function recode(entry: RecodeEntry): void {
    const draft = byCode.get(entry.code)
    if (draft === undefined) {
      note(entry.line, 'RECODE_OF_UNKNOWN', `~B ${entry.code}: no record speaks of this concept`)
    } else if (entry.newCode === '') {
      // Recipes go on referring to it, as to any concept that the file lacks.
      Object.assign(draft, newDraft(entry.code))
    } else if (byCode.has(entry.newCode)) {
      note(entry.line, 'RECODE_TO_KNOWN', `~B ${entry.code}: its new code ${entry.newCode} is taken; kept`)
    } else {
      byCode.delete(entry.code)
      draft.code = entry.newCode
      byCode.set(entry.newCode, draft)
    }
  }

  function apply(entry: Bc3Entry): void {
    switch (entry.letter) {
      case 'V':
        version = entry
        break
      case 'K':
        coefficients = entry
        break
      case 'C':
        define(entry)
        break
      case 'D':
      case 'Y':
        decompose(entry)
        break
      case 'T': {
        const draft = draftOf(entry.code)
        draft.text = later(draft.text, entry.text)
        draft.saidOn ??= entry.line
        break
      }
      case 'M':
      case 'N':
        if (entry.parent === '') loose.push(entry)
        else pending.push({ parent: draftOf(entry.parent), child: draftOf(entry.code), entry })
        break
      case 'B':
        recode(entry)
        break
      case 'P':
        families.set(entry.code, { line: entry.line })
        break
      default:
      // Specifications, pictures, entities and keys say nothing of what a concept is made of and costs.
    }
  }

  function finish(): PriceBook {
    resolveSynonyms(byCode.values(), bySynonym)
    placeMeasurements(pending, { note, loose })
    const { known, named } = countReferences(byCode, { families, note })
    const concepts = new Map<string, Concept>()
    for (const draft of known) concepts.set(draft.code, draft)
    const roots = known.filter(({ suffix }) => suffix === '##')
    for (const { line, code, saidOn } of roots.slice(1)) {
      note(line ?? saidOn ?? 1, 'SEVERAL_ROOTS', `~C ${code}##: the root is ${roots[0]?.code} already`)
    }
    const { order, cyclic } = orderOf(known, note)
    return { version, coefficients, concepts, order, cyclic, root: roots[0] ?? null, families: named, loose }
  }

  return { apply, at: (code) => byCode.get(code) ?? bySynonym.get(code), finish }
}

function newDraft(code: string): Draft {
  return {
    code,
    suffix: '',
    line: null,
    saidOn: null,
    unit: '',
    summary: '',
    type: '',
    text: '',
    synonyms: NONE,
    prices: NONE,
    dates: NONE,
    components: [],
    measurements: NO_MEASUREMENTS,
  }
}
const NONE: readonly string[] = []
/** Few concepts measure what they hold. */
const NO_MEASUREMENTS = new Map<number, Measurement>()

/** What a field says after it said `before`: a blank one says nothing, NUL that there is none. */
function later(before: string, now: string): string {
  if (now === '') return before
  return now === 'NUL' ? '' : now
}

/** Components that stand under a synonym of a concept which was not known yet. */
function resolveSynonyms(drafts: Iterable<Draft>, bySynonym: ReadonlyMap<string, Draft>): void {
  if (bySynonym.size === 0) return
  for (const { components } of drafts) {
    for (const [i, component] of components.entries()) {
      const concept = component.concept as Draft
      const main = isKnown(concept) ? undefined : bySynonym.get(concept.code)
      if (main !== undefined) components[i] = { ...component, concept: main }
    }
  }
}

/**
 * Each measurement to the component at its position, which is the last number of its path; where another concept stands
 * there, to the only component with its code; where there is none, and in a fragment without recipes, to the loose ones.
 */
function placeMeasurements(
  pending: readonly PendingMeasurement[],
  { note, loose }: { note: Note; loose: MeasurementEntry[] },
): void {
  const bare = new Set<Draft>()
  const known = new Map<Draft, ReturnType<typeof positionsOf>>()
  const onlyIn = (parent: Draft) => {
    const positions = known.get(parent) ?? positionsOf(parent)
    known.set(parent, positions)
    return positions
  }
  for (const { parent, child, entry } of pending) {
    const named = `~${entry.letter} ${parent.code}\\${child.code}`
    const given = Number(entry.position.at(-1) ?? Number.NaN)
    const isThere = parent.components[given - 1]?.concept === child
    const position = isThere ? given : (onlyIn(parent).get(child) ?? null)
    if (parent.components.length === 0) {
      loose.push(entry)
      if (!bare.has(parent)) note(entry.line, 'MEASUREMENT_WITHOUT_RECIPE', `${parent.code} is measured, and has no ~D`)
      bare.add(parent)
      continue
    }
    if (position === null) {
      loose.push(entry)
      const path = entry.position.join('\\') || 'none'
      note(entry.line, 'MEASUREMENT_NOT_PLACED', `${named}: position ${path} has no such component`)
      continue
    }
    if (!isThere && !Number.isNaN(given)) {
      note(entry.line, 'MEASUREMENT_MOVED', `${named}: position ${given} is another’s, taken for ${position}`)
    }
    const before = parent.measurements.get(position)
    if (before !== undefined && entry.letter === 'M') {
      note(entry.line, 'DUPLICATE_MEASUREMENT', `${named}: replaces the measurement of line ${before.line}`)
    }
    if (parent.measurements === NO_MEASUREMENTS) parent.measurements = new Map()
    parent.measurements.set(position, measurementOf(entry, entry.letter === 'N' ? before : undefined))
  }
}

/** Where each component stands, from 1; null for one that stands several times. */
function positionsOf({ components }: Draft): ReadonlyMap<Concept, number | null> {
  const positions = new Map<Concept, number | null>()
  for (const [i, { concept }] of components.entries()) positions.set(concept, positions.has(concept) ? null : i + 1)
  return positions
}

function measurementOf({ line, total, lines }: MeasurementEntry, before: Measurement | undefined): Measurement {
  if (before === undefined) return { line, total, lines }
  const [sum, added] = [exact(before.total), exact(total)]
  return {
    line: before.line,
    total: sum !== null && added !== null ? exactText(plus(sum, added)) : (total ?? before.total),
    lines: [...before.lines, ...lines],
  }
}

/**
 * The concepts that records speak of, and the parametric families with the number of lines that refer to one of theirs.
 * Other lines to concepts without a ~C are kept and told of, one diagnostic a concept.
 */
function countReferences(
  drafts: ReadonlyMap<string, Draft>,
  { families, note }: { families: ReadonlyMap<string, { line: number }>; note: Note },
): { known: Draft[]; named: Family[] } {
  const known = [...drafts.values()].filter(isKnown)
  const counted = new Map<string, { code: string; line: number; references: number }>()
  for (const { code, line, saidOn } of known) {
    if (isFamily(code)) counted.set(familyOf(code), { code, line: line ?? saidOn ?? 1, references: 0 })
  }
  for (const [code, { line }] of families) counted.set(familyOf(code), { code, line, references: 0 })

  const missing = new Map<Draft, { by: Draft; lines: number }>()
  for (const by of known) {
    for (const component of by.components) {
      const concept = component.concept as Draft
      const family = counted.size === 0 ? undefined : counted.get(familyOf(concept.code))
      if (family !== undefined && (concept.line === null || isFamily(concept.code))) family.references++
      else if (concept.line === null) {
        const count = missing.get(concept)
        if (count === undefined) missing.set(concept, { by, lines: 1 })
        else count.lines++
      }
    }
  }
  for (const [{ code }, { by, lines }] of missing) {
    const where =
      lines === 1 ? `the recipe of ${by.code} has` : `${lines} lines of recipes have, the first in ${by.code},`
    note(by.saidOn ?? by.line ?? 1, 'MISSING_CONCEPT', `${where} ${code}, which has no ~C`)
  }
  for (const draft of known) {
    if (draft.line === null && !missing.has(draft) && !isFamily(draft.code)) {
      note(draft.saidOn ?? 1, 'MISSING_CONCEPT', `${draft.code} has a text or a recipe, and no ~C`)
    }
  }
  const named = [...counted.values()]
  for (const { code, line, references } of named) {
    const lines = `${references} ${references === 1 ? 'line' : 'lines'} of recipes`
    const what = code === '' ? 'what all parametric families share' : `parametric family ${code}`
    note(line, 'PARAMETRIC_NOT_SUPPORTED', `${what}: not supported, kept as it stands; ${lines} refer to it`)
  }
  return { known, named }
}

/** A family's code has a `$` at its seventh place; those of its variants begin as it does. */
function isFamily(code: string): boolean {
  return code[FAMILY_PREFIX_CHARS] === '$'
}

function familyOf(code: string): string {
  return code.length > FAMILY_PREFIX_CHARS ? code.slice(0, FAMILY_PREFIX_CHARS) : code
}

/** What recipes hold before what holds it, and those that need themselves, each group of them named once. */
function orderOf(known: readonly Draft[], note: Note): Pick<PriceBook, 'order' | 'cyclic'> {
  const cyclic = new Set<Concept>()
  const order: Concept[] = []
  const childAt = ({ components }: Draft, place: number) => components[place]?.concept as Draft | undefined
  for (const members of groupsOf(known, childAt)) {
    for (const member of members) if (isKnown(member)) order.push(member)
    const [first] = members as [Draft]
    const path = cycleThrough(first, members, childAt)
    if (path === null) continue
    for (const member of members) cyclic.add(member)
    const codes = path.map(({ code }) => code)
    const named = codes.length > CYCLE_CODES_MAX ? [...codes.slice(0, CYCLE_CODES_MAX), '…'] : codes
    const line = first.saidOn ?? first.line ?? 1
    note(line, 'CYCLE', `a recipe that needs itself: ${[...named, first.code].join(' → ')}`)
  }
  return { order, cyclic }
}

/** Records speak of it; others are only referred to. */
function isKnown({ line, saidOn }: Draft): boolean {
  return line !== null || saidOn !== null
}
