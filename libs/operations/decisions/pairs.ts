import { descriptionOf } from '@catalog/aggregator/matching/candidate-gates.ts'
import { decidedAliasesAt, matchSku } from '@catalog/aggregator/matching/match-sku.ts'
import { valueTexts } from '@catalog/core/attributes/attribute-differences.ts'
import { contradictionBetween } from '@catalog/core/matching/contradictions.ts'
import { attributesByRole, type MatchText } from '@catalog/core/matching/match.ts'
import { soldUnit } from '@catalog/core/units/sold-unit.ts'
import { presentOf, sourcesNow } from '@catalog/operations/append-decision.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { BadCursor } from '@catalog/operations/naming.ts'
import { type Paging, pageOf } from '@catalog/operations/outcome.ts'
import { textsAt, visibilityAt } from '@catalog/store/vendor/as-of-queries.ts'
import { openProposals } from '@catalog/store/vendor/matching.ts'

/** One side of a pair, as its vendor describes it now. */
export type ReviewSide = Readonly<{
  vendor_sku_id: string
  item_id: string
  name: string | null
  unit: string | null
  source: string | null
  /** The values that the rule reads in the name, by role, with their units. */
  attributes: Readonly<Record<string, readonly string[]>>
  price: Readonly<{ cents: number; currency: string; per_quantity: number; unit: string | null }> | null
}>

/** A pair that looks like one product and that no rule decides. */
export type ReviewPair = Readonly<{
  score: number
  /** Why the rule did not decide. */
  why: readonly string[]
  /** What the names say differently and cannot both be true; null when nothing contradicts. */
  contradiction: Readonly<{ about: string; a: string; b: string }> | null
  /** The dearer price over the cheaper, per unit, where both are in one currency. */
  price_ratio: number | null
  a: ReviewSide
  b: ReviewSide
  rule_version: string
  decided_at: string
}>

/** Open pairs after a cursor, the surest first, and the cursor of the next page; null at the end. */
export async function reviewPairs(
  catalog: Pick<Catalog, 'store' | 'now'>,
  { after, limit }: Paging,
): Promise<{ pairs: readonly ReviewPair[]; cursor: string | null }> {
  const { store } = catalog
  const found = await openProposals(store, { after: after === undefined ? null : parseCursor(after), limit: limit + 1 })
  const { rows: page, cursor } = pageOf(found, { limit, placeOf: ({ score, a, b }) => `${score}/${a}/${b}` })
  const cut = presentOf(catalog)
  const sources = await sourcesNow(catalog)
  const aliases = await decidedAliasesAt(store, cut)
  const skuIds = [...new Set(page.flatMap(({ a, b }) => [a, b]))]
  const texts = await textsAt(store, skuIds, await visibilityAt(store, cut))
  const described = new Map(
    [...texts].map(([id, text]) => [id, descriptionOf({ ...text.payload, text: matchSku(text, aliases) })]),
  )
  const side = (skuId: string, itemId: string): ReviewSide => {
    const text = texts.get(skuId)
    if (text === undefined) return { ...NOTHING_LEFT, vendor_sku_id: skuId, item_id: itemId }
    const { name, price, unit } = text.payload
    const roles = [...attributesByRole(matchSku(text, aliases))]
    return {
      vendor_sku_id: skuId,
      item_id: itemId,
      name,
      unit: soldUnit(text.payload).label,
      source: sources.get(text.sourceId)?.name ?? text.sourceId,
      attributes: Object.fromEntries(roles.map(([role, found]) => [role, [...valueTexts(found)]])),
      price: { cents: price.cents, currency: price.currency, per_quantity: price.per_quantity, unit },
    }
  }
  const pairs = page.map(({ a, b, itemA, itemB, score, why, ruleVersion, decidedAt }) => ({
    score,
    why,
    contradiction: contradictionOf(described.get(a)?.text, described.get(b)?.text),
    price_ratio: ratioOf(described.get(a)?.price, described.get(b)?.price),
    a: side(a, itemA),
    b: side(b, itemB),
    rule_version: ruleVersion,
    decided_at: decidedAt,
  }))
  return { pairs, cursor }
}

const NOTHING_LEFT = { name: null, unit: null, source: null, attributes: {}, price: null }

function contradictionOf(a: MatchText | undefined, b: MatchText | undefined): ReviewPair['contradiction'] {
  const found = a && b ? contradictionBetween(a, b) : null
  return found && { about: found.about, a: found.one, b: found.other }
}

type UnitPrice = Readonly<{ currency: string; cents: number }> | null | undefined

function ratioOf(a: UnitPrice, b: UnitPrice): number | null {
  if (!a || !b || a.currency !== b.currency) return null
  return Math.round((Math.max(a.cents, b.cents) / Math.min(a.cents, b.cents)) * 100) / 100
}

/** Parses the cursor of a page: score/SKU/SKU. */
function parseCursor(cursor: string): { score: number; a: string; b: string } {
  const [, score, a, b] = /^(\d(?:\.\d+)?)\/(vsku_[a-z0-9]+)\/(vsku_[a-z0-9]+)$/.exec(cursor) ?? []
  if (score === undefined || a === undefined || b === undefined)
    throw new BadCursor(`--after '${cursor}': expected a cursor of catalog review`)
  return { score: Number(score), a, b }
}
