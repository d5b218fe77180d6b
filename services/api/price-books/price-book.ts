import type { PublicItem } from '@catalog/core/events/items.ts'
import type { Recipe } from '@catalog/core/events/recipes.ts'
import { compare, divide, multiply, ONE, parseDecimal } from '@catalog/core/money/rational.ts'
import { amountPlaces, decimalText } from '@catalog/core/recipes/amounts.ts'
import { componentSkuId, RecipeCosts } from '@catalog/core/recipes/recipe-cost.ts'
import type { Bc3Charset } from '@catalog/formats/bc3/charset.ts'
import type { Bc3Entry } from '@catalog/formats/bc3/entries.ts'
import { writeBc3 } from '@catalog/formats/bc3/write.ts'
import {
  type BookItem,
  readBookItems,
  readChapter,
  readChapters,
  readLastDay,
  readPriceLabels,
} from '@catalog/store/catalog/price-book.ts'
import type { Queryable } from '@catalog/store/db.ts'
import { type RecipeRow, readLinkedItems, readRecipes } from '@catalog/store/vendor/recipes.ts'
import {
  type BookHead,
  type Concept,
  chapterCode,
  chapterLine,
  componentConcept,
  conceptEntries,
  headEntries,
  itemCode,
  itemConcept,
  itemPrices,
  LINES_PER_RECORD,
  labelOf,
  lineEntries,
  NO_PRICE,
  type PriceLabel,
  recipeLines,
  unitsIn,
  VendorCodes,
} from './bc3-export.ts'
import { byPreference, recipesBelow } from './recipes.ts'

/**
 * Exports the catalog, a category or an item as a FIEBDC-3 price book. Reads a page at a time, so that memory grows
 * only with the codes.
 */

/** The whole catalog, a category with all below it, or one item. */
export type BookScope =
  | Readonly<{ kind: 'all' }>
  | Readonly<{ kind: 'category'; categoryId: string }>
  | Readonly<{ kind: 'item'; itemId: string; region?: string | undefined; source?: string | undefined }>

export type BookOptions = Readonly<{
  scope: BookScope
  baseUrl: string
  /** Receives the number of written items after each page. */
  onProgress?: ((items: number) => void) | undefined
}>

/** The usual media type of FIEBDC-3; none is registered. */
export const BC3_TYPE = 'application/x-fiebdc3'

const PAGE_ITEMS = 100
/** Most recipes below the items of one page. */
const PAGE_RECIPES_MAX = 20_000
const ROOT = 'CATALOG'

/**
 * The entries of a book; every concept precedes those below it. An unknown category or item gives the head and the root
 * alone. Prices are medians, with one label for each market and currency. The first prices of a single item are those of
 * its recipe, so that the file adds up.
 */
export async function* bookEntries(
  db: Queryable,
  options: BookOptions,
): AsyncGenerator<readonly Bc3Entry[], void, undefined> {
  const { scope } = options
  const pages = new PageWriter(db, options)
  const date = (await readLastDay(db)) ?? ''
  const labels = (await readPriceLabels(db)).map(labelOf)
  const head = { labels, date, baseUrl: options.baseUrl }
  if (scope.kind === 'item') yield* itemEntries(db, pages, { scope, head })
  else yield* chapterEntries(db, pages, { scope, head })
}

async function* itemEntries(
  db: Queryable,
  pages: PageWriter,
  { scope: { itemId, region, source }, head }: { scope: Extract<BookScope, { kind: 'item' }>; head: BookHead },
): AsyncGenerator<readonly Bc3Entry[], void, undefined> {
  const row = (await readBookItems(db, [itemId])).get(itemId)
  const chosen = row === undefined ? new Map() : await chosenRecipes(db, [row], { region, source })
  const recipe: RecipeRow | undefined = chosen.get(itemId)
  const labels = head.labels.filter((label) => region === undefined || label.region === region)
  const used = await labelsInUse(db, { labels, row, recipe })
  const itemHead: BookHead = {
    ...head,
    labels: [...(recipe ? [recipeLabel(recipe)] : []), ...used],
    rule: recipe?.recipe.rule,
  }
  yield headEntries(itemHead)
  const lines = row === undefined ? [] : [chapterLine(itemCode(itemId), '')]
  yield conceptEntries({ code: ROOT, suffix: '##', unit: null, name: 'Catalog', lines })
  if (row !== undefined) yield await pages.entries(itemHead, [row], chosen)
}

async function* chapterEntries(
  db: Queryable,
  pages: PageWriter,
  { scope, head }: { scope: Exclude<BookScope, { kind: 'item' }>; head: BookHead },
): AsyncGenerator<readonly Bc3Entry[], void, undefined> {
  yield headEntries(head)
  const chapters = await readChapters(db, scope.kind === 'all' ? null : scope.categoryId)
  const childrenOf = Map.groupBy(chapters, ({ parent_id }) => parent_id)
  const tops = scope.kind === 'all' ? (childrenOf.get(null) ?? []) : chapters.slice(0, 1)
  const linesOf = (below: typeof chapters) => below.map(({ category_id }) => chapterLine(chapterCode(category_id), '#'))
  const rootLines = scope.kind === 'all' ? [] : linesOf(tops)
  yield conceptEntries({ code: ROOT, suffix: '##', unit: null, name: 'Catalog', lines: rootLines })
  const places = [
    ...chapters.map(({ category_id, name }) => ({ categoryId: category_id as string | null, name })),
    ...(scope.kind === 'all' ? [{ categoryId: null, name: '' }] : []),
  ]
  for (const { categoryId, name } of places) {
    const [code, suffix] = categoryId === null ? [ROOT, '##' as const] : [chapterCode(categoryId), '#' as const]
    const below = categoryId === null ? tops : (childrenOf.get(categoryId) ?? [])
    if (categoryId !== null) yield conceptEntries({ code, suffix, unit: null, name })
    // Some programs read only the first ~D of a chapter, so fill it.
    let lines = linesOf(below)
    let continued = false
    for (let after = ''; ; ) {
      const rows = await readChapter(db, { categoryId, after, limit: PAGE_ITEMS })
      if (rows.length === 0) break
      lines.push(...rows.map(({ item_id }) => chapterLine(itemCode(item_id), '')))
      if (lines.length >= LINES_PER_RECORD) {
        yield lineEntries({ code, suffix, lines }, { continued })
        continued = true
        lines = []
      }
      yield await pages.entries(head, rows, await chosenRecipes(db, rows, {}))
      after = (rows.at(-1) as BookItem).item_id
      if (rows.length < PAGE_ITEMS) break
    }
    yield lineEntries({ code, suffix, lines }, { continued })
  }
}

/** Writes pages of items with their recipes, and each concept once. */
class PageWriter {
  readonly #db: Queryable
  readonly #onProgress: BookOptions['onProgress']
  readonly #codes = new VendorCodes()
  readonly #written = new Set<string>()
  #items = 0

  constructor(db: Queryable, { onProgress }: BookOptions) {
    this.#db = db
    this.#onProgress = onProgress
  }

  async entries(
    head: BookHead,
    rows: readonly BookItem[],
    chosen: ReadonlyMap<string, RecipeRow>,
  ): Promise<readonly Bc3Entry[]> {
    const codes = this.#codes
    const below = await recipesBelow(this.#db, [...chosen.values()], { recipesMax: PAGE_RECIPES_MAX })
    const recipes = new Map([...below.recipes].map(([skuId, { recipe }]) => [skuId, recipe]))
    const linked = await linkedItems(this.#db, [...recipes.values()])
    const entries: Bc3Entry[] = []
    const write = (concept: Concept) => {
      if (this.#written.has(concept.code)) return
      this.#written.add(concept.code)
      entries.push(...conceptEntries(concept))
    }
    for (const row of rows) {
      const recipe = chosen.get(row.item_id)
      write({
        ...itemConcept(row, head),
        ...(recipe && itemRecipe(row, recipe, { recipes, codes, labels: head.labels })),
      })
      const vendorConcept = recipe && vendorConceptOf(recipe, row, { head, codes })
      if (vendorConcept) write(vendorConcept)
    }
    for (const recipe of recipes.values()) {
      for (const component of recipe.components) {
        const skuId = componentSkuId(recipe, component)
        const [item, own] = skuId === null ? [] : [linked.get(skuId), recipes.get(skuId)]
        write(componentConcept({ recipe, component }, { head, item, own, codes }))
      }
    }
    this.#items += rows.length
    this.#onProgress?.(this.#items)
    return entries
  }
}

/** The vendor's own unit of work; null where the item is sold in the same unit. */
function vendorConceptOf(
  { recipe, vendor_sku_id }: RecipeRow,
  row: BookItem,
  { head, codes }: { head: BookHead; codes: VendorCodes },
): Concept | null {
  const { unit, name } = JSON.parse(row.item_json) as PublicItem
  const factor = unitsIn(unit, recipe.unit)
  if (factor === null || compare(factor, ONE) === 0) return null
  const price = recipe.declared_price ?? NO_PRICE
  return {
    code: codes.of(vendor_sku_id, recipe.vendor_ref),
    unit: recipe.unit,
    name,
    date: recipe.observed_at.slice(0, 10),
    lines: recipeLines(recipe, codes),
    prices: head.labels.map(({ currency }) => (currency === recipe.currency ? price : NO_PRICE)),
  }
}

/** The character set that every program reads. */
const ANSWERED_CHARSET: Bc3Charset = 'ANSI'

/** The file of a scope in memory; null when the scope has more than `itemsMax` items. */
export async function bookFile(db: Queryable, options: BookOptions, itemsMax: number): Promise<Buffer | null> {
  let isTooLarge = false
  async function* entries() {
    const onProgress = (items: number) => {
      isTooLarge = items > itemsMax
    }
    for await (const batch of bookEntries(db, { ...options, onProgress })) {
      if (isTooLarge) return
      yield batch
    }
  }
  const pieces: Uint8Array[] = []
  for await (const piece of writeBc3(entries(), { charset: ANSWERED_CHARSET })) pieces.push(piece)
  return isTooLarge ? null : Buffer.concat(pieces)
}

/** For each item, the recipe of its decomposition; items without one are absent. */
async function chosenRecipes(
  db: Queryable,
  rows: readonly BookItem[],
  { region, source }: { region?: string | undefined; source?: string | undefined },
): Promise<Map<string, RecipeRow>> {
  const { recipes: found } = await readRecipes(db, { skuIds: rows.flatMap(({ vendor_sku_ids }) => vendor_sku_ids) })
  const chosen = new Map<string, RecipeRow>()
  for (const { item_id, vendor_sku_ids } of rows) {
    const [first] = vendor_sku_ids
      .flatMap((skuId) => found.get(skuId) ?? [])
      .filter((recipe) => source === undefined || recipe.source_id === source)
      .sort(byPreference(region))
    if (first !== undefined) chosen.set(item_id, first)
  }
  return chosen
}

/** The items linked to components, by SKU. */
async function linkedItems(db: Queryable, recipes: readonly Recipe[]): Promise<Map<string, BookItem>> {
  const skuIds = recipes.flatMap((recipe) =>
    recipe.components.map((component) => componentSkuId(recipe, component)).filter((id) => id !== null),
  )
  const linked = await readLinkedItems(db, { skuIds, priceRegion: undefined })
  const items = await readBookItems(
    db,
    [...linked.values()].map(({ item_id }) => item_id),
  )
  return new Map(
    [...linked].flatMap(([skuId, { item_id }]) => {
      const item = items.get(item_id)
      return item === undefined ? [] : [[skuId, item] as const]
    }),
  )
}

/** The labels under which the item or any of its components has a price. */
async function labelsInUse(
  db: Queryable,
  { labels, row, recipe }: { labels: readonly PriceLabel[]; row: BookItem | undefined; recipe: RecipeRow | undefined },
): Promise<PriceLabel[]> {
  const { recipes } = await recipesBelow(db, recipe === undefined ? [] : [recipe], { recipesMax: PAGE_RECIPES_MAX })
  const linked = await linkedItems(
    db,
    [...recipes.values()].map(({ recipe }) => recipe),
  )
  const items = [...(row === undefined ? [] : [row]), ...linked.values()]
  return labels.filter((label) => items.some((item) => itemPrices(item, [label])[0] !== NO_PRICE))
}

const recipeLabel = ({ source_name, recipe }: RecipeRow): PriceLabel => ({
  region: 'recipe',
  currency: recipe.currency,
  name: `${source_name} ${recipe.observed_at.slice(0, 10)} ${recipe.currency}`,
})

/** The recipe of an item: the vendor's lines when the units are equal, or else one line in the vendor's unit. */
function itemRecipe(
  row: BookItem,
  { recipe, vendor_sku_id }: RecipeRow,
  {
    recipes,
    codes,
    labels,
  }: { recipes: ReadonlyMap<string, Recipe>; codes: VendorCodes; labels: readonly PriceLabel[] },
): Partial<Concept> {
  const { unit } = JSON.parse(row.item_json) as PublicItem
  const factor = unitsIn(unit, recipe.unit)
  if (factor === null) return {}
  const prices = itemPrices(row, labels)
  const perItem = divide(ONE, factor)
  const isSame = compare(factor, ONE) === 0
  const declared = recipe.declared_price
  const total = () =>
    declared === null
      ? new RecipeCosts(recipes, new Map()).costOf(vendor_sku_id, perItem).total
      : multiply(parseDecimal(declared), perItem)
  const ofFile =
    isSame && declared !== null ? declared : decimalText(total(), { places: amountPlaces(recipe.currency) })
  return {
    prices: prices.map((price, i) => (labels[i]?.region === 'recipe' ? ofFile : price)),
    lines: isSame
      ? recipeLines(recipe, codes)
      : [
          {
            code: codes.of(vendor_sku_id, recipe.vendor_ref),
            suffix: '' as const,
            yield: '1',
            factor: decimalText(perItem, { places: 9, least: 0 }),
          },
        ],
  }
}
