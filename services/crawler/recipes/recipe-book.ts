import { RecipeRule } from '@catalog/core/events/recipes.ts'
import type { Bc3Entry, ConceptEntry } from '@catalog/formats/bc3/entries.ts'
import { DiagnosticLog } from '@catalog/formats/bc3/entry-stream.ts'
import { isPercentage, isPercentageByUnit } from '@catalog/formats/bc3/percentage.ts'
import { costingsOf } from '@catalog/formats/bc3/price-book/costing.ts'
import { type Concept, isChapter, type PriceBook } from '@catalog/formats/bc3/price-book/price-book.ts'
import { PriceBookBuilder } from '@catalog/formats/bc3/price-book/price-book-builder.ts'
import { findRule, toRecipeRule } from '@catalog/formats/bc3/price-book/pricing-rule.ts'
import { recordableText } from '@catalog/formats/bytes/vendor-text.ts'

/**
 * The final concepts of a BC3 file without their recipes. It holds only enough recipes to infer the pricing rule of the
 * program that wrote the file.
 */
export type RecipeBook = Readonly<{
  hasRecipe(concept: Concept): boolean
  /** The indexes of the prices for which a concept has recipes, from 0. */
  placesOf(concept: Concept): number[]
  /** The vendor's reference of the SKU of the price at this index. */
  referenceOf(concept: Concept, place: number): string
  /**
   * The index of the price that applies at this index. The last price applies to all further ones. Null without a
   * price.
   */
  effectiveAt(concept: Concept, place: number): number | null
  /**
   * The price at this index as written. Null where there is none, and for a 0 beside a recipe, which then computes the
   * price. A bought component at 0 costs 0.
   */
  priceAt(concept: Concept, place: number): string | null
  /** The pricing rule of the file's prices at this index; undefined where the file does not show one. */
  ruleAt(place: number): RecipeRule | undefined
  /** Whether a component is a share of the lines before it, in the file's prices at this index. */
  isShareAt(component: Pick<Concept, 'code' | 'unit'>, place: number): boolean
  /** For a second read of the same entries, from the first one. */
  reread(): Rereading
}>

/** The meaning of codes during a second read of the entries. */
export type Rereading = Readonly<{
  /** Takes each entry, in order. */
  advance(entry: Bc3Entry): void
  /** The concept that a code names at this point of the file. */
  at(code: string): Concept | undefined
  /** Whether the last passed entry is the final one of its concept's recipe. */
  isLast(concept: Concept): boolean
}>

/** 70,000 concepts of a price bank have 30 million characters. A larger file is no price bank. */
export const HELD_CHARS_MAX = 128 * 1024 ** 2
/** Memory of a concept beside its texts, in characters. */
const CONCEPT_CHARS = 300
/** Lines of the first recipes that infer the rule: some 25,000 recipes. All recipes could take a gigabyte. */
const RULE_LINES_MAX = 200_000
/** Labels with a rule of their own; further labels take the rule of the first. Banks have some 20. */
const RULE_LABELS_MAX = 32
/** Prices of one concept, as for observations; a concept with more counts as unpriced. */
const PRICES_MAX = 1_000

/** Stands for an unreadable number. */
export const UNREAD = '?'

/** Reads the book of these entries; null when its concepts exceed `charsMax` characters. */
export async function readRecipeBook(
  entries: AsyncIterable<Bc3Entry>,
  {
    labels,
    charsMax,
    ruleLinesMax = RULE_LINES_MAX,
  }: { labels: readonly string[]; charsMax: number; ruleLinesMax?: number | undefined },
): Promise<RecipeBook | null> {
  const builder = new PriceBookBuilder(new DiagnosticLog())
  /** For each concept with a recipe, the number of its last ~D or ~Y. */
  const last = new Map<Concept, number>()
  const changes: CodeChange[] = []
  /** By a concept's prices: the code at their observation, where ~B has changed it since. */
  const observedAs = new Map<readonly string[], string>()
  let [chars, lines, count] = [0, 0, 0]
  for await (const entry of entries) {
    if (isCounted(entry)) count++
    if (entry.letter === 'V' || entry.letter === 'K') builder.apply(entry)
    else if (entry.letter === 'C') {
      const held = compactEntry(entry)
      builder.apply(held)
      chars += CONCEPT_CHARS + sizeOf(held)
    } else if (entry.letter === 'D' || entry.letter === 'Y') {
      const { line, code, suffix } = entry
      if (builder.conceptAt(code) === undefined) chars += CONCEPT_CHARS + code.length
      // An empty text makes the concept known, whether its lines are held or not.
      builder.apply({ letter: 'T', line, code, suffix, text: '' })
      if (lines < ruleLinesMax) builder.apply(entry)
      lines += entry.lines.length
      last.set(builder.conceptAt(code) as Concept, count)
    } else if (entry.letter === 'B') {
      const { code, newCode } = entry
      const concept = builder.conceptAt(code)
      // ~B cannot change a synonym.
      if (concept?.code !== code) continue
      builder.apply(entry)
      if (newCode === '') last.delete(concept)
      else if (concept.code !== code) {
        changes.push({ at: count, concept, code, newCode })
        if (concept.prices.length > 0 && !observedAs.has(concept.prices)) observedAs.set(concept.prices, code)
        chars += CONCEPT_CHARS
      }
    }
    if (chars > charsMax) return null
  }
  return openBook(builder.build(), { labels, last, changes, observedAs })
}

/** Numbers ~D, ~Y and ~B, since several may share a line. */
function isCounted({ letter }: Bc3Entry): boolean {
  return letter === 'D' || letter === 'Y' || letter === 'B'
}

/** A ~B that took effect; `at` is its number among the counted entries. */
type CodeChange = Readonly<{ at: number; concept: Concept; code: string; newCode: string }>

function openBook(
  book: PriceBook,
  {
    labels,
    last,
    changes,
    observedAs,
  }: {
    labels: readonly string[]
    last: ReadonlyMap<Concept, number>
    changes: readonly CodeChange[]
    observedAs: ReadonlyMap<readonly string[], string>
  },
): RecipeBook {
  const pricings = new Map<Concept, Pricing>()
  const rules = new Map<number, FoundRule>()
  const ruleAt = (place: number): FoundRule => {
    const label = place < RULE_LABELS_MAX ? place : 0
    const found = rules.get(label) ?? ruleOf(book, label)
    rules.set(label, found)
    return found
  }
  let pricesMax = 1
  const synonyms = new Map<string, Concept>()
  for (const concept of book.concepts.values()) {
    pricesMax = Math.max(pricesMax, Math.min(concept.prices.length, PRICES_MAX))
    for (const synonym of concept.synonyms) if (!synonyms.has(synonym)) synonyms.set(synonym, concept)
  }

  function pricing(concept: Concept): Pricing {
    const known = pricings.get(concept) ?? pricingOf(concept.prices)
    pricings.set(concept, known)
    return known
  }
  function hasRecipe(concept: Concept): boolean {
    const { code, line } = concept
    return last.has(concept) && line !== null && !isChapter(concept) && !isPercentage(concept) && !code.endsWith('$')
  }
  function effectiveAt(concept: Concept, place: number): number | null {
    const { priced, effective } = pricing(concept)
    return priced === 0 ? null : (effective[Math.min(place, concept.prices.length - 1)] ?? 0)
  }
  return {
    hasRecipe,
    effectiveAt,
    placesOf(concept) {
      const { priced, isComputed } = pricing(concept)
      if (priced > PRICES_MAX) return []
      if (isComputed) return [...Array(Math.max(pricesMax, priced)).keys()]
      return [...concept.prices.keys()].filter((place) => concept.prices[place] !== '')
    },
    referenceOf(concept, place) {
      const { priced, isComputed } = pricing(concept)
      const code = observedAs.get(concept.prices) ?? concept.code
      // As the reference of the observation, which loses what may not be recorded.
      const at = (of: number) => recordableText(`${code}@${labels[of] || String(of + 1)}`)
      if (priced > 1) return at(effectiveAt(concept, place) as number)
      return isComputed && pricesMax > 1 && hasRecipe(concept) ? at(place) : recordableText(code)
    },
    priceAt(concept, place) {
      const at = effectiveAt(concept, place)
      const price = at === null ? null : (concept.prices[at] as string)
      return price === null || (last.has(concept) && ZERO.test(price)) ? null : price
    },
    ruleAt: (place) => ruleAt(place).rule,
    isShareAt: (component, place) =>
      isPercentage(component) && !(isPercentageByUnit(component) && ruleAt(place).areUnitsPriced),
    reread: () => rereadingOf({ concepts: book.concepts, synonyms, last, changes }),
  }
}

/** Infers the rule even from few recipes: the decimals and the indirect cost of ~K are tried first. */
function ruleOf(book: PriceBook, label: number): FoundRule {
  const { rule, scored } = findRule(book, { label, costings: costingsOf(book, label) })
  const { areUnitsPriced = false } = rule
  if (scored === 0 && book.coefficients === null) return { rule: undefined, areUnitsPriced }
  // Refuses absurd rules, such as an indirect cost of a hundred digits.
  return { rule: RecipeRule.safeParse(toRecipeRule(rule)).data, areUnitsPriced }
}
type FoundRule = Readonly<{ rule: RecipeRule | undefined; areUnitsPriced: boolean }>

type Pricing = Readonly<{
  /** The number of prices that are not blank, and whether all of those are 0. */
  priced: number
  isComputed: boolean
  /** For each index, the index of the price that applies: itself, or the one before, or the first. */
  effective: readonly number[]
}>

function pricingOf(prices: readonly string[]): Pricing {
  const first = prices.findIndex((price) => price !== '')
  let last = first
  const effective = prices.map((price, place) => {
    if (price !== '') last = place
    return last
  })
  return {
    priced: prices.filter((price) => price !== '').length,
    isComputed: prices.every((price) => ZERO.test(price)),
    effective: prices.length < 2 ? [] : effective,
  }
}
/** A blank or a 0, which leaves the price to the recipe. */
const ZERO = /^-?[0.]*$/

/** Resets the codes to their meaning before the first ~B, and applies each ~B again. */
function rereadingOf({
  concepts,
  synonyms,
  last,
  changes,
}: {
  concepts: ReadonlyMap<string, Concept>
  synonyms: ReadonlyMap<string, Concept>
  last: ReadonlyMap<Concept, number>
  changes: readonly CodeChange[]
}): Rereading {
  /** The current meaning of a code where it differs from the final one; null for none. */
  const meanings = new Map<string, Concept | null | undefined>()
  const ahead = changes.toReversed().map(({ at, concept, code, newCode }) => {
    const after = [[code, meanings.get(code)] as const, [newCode, meanings.get(newCode)] as const]
    meanings.set(newCode, null).set(code, concept)
    return { at, after }
  })
  let count = 0
  return {
    advance(entry) {
      if (!isCounted(entry)) return
      count++
      const [step] = ahead.slice(-1)
      if (step?.at !== count) return
      ahead.pop()
      for (const [code, concept] of step.after) meanings.set(code, concept)
    },
    at(code) {
      const concept = meanings.get(code)
      return concept === undefined ? (concepts.get(code) ?? synonyms.get(code)) : (concept ?? undefined)
    },
    isLast: (concept) => last.get(concept) === count,
  }
}

/** The part of a concept that events can carry, without duplicate texts. */
function compactEntry(entry: ConceptEntry): ConceptEntry {
  const prices = [...entry.prices]
  // An unreadable number keeps its index, whose observation was refused.
  for (const { field, subfield } of entry.unread ?? []) if (field === PRICES_FIELD) prices[subfield] = UNREAD
  return {
    ...entry,
    unit: oneLine(entry.unit),
    summary: oneLine(entry.summary).slice(0, NAME_CHARS_MAX).toWellFormed(),
    prices: Array.from(prices, (price) => price ?? ''),
    dates: entry.dates.filter((date) => date !== ''),
  }
}
/** The field of prices in ~C, from 0. */
const PRICES_FIELD = 3
const NAME_CHARS_MAX = 2_000

function sizeOf({ code, unit, summary, prices, dates, synonyms }: ConceptEntry): number {
  const texts = [code, unit, summary, ...prices, ...dates, ...synonyms]
  return texts.reduce((sum, text) => sum + text.length + 1, 0)
}

function oneLine(text: string): string {
  return recordableText(text).replace(NOT_CARRIABLE, ' ').replace(/\s+/g, ' ').trim().normalize('NFC')
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const NOT_CARRIABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu
