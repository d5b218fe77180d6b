import {
  type Decomposition,
  type DecompositionLine,
  DecompositionQuery,
  DecompositionResponse,
  IdParams,
  Markdown,
  operation,
  PriceBook,
} from '@catalog/api/contract/contract.ts'
import { projectionVersion } from '@catalog/api/http/catalog-version.ts'
import type { ApiContext, V1 } from '@catalog/api/http/context.ts'
import { documentOf, JSON_TYPE, type RenderedDocument, sendDocument } from '@catalog/api/http/documents.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import { preferredType } from '@catalog/api/http/negotiate.ts'
import { itemJson } from '@catalog/api/items/item-json.ts'
import { foundItem, survivorLocation } from '@catalog/api/items/items.ts'
import type { PublicItem, PublicState } from '@catalog/core/events/items.ts'
import type { Recipe } from '@catalog/core/events/recipes.ts'
import { exactMedian } from '@catalog/core/median/methods.ts'
import { exponentOf } from '@catalog/core/money/money.ts'
import {
  add,
  compare,
  majorOf,
  multiply,
  ONE,
  parseDecimal,
  type Rational,
  rational,
} from '@catalog/core/money/rational.ts'
import { shownName } from '@catalog/core/names/shown-name.ts'
import { amountPlaces, decimalText, ZERO } from '@catalog/core/recipes/amounts.ts'
import type { CostLine } from '@catalog/core/recipes/line-sums.ts'
import { componentSkuId, type Kind, type RecipeCost, RecipeCosts, ruleOf } from '@catalog/core/recipes/recipe-cost.ts'
import { conversionFactor, soldUnit } from '@catalog/core/units/sold-unit.ts'
import { fromRecipeRule, ruleName } from '@catalog/formats/bc3/price-book/pricing-rule.ts'
import { readPublished } from '@catalog/store/catalog/detail.ts'
import type { Queryable } from '@catalog/store/db.ts'
import { type LinkedItem, type RecipeRow, readLinkedItems, readRecipes } from '@catalog/store/vendor/recipes.ts'
import type { z } from 'zod'
import { decompositionMarkdown } from './decomposition-markdown.ts'
import { BC3_TYPE, bookFile } from './price-book.ts'
import { byPreference, type Recipes, recipesBelow } from './recipes.ts'

const TYPES = ['application/json', 'text/markdown', BC3_TYPE] as const

/** GET /items/{id}/decomposition, the recipe of an item by a price book. */
export function decompositionRoute(v1: V1, context: Pick<ApiContext, 'store' | 'cache' | 'baseUrl'>): void {
  const read = decompositionReader(context)
  const { schema } = operation('getItemDecomposition', {
    params: IdParams,
    querystring: DecompositionQuery,
    answer: { 'application/json': DecompositionResponse, 'text/markdown': Markdown, [BC3_TYPE]: PriceBook },
  })
  for (const suffix of ['', '.bc3']) {
    v1.get(`/items/:id${PATH}${suffix}`, { schema: { ...schema, hide: suffix !== '' } }, async (request, reply) => {
      const { params, query } = request
      const type = suffix === '' ? preferredType(request.headers.accept, TYPES) : BC3_TYPE
      const document = await read({ id: params.id, query }, type ?? 'application/json')
      reply.header('vary', 'Authorization, Accept, Accept-Encoding')
      return sendDocument(request, reply, document)
    })
  }
}

/** Reads the answer of GET /items/{id}/decomposition in one of its media types. */
export function decompositionReader({
  store,
  cache,
  baseUrl,
}: Pick<ApiContext, 'store' | 'cache' | 'baseUrl'>): (
  request: Readonly<{ id: string; query: z.output<typeof DecompositionQuery> }>,
  type: (typeof TYPES)[number],
) => Promise<RenderedDocument> {
  return ({ id, query }, type) => {
    const key = JSON.stringify(['decomposition', id, query, type])
    return cache.get({ key, versionOf: projectionVersion }, async () => {
      const decomposition = await decompositionOf(store, { itemId: id, ...query })
      const shown = decomposition.item.id
      const location = survivorLocation(baseUrl, { requested: id, shown, path: PATH, query })
      if (type === 'application/json') {
        return documentOf(JSON.stringify(decomposition), { 'content-type': JSON_TYPE, ...location })
      }
      if (type === 'text/markdown') {
        return documentOf(decompositionMarkdown(decomposition), { 'content-type': MARKDOWN_TYPE, ...location })
      }
      const { region, source } = query
      const file = await bookFile(store, { scope: { kind: 'item', itemId: shown, region, source }, baseUrl }, 1)
      return documentOf(file as Buffer, { 'content-type': BC3_TYPE, ...location })
    })
  }
}

/** Follows the address of an item. */
const PATH = '/decomposition'
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8'

/** Most recipes of one answer, over all levels. */
const RECIPES_MAX = 2_000
/** Most lines of one answer; the deepest are left out first. */
const LINES_MAX = 2_000
/** Most other recipes that an answer names. */
const ALTERNATIVES_MAX = 100

type Question = z.output<typeof DecompositionQuery> & Readonly<{ itemId: string }>

/**
 * The decomposition of an item. Throws item_not_found, and recipe_not_found where no vendor of the item, or not the
 * given source, has a recipe. One query reads all recipes of a level.
 */
export async function decompositionOf(store: Queryable, question: Question): Promise<Decomposition> {
  const { itemId, region, source } = question
  const published = await foundItem(itemId, (id) => readPublished(store, id))
  const { item: headline, markets, names = [] } = JSON.parse(published.public_state) as PublicState
  const item = { ...headline, name: shownName(names, { headline: headline.name, region }) }
  const market = markets.find((market) => market.region === region)
  const median = region === undefined ? item.median_price : (market?.median_price ?? null)
  const { recipes: ofItem } = await readRecipes(store, { skuIds: published.vendor_sku_ids })
  const [chosen, ...others] = [...ofItem.values()]
    .filter((row) => source === undefined || row.source_id === source)
    .sort(byPreference(region))
  if (chosen === undefined) {
    const whose = source === undefined ? 'any of its vendors' : `source '${source}'`
    throw new ApiError('recipe_not_found', `item '${item.id}': expected a recipe of ${whose}, found none`)
  }
  const { recipes, isWhole } = await recipesBelow(store, [chosen], { recipesMax: RECIPES_MAX })
  const skuIds = [...recipes.values()].flatMap(({ recipe }) =>
    recipe.components.map((component) => componentSkuId(recipe, component)).filter((id) => id !== null),
  )
  const linked = await readLinkedItems(store, { skuIds, priceRegion: region })
  return present({ question, item, median, chosen, others, recipes, isWhole, linked })
}

type Gathered = Readonly<{
  question: Question
  item: PublicItem
  median: PublicItem['median_price']
  chosen: RecipeRow
  others: readonly RecipeRow[]
  recipes: Recipes
  isWhole: boolean
  linked: ReadonlyMap<string, LinkedItem>
}>

function present({ question, item, median, chosen, others, recipes, isWhole, linked }: Gathered): Decomposition {
  const { region, quantity } = question
  const { recipe } = chosen
  const places = amountPlaces(recipe.currency)
  const money = (value: Rational) => decimalText(value, { places })
  const items = new Map([...linked].map(([skuId, row]) => [skuId, linkedItem(row, region)]))
  const { medians, unusable } = mediansOf(recipes, { linked, region, currency: recipe.currency })
  const costs = new RecipeCosts(new Map([...recipes].map(([skuId, row]) => [skuId, row.recipe])), medians)
  const scale = parseDecimal(quantity)
  const root = costs.costOf(chosen.vendor_sku_id, scale)
  const tree = treeOf(root, { question, chosen, recipes, isWhole, items, costs, money })
  const byKind = (amounts: ReadonlyMap<Kind, Rational>, factor: Rational = ONE) =>
    Object.fromEntries(KINDS.map((kind) => [kind, money(multiply(amounts.get(kind) ?? ZERO, factor))])) as Record<
      Kind,
      string
    >
  const direct = new Map<Kind, Rational>()
  for (const { component, amount } of root.lines) {
    direct.set(component.kind, add(direct.get(component.kind) ?? ZERO, amount ?? ZERO))
  }
  const goods = root.lines.filter(({ component }) => component.kind !== 'percentage')
  return {
    item: { id: item.id, name: item.name, unit: item.unit, median_price: median },
    recipe: recipeOf(chosen),
    alternatives: others.slice(0, ALTERNATIVES_MAX).map(recipeOf),
    region: region ?? null,
    quantity,
    lines: tree.lines,
    totals: { ...byKind(direct), indirect: money(minus(root.total, root.direct)), total: money(root.total) },
    resources: byKind(costs.resourcesOf(chosen.vendor_sku_id), scale),
    ...reconciled(recipe, costs.costOf(chosen.vendor_sku_id, ONE)),
    now: root.now && {
      total: money(root.now.amount),
      at_file_prices: money(root.now.atFilePrices),
      priced_lines: goods.filter(({ now }) => now !== null).length,
      lines: goods.length,
    },
    warnings: [
      ...(root.unpriced > 0 ? [`${root.unpriced} of the lines have no price: the totals lack them`] : []),
      ...(tree.cycles > 0 ? [`${tree.cycles} components lead back to what they are part of`] : []),
      ...(unusable.currency > 0 ? [`${unusable.currency} linked items are priced in another currency`] : []),
      ...(unusable.unit > 0 ? [`${unusable.unit} linked items are sold in a unit that does not convert`] : []),
      ...(recipe.components.some(({ vendor_ref, kind }) => kind === 'percentage' && vendor_ref.includes('&'))
        ? ['a cumulative percentage (&) is computed as a plain one']
        : []),
    ],
    truncated: tree.truncated,
  }
}

const KINDS: readonly Kind[] = ['labor', 'machinery', 'material', 'auxiliary', 'percentage', 'waste', 'unclassified']

type PricedItem = NonNullable<DecompositionLine['item']>

function linkedItem(row: LinkedItem, region: string | undefined): PricedItem {
  // Equal to the item in lists.
  const { id, name, unit, median_price } = JSON.parse(itemJson(row, { priceRegion: region })) as PublicItem
  return { id, name, unit, median_price }
}

/** The medians of the linked items in the recipe's currency, per unit of each component; counts the unusable ones. */
function mediansOf(
  recipes: Recipes,
  {
    linked,
    region,
    currency,
  }: { linked: ReadonlyMap<string, LinkedItem>; region: string | undefined; currency: string },
): { medians: Map<string, Rational>; unusable: { currency: number; unit: number } } {
  const medians = new Map<string, Rational>()
  const unusable = { currency: new Set<string>(), unit: new Set<string>() }
  for (const { recipe } of recipes.values()) {
    for (const component of recipe.components) {
      const skuId = componentSkuId(recipe, component)
      const row = skuId === null ? undefined : linked.get(skuId)
      const item = row === undefined ? undefined : linkedItem(row, region)
      if (skuId === null || row === undefined || !item?.median_price) continue
      const factor = conversionFactor(
        soldUnit({ unit: item.unit ?? null }),
        soldUnit({ unit: component.unit, lang: 'es', format: 'bc3' }),
      )
      if (item.median_price.currency !== currency) unusable.currency.add(skuId)
      else if (factor === null) unusable.unit.add(skuId)
      else {
        const minor = exactMedian(item.median_price, { basis: JSON.parse(row.basis), region })
        medians.set(skuId, multiply(majorOf(minor, exponentOf(currency) ?? 2), factor))
      }
    }
  }
  return { medians, unusable: { currency: unusable.currency.size, unit: unusable.unit.size } }
}

/** Most decimals of quantities, and of today's prices. */
const QUANTITY_PLACES = 9
const NOW_PLACES = 6

/** The path of recipes from a line to the root. */
type Above = Readonly<{ skuId: string; above: Above | null }>

/** The lines of the recipe and of its auxiliaries, down to the requested depth. */
function treeOf(
  root: RecipeCost,
  {
    question: { depth },
    chosen,
    recipes,
    isWhole,
    items,
    costs,
    money,
  }: Pick<Gathered, 'question' | 'chosen' | 'recipes' | 'isWhole'> &
    Readonly<{
      items: ReadonlyMap<string, PricedItem>
      costs: RecipeCosts
      money: (value: Rational) => string
    }>,
): { lines: DecompositionLine[]; cycles: number; truncated: boolean } {
  const lineOf = (line: CostLine) => decompositionLine(line, { items, money })
  let cycles = 0
  const costLines = root.lines.slice(0, LINES_MAX)
  const lines = costLines.map(lineOf)
  let room = LINES_MAX - lines.length
  let truncated = costLines.length < root.lines.length
  // Breadth first, so that the limit of lines cuts the deepest ones.
  const queue = costLines.map((cost, at) => ({
    cost,
    line: lines[at] as DecompositionLine,
    level: 1,
    above: { skuId: chosen.vendor_sku_id, above: null } as Above,
  }))
  for (const { cost, line, level, above } of queue) {
    const { skuId } = cost
    if (skuId === null || line.kind !== 'auxiliary') continue
    const below = recipes.get(skuId)
    if (isAbove(skuId, above)) line.omitted = 'cycle'
    else if (below === undefined) line.omitted = isWhole ? null : 'size'
    else if (level >= depth) line.omitted = 'depth'
    else if (below.recipe.components.length > room) line.omitted = 'size'
    else {
      const inside = costs.costOf(skuId, cost.quantity).lines
      line.children.push(...inside.map(lineOf))
      room -= inside.length
      for (const [at, child] of inside.entries()) {
        const place = { line: line.children[at] as DecompositionLine, level: level + 1, above: { skuId, above } }
        queue.push({ cost: child, ...place })
      }
    }
    if (line.omitted === 'cycle') cycles++
    truncated ||= line.omitted === 'depth' || line.omitted === 'size'
  }
  return { lines, cycles, truncated }
}

function decompositionLine(
  { component, skuId, quantity, unitPrice, priceBasis, base, amount, now }: CostLine,
  { items, money }: { items: ReadonlyMap<string, PricedItem>; money: (value: Rational) => string },
): DecompositionLine {
  return {
    position: component.position,
    kind: component.kind,
    code: component.vendor_ref,
    name: component.name,
    unit: component.unit,
    factor: component.factor,
    yield: component.yield,
    quantity: decimalText(quantity, { places: QUANTITY_PLACES, least: 0 }),
    unit_price: priceBasis === 'file' ? component.price : unitPrice && money(unitPrice),
    price_basis: priceBasis,
    base_amount: base && money(base),
    amount: amount && money(amount),
    item: (skuId !== null && items.get(skuId)) || null,
    now: now && {
      basis: now.basis,
      unit_price: now.unitPrice && decimalText(now.unitPrice, { places: NOW_PLACES, least: 2 }),
      amount: money(now.amount),
    },
    children: [],
    omitted: null,
  }
}

function isAbove(skuId: string, above: Above): boolean {
  for (let at: Above | null = above; at !== null; at = at.above) if (at.skuId === skuId) return true
  return false
}

function recipeOf(row: RecipeRow): Decomposition['recipe'] {
  const { vendor_ref, unit, currency, declared_price, observed_at } = row.recipe
  return {
    vendor_sku_id: row.vendor_sku_id,
    vendor_ref,
    unit,
    currency,
    declared_price,
    observed_at,
    source: {
      id: row.source_id,
      name: row.source_name,
      region: row.source_region,
      trust_score: row.trust_score,
      url: row.source_url,
    },
  }
}

/** Whether the declared price equals that of the recipe, within one unit of its last decimal. */
function reconciled(
  recipe: Recipe,
  cost: RecipeCost,
): Pick<Decomposition, 'computed_price' | 'difference' | 'reconciles' | 'rule'> {
  const places = amountPlaces(recipe.currency)
  const own = ruleOf(recipe)
  const rule = `${ruleName(fromRecipeRule(own))}${own.rounding === 'down' ? '_cut_off' : ''}`
  if (cost.unpriced > 0) return { computed_price: null, difference: null, reconciles: null, rule }
  const declared = recipe.declared_price
  const written = declared?.split('.')[1]?.length ?? 0
  const shown = (value: Rational) => decimalText(value, { places: Math.max(places, written), least: places })
  const computed_price = shown(cost.total)
  if (declared === null) return { computed_price, difference: null, reconciles: null, rule }
  const difference = minus(cost.total, parseDecimal(declared))
  const size = difference.n < 0n ? minus(ZERO, difference) : difference
  const reconciles = compare(size, rational(1n, 10n ** BigInt(written))) <= 0
  return { computed_price, difference: shown(difference), reconciles, rule }
}

function minus(a: Rational, b: Rational): Rational {
  return add(a, rational(-b.n, b.d))
}
