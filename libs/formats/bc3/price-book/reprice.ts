import { DiagnosticLog } from '@catalog/formats/bc3/entry-stream.ts'
import {
  bounded,
  type Costing,
  costingsOf,
  directCostOf,
  isNear,
  type LineRule,
  recipeOf,
  reconciles,
  reportLines,
} from './costing.ts'
import { type Decimal, formatDecimal, minus, plus, times, ZERO } from './decimal.ts'
import { type Concept, isChapter, type PriceBook } from './price-book.ts'
import {
  type ChapterRule,
  chapterAmountOf,
  chapterRulesOf,
  chooseChapterRule,
  findRule,
  type PricingRule,
  ruleName,
  totalOf,
} from './pricing-rule.ts'

/**
 * The prices of a FIEBDC-3 price book, computed from its recipes and compared with its declared prices.
 *
 * Programs round differently, and files do not say how. So the repricing tries every known {@link PricingRule} on every
 * recipe whose components all have a declared price. The rule by which most recipes add up is the rule of the whole
 * file. A rule for each recipe would always fit by chance. Of equals, the rule with more exact matches wins, then the
 * most usual (see {@link findRule}).
 *
 * A recipe reconciles when the declared prices of its components yield its declared price within one unit of that
 * price's last decimal. Otherwise the recipe overrules the price, as the standard says. Recipes above are then computed
 * with the computed price; those whose price this changes are missed as well.
 */
export type Repriced = Readonly<{
  /** Null when no recipe has a declared price; `computed` then follows the first rule. */
  rule: string | null
  /** Every concept with a recipe, chapters included, by code and in the order of the book. */
  recipes: ReadonlyMap<string, RepricedConcept>
}>

export type RepricedConcept = Readonly<{
  code: string
  isChapter: boolean
  /** The price in the file; null for none and for 0, which leaves the price to the recipe. */
  declared: string | null
  /** Null when a component has no price, or needs the concept itself. */
  computed: string | null
  /** computed - declared */
  difference: string | null
  /** Whether its recipe yields its price from the declared prices of its components; null without one of the two prices. */
  reconciles: boolean | null
  /** The recipe yields another price than the declared one, or does so after a component was corrected. */
  isMissed: boolean
  /** The rule by which it reconciles; null when it does not. */
  rule: string | null
  /** Cost of a unit by kind, through all auxiliaries, without rounding and indirect cost. */
  resources: Resources
}>

/** Exact decimals. `other` includes percentages and concepts without a kind; waste has a kind of its own. */
export type Resources = Readonly<Record<Kind, string>>
const KINDS = ['labor', 'machinery', 'material', 'waste', 'other'] as const
export type Kind = (typeof KINDS)[number]

/** The kind of a concept by its type in ~C. */
function kindOf({ type }: Pick<Concept, 'type'>): Kind {
  if (type === '1') return 'labor'
  if (type === '2') return 'machinery'
  if (type === '3') return 'material'
  return type === '4' || type === '5' ? 'waste' : 'other'
}

/**
 * Reprices a book; see {@link Repriced}. `label` selects the price column of ~V, from 0; `log` receives chapters that
 * do not add up and lines without an amount. Takes time linear in the lines of all recipes.
 */
export function reprice(
  book: PriceBook,
  { label = 0, log = new DiagnosticLog() }: { readonly label?: number; readonly log?: DiagnosticLog } = {},
): Repriced {
  const costings = costingsOf(book, label)
  const chosen = findRule(book, { label, costings })
  const chapters = [...costings.of.values()].filter(
    ({ concept }) => concept.components.length > 0 && isChapter(concept),
  )
  const ofChapters = chooseChapterRule(chapters, chapterRulesOf(book, label))
  const name = chosen.scored === 0 ? null : ruleName(chosen.rule)

  const found = new Map<string, RepricedConcept>()
  for (const concept of book.order) {
    const costing = costings.of.get(concept) as Costing
    if (concept.components.length === 0) {
      costing.price = costing.declared
      costing.resources = leafResources(costing)
      continue
    }
    reportLines(costing, log)
    const repriced = isChapter(concept)
      ? repriceChapter(costing, ofChapters, log)
      : repriceUnit(costing, chosen.rule, ruleName(chosen.rule))
    found.set(concept.code, repriced)
  }
  const inFileOrder = [...book.concepts.keys()].flatMap((code) => {
    const repriced = found.get(code)
    return repriced === undefined ? [] : ([[code, repriced]] as const)
  })
  return { rule: name, recipes: new Map(inFileOrder) }
}

function repriceUnit(costing: Costing, rule: PricingRule, name: string): RepricedConcept {
  const { declared, isCyclic } = costing
  const priced = (priceOf: (costing: Costing) => Decimal | null) => {
    const direct = isCyclic ? null : directCostOf(costing, priceOf, rule)
    return direct === null ? null : totalOf(direct, rule)
  }
  const computed = priced(currentPrice)
  const own = hasCorrectedComponent(costing) ? priced(checkedPrice) : computed
  const fits = (price: Decimal | null) => price !== null && declared !== null && reconciles(price, declared)
  const isMissed = declared !== null && computed !== null && !fits(computed)
  costing.price = isMissed ? computed : (declared ?? computed)
  costing.resources = resourcesOf(costing, rule)
  const isChecked = declared !== null && (own ?? computed) !== null
  return resultOf(costing, {
    computed,
    reconciles: isChecked ? fits(own) || fits(computed) : null,
    isMissed,
    rule: name,
  })
}

const currentPrice = ({ price }: Costing) => price

/** The price at which recipes that use the concept are checked: the declared one, if any. */
const checkedPrice = ({ declared, price }: Costing) => declared ?? price

/** Whether a component's price differs from its declared one. */
function hasCorrectedComponent(costing: Costing): boolean {
  return recipeOf(costing).lines.some(
    ({ costing }) => costing !== undefined && costing.declared !== null && costing.price !== costing.declared,
  )
}

function resultOf(
  { concept, declared, resources }: Costing,
  result: { computed: Decimal | null; reconciles: boolean | null; isMissed: boolean; rule: string },
): RepricedConcept {
  const { computed, reconciles, isMissed, rule } = result
  return {
    code: concept.code,
    isChapter: isChapter(concept),
    declared: declared && formatDecimal(declared, declared.places),
    computed: computed && formatDecimal(computed),
    difference: declared && computed && formatDecimal(minus(computed, declared)),
    reconciles,
    isMissed,
    rule: reconciles ? rule : null,
    resources: Object.fromEntries(KINDS.map((kind, i) => [kind, formatDecimal(resources[i] as Decimal)])) as Record<
      Kind,
      string
    >,
  }
}

/** Reports a chapter that does not add up. The chapter is missed only when a corrected price below changes its amount. */
function repriceChapter(costing: Costing, rule: ChapterRule, log: DiagnosticLog): RepricedConcept {
  const { declared, concept } = costing
  const computed = chapterAmountOf(costing, currentPrice, rule)
  const own = hasCorrectedComponent(costing) ? chapterAmountOf(costing, checkedPrice, rule) : computed
  const fits = (price: Decimal | null) => price !== null && declared !== null && reconciles(price, declared)
  if (declared !== null && own !== null && !fits(own) && !fits(computed)) {
    const message = `${concept.code}: declared ${formatDecimal(declared)}, its contents add up to ${formatDecimal(own)}`
    log.add({ line: concept.line ?? 1, code: 'CHAPTER_DOES_NOT_ADD_UP', message })
  }
  const isOther = declared !== null && computed !== null && own !== null && !isNear(computed, own, declared.places)
  const isMissed = isOther && !fits(computed)
  costing.price = isMissed ? computed : (declared ?? computed)
  costing.resources = resourcesOf(costing, { percentages: 'share' })
  return resultOf(costing, {
    computed,
    reconciles: declared === null || own === null ? null : fits(own) || fits(computed),
    isMissed,
    rule: 'chapter',
  })
}

const NO_RESOURCES: readonly Decimal[] = KINDS.map(() => ZERO)

function leafResources({ concept, declared }: Costing): readonly Decimal[] {
  const kind = kindOf(concept)
  return KINDS.map((each) => (each === kind ? (declared ?? ZERO) : ZERO))
}

function resourcesOf(recipe: Costing, { percentages }: Pick<LineRule, 'percentages'>): readonly Decimal[] {
  const { lines, bases } = recipeOf(recipe)
  const sums = [...NO_RESOURCES]
  const parts = new Map(bases.map((base) => [base, ZERO]))
  for (const { costing, quantity, base, partOf } of lines) {
    if (quantity === null) continue
    let amount = ZERO
    const count = (kind: number, unit: Decimal) => {
      // Most components consist of one kind.
      if (unit.units === 0n) return
      const added = times(unit, quantity)
      sums[kind] = plus(sums[kind] as Decimal, added)
      if (partOf.length > 0) amount = plus(amount, added)
    }
    if (base !== null && percentages === 'share') count(OTHER, parts.get(base) ?? ZERO)
    else if (costing !== undefined) for (const [kind, unit] of costing.resources.entries()) count(kind, unit)
    for (const part of partOf) parts.set(part, plus(parts.get(part) ?? ZERO, amount))
  }
  return sums.map((sum) => bounded(sum) ?? ZERO)
}

const OTHER = KINDS.indexOf('other')
