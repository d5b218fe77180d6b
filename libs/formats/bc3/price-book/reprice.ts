import { DiagnosticLog } from '@catalog/formats/bc3/entry-stream.ts'
import {
  type Counting,
  directOf,
  isNear,
  kept,
  noteLines,
  recipeOf,
  reconciles,
  type Sheet,
  sheetsOf,
} from './costing.ts'
import { type Exact, exactText, minus, plus, times, ZERO } from './decimal.ts'
import { type Concept, isChapter, type PriceBook } from './price-book.ts'
import {
  amountOf,
  type ChapterRule,
  chapterRulesOf,
  chooseChapterRule,
  findRule,
  type Rule,
  ruleName,
  totalOf,
} from './pricing-rule.ts'

/**
 * The prices of a FIEBDC-3 book, computed from its recipes and compared with those that it declares.
 *
 * Programs round differently, and none says how. So every way that is known of them (a {@link Rule}) is tried on every
 * recipe whose components all have a declared price, and the one by which most of them add up is the rule of the whole
 * file: never one for each recipe, for among so many ways one always fits by chance. Of equals, the one by which more come
 * out to the last digit; then the most usual (see {@link findRule}).
 *
 * A recipe reconciles when, from the prices that the file declares of its components, it gives its declared price within
 * one unit of that price's last decimal. Where it does not, the recipe holds and not the price (the standard says so), and
 * what is made of the concept is computed again with the computed price: those that this moves are missed as well.
 */
export type Repriced = Readonly<{
  /** Null: no recipe has a declared price, and `computed` is by the first rule. */
  rule: string | null
  /** Of every concept with a recipe, chapters included, in the order of the book. */
  recipes: ReadonlyMap<string, RepricedConcept>
}>

export type RepricedConcept = Readonly<{
  code: string
  isChapter: boolean
  /** As the file has it; null where it has none, or 0, which is none. */
  declared: string | null
  /** Null: a component has no price at all, or needs the concept itself. */
  computed: string | null
  /** computed - declared */
  difference: string | null
  /** By its own recipe and the declared prices of its components; null where one of the two prices is missing. */
  reconciles: boolean | null
  /** Its declared price is not what its recipe gives, or not any more after one below that does not reconcile. */
  isMissed: boolean
  /** The rule by which it reconciles; null where it does not. */
  rule: string | null
  /** What a unit costs by kind, through all auxiliaries, without rounding and indirect cost. */
  resources: Resources
}>

/** Exact texts. `other` has percentages, waste none of it, and whatever the file gives no kind. */
export type Resources = Readonly<Record<Kind, string>>
const KINDS = ['labor', 'machinery', 'material', 'waste', 'other'] as const
export type Kind = (typeof KINDS)[number]

/** Kind of a concept by its type in ~C. */
function kindOf({ type }: Pick<Concept, 'type'>): Kind {
  if (type === '1') return 'labor'
  if (type === '2') return 'machinery'
  if (type === '3') return 'material'
  return type === '4' || type === '5' ? 'waste' : 'other'
}

/**
 * See {@link Repriced}. `label` is that of ~V whose prices count, from 0; `log` is told of chapters that do not add up and
 * of lines that cannot be counted. Time grows with the lines of all recipes.
 */
export function reprice(
  book: PriceBook,
  { label = 0, log = new DiagnosticLog() }: { readonly label?: number; readonly log?: DiagnosticLog } = {},
): Repriced {
  const sheets = sheetsOf(book, label)
  const chosen = findRule(book, { label, sheets })
  const chapters = [...sheets.of.values()].filter(({ concept }) => concept.components.length > 0 && isChapter(concept))
  const ofChapters = chooseChapterRule(chapters, chapterRulesOf(book, label))
  const name = chosen.scored === 0 ? null : ruleName(chosen.rule)

  const found = new Map<string, RepricedConcept>()
  for (const concept of book.order) {
    const sheet = sheets.of.get(concept) as Sheet
    if (concept.components.length === 0) {
      sheet.price = sheet.declared
      sheet.resources = leafResources(sheet)
      continue
    }
    noteLines(sheet, log)
    const repriced = isChapter(concept)
      ? repriceChapter(sheet, ofChapters, log)
      : repriceUnit(sheet, chosen.rule, ruleName(chosen.rule))
    found.set(concept.code, repriced)
  }
  // In the order of the book, which a reader knows.
  const ordered = [...book.concepts.keys()].flatMap((code) => {
    const repriced = found.get(code)
    return repriced === undefined ? [] : ([[code, repriced]] as const)
  })
  return { rule: name, recipes: new Map(ordered) }
}

function repriceUnit(sheet: Sheet, rule: Rule, name: string): RepricedConcept {
  const { declared, isCyclic } = sheet
  const priced = (priceOf: (sheet: Sheet) => Exact | null) => {
    const direct = isCyclic ? null : directOf(sheet, priceOf, rule)
    return direct === null ? null : totalOf(direct, rule)
  }
  const computed = priced(priceNow)
  const own = isMoved(sheet) ? priced(judgedBy) : computed
  const fits = (price: Exact | null) => price !== null && declared !== null && reconciles(price, declared)
  const isMissed = declared !== null && computed !== null && !fits(computed)
  sheet.price = isMissed ? computed : (declared ?? computed)
  sheet.resources = resourcesOf(sheet, rule)
  const isJudged = declared !== null && (own ?? computed) !== null
  return resultOf(sheet, {
    computed,
    reconciles: isJudged ? fits(own) || fits(computed) : null,
    isMissed,
    rule: name,
  })
}

const priceNow = ({ price }: Sheet) => price

/** The price by which what holds a concept is judged: the declared one where there is one. */
const judgedBy = ({ declared, price }: Sheet) => declared ?? price

/** Whether a component costs something else than the file declares. */
function isMoved(sheet: Sheet): boolean {
  return recipeOf(sheet).lines.some(
    ({ sheet }) => sheet !== undefined && sheet.declared !== null && sheet.price !== sheet.declared,
  )
}

function resultOf(
  { concept, declared, resources }: Sheet,
  result: { computed: Exact | null; reconciles: boolean | null; isMissed: boolean; rule: string },
): RepricedConcept {
  const { computed, reconciles, isMissed, rule } = result
  return {
    code: concept.code,
    isChapter: isChapter(concept),
    declared: declared && exactText(declared, declared.places),
    computed: computed && exactText(computed),
    difference: declared && computed && exactText(minus(computed, declared)),
    reconciles,
    isMissed,
    rule: reconciles ? rule : null,
    resources: Object.fromEntries(KINDS.map((kind, i) => [kind, exactText(resources[i] as Exact)])) as Record<
      Kind,
      string
    >,
  }
}

/** A chapter that does not add up by itself is told of; it is missed only where something below it moves its amount. */
function repriceChapter(sheet: Sheet, rule: ChapterRule, log: DiagnosticLog): RepricedConcept {
  const { declared, concept } = sheet
  const computed = amountOf(sheet, priceNow, rule)
  const own = isMoved(sheet) ? amountOf(sheet, judgedBy, rule) : computed
  const fits = (price: Exact | null) => price !== null && declared !== null && reconciles(price, declared)
  if (declared !== null && own !== null && !fits(own) && !fits(computed)) {
    const message = `${concept.code}: declared ${exactText(declared)}, what it holds comes to ${exactText(own)}`
    log.add({ line: concept.line ?? 1, code: 'CHAPTER_DOES_NOT_ADD_UP', message })
  }
  const isOther = declared !== null && computed !== null && own !== null && !isNear(computed, own, declared.places)
  const isMissed = isOther && !fits(computed)
  sheet.price = isMissed ? computed : (declared ?? computed)
  sheet.resources = resourcesOf(sheet, { percentages: 'share' })
  return resultOf(sheet, {
    computed,
    reconciles: declared === null || own === null ? null : fits(own) || fits(computed),
    isMissed,
    rule: 'chapter',
  })
}

const NOTHING: readonly Exact[] = KINDS.map(() => ZERO)

function leafResources({ concept, declared }: Sheet): readonly Exact[] {
  const kind = kindOf(concept)
  return KINDS.map((each) => (each === kind ? (declared ?? ZERO) : ZERO))
}

function resourcesOf(recipe: Sheet, { percentages }: Pick<Counting, 'percentages'>): readonly Exact[] {
  const { lines, bases } = recipeOf(recipe)
  const sums = [...NOTHING]
  const parts = new Map(bases.map((base) => [base, ZERO]))
  for (const { sheet, quantity, base, partOf } of lines) {
    if (quantity === null) continue
    let amount = ZERO
    const count = (kind: number, unit: Exact) => {
      // Most of what a line is made of is of one kind.
      if (unit.units === 0n) return
      const added = times(unit, quantity)
      sums[kind] = plus(sums[kind] as Exact, added)
      if (partOf.length > 0) amount = plus(amount, added)
    }
    if (base !== null && percentages === 'share') count(OTHER, parts.get(base) ?? ZERO)
    else if (sheet !== undefined) for (const [kind, unit] of sheet.resources.entries()) count(kind, unit)
    for (const part of partOf) parts.set(part, plus(parts.get(part) ?? ZERO, amount))
  }
  // Beyond any price there is nothing to say of it.
  return sums.map((sum) => kept(sum) ?? ZERO)
}

const OTHER = KINDS.indexOf('other')
