import type { ItemCategory, Kind } from '@catalog/core/events/items.ts'
import { openMemo } from '@catalog/core/memo.ts'
import { compareText, foldText } from '@catalog/core/text.ts'
import { conceptsInOrder } from '@catalog/embed/concepts/concepts.ts'
import { type Category, type CategoryTree, categoryTree } from './tree.ts'

/** The texts of a SKU that say its category. `trust`: 0 to 100. */
export type CategorisedSku = Readonly<{
  name: string
  lang: string | null
  /** The vendor's own path from its root. */
  path: readonly string[] | null
  trust: number
}>

/**
 * The category of an item with its evidence. `by` says what told it: the vendors' paths, their names, or the kind alone;
 * `text` is the path or name of the most trusted SKU that says so, in at most {@link TEXT_CHARS_MAX} characters. The
 * confidence is the share of trust that agrees, times how often that evidence is right on the sample market.
 */
export type AssignedCategory = ItemCategory & Readonly<{ category: Category }>

const TEXT_CHARS_MAX = 300
/**
 * Paths: measured on the sample market by `infra/stack/scenarios/sample-categories.test.ts`. Names: four of five of two
 * real price banks, read by eye (the sample gives 0.94).
 */
const RIGHT_SHARES = { both: 0.99, vendor_path: 0.95, name: 0.8, kind: 0.5 } as const
/** Below, an item gets no category. */
const CONFIDENCE_PERCENT_MIN = 40

const ROOTS: Readonly<Record<Kind, string>> = {
  material: 'materials',
  labour: 'labour',
  machinery: 'machinery',
  hire: 'machinery',
  work: 'works',
}

/**
 * The category of an item of this kind (null: unknown) that these SKUs describe; null below
 * {@link CONFIDENCE_PERCENT_MIN}. Pure; the order of the SKUs does not matter.
 */
export function categoryOf(skus: readonly CategorisedSku[], kind: Kind | null): AssignedCategory | null {
  const tree = categoryTree()
  const said = skus.flatMap((sku) => {
    const found = readSku(sku, { tree, kind })
    return found === null ? [] : [{ ...found, weight: sku.trust + 1 }]
  })
  const total = said.reduce((sum, { weight }) => sum + weight, 0)
  const ranked = Map.groupBy(said, ({ category }) => category)
    .entries()
    .map(([category, voices]) => ({
      category,
      voices: voices.toSorted((a, b) => b.strength - a.strength || b.weight - a.weight || compareText(a.text, b.text)),
      weight: voices.reduce((sum, { weight, strength }) => sum + weight * strength, 0),
    }))
    .toArray()
    .sort((a, b) => b.weight - a.weight || compareText(a.category.id, b.category.id))
  const [best] = ranked
  const [voice] = best?.voices ?? []
  if (best === undefined || voice === undefined) return null
  const { category } = best
  const agreeing = ranked.filter((other) => isWithin(other.category, category) || isWithin(category, other.category))
  const percent = Math.round((100 * agreeing.reduce((sum, { weight }) => sum + weight, 0)) / total)
  if (percent < CONFIDENCE_PERCENT_MIN) return null
  return { category, by: voice.by, text: voice.text.slice(0, TEXT_CHARS_MAX), confidence_percent: percent }
}

const isWithin = (category: Category, outer: Category) => category.path.includes(outer)

type Said = Pick<AssignedCategory, 'category' | 'by' | 'text'> & Readonly<{ strength: number }>
type Context = Readonly<{ tree: CategoryTree; kind: Kind | null }>

/** Every run reads the texts of every item that may change. */
const SAID = openMemo<Readonly<{ said: Said | null }>>(20_000)

function readSku(sku: CategorisedSku, context: Context): Said | null {
  const key = JSON.stringify([context.kind, sku.lang, sku.name, sku.path])
  return SAID(key, () => ({ said: readTexts(sku, context) })).said
}

function readTexts(sku: CategorisedSku, { tree, kind }: Context): Said | null {
  const byPath = sku.path === null ? null : ofPath(sku.path, tree)
  const root = kind === null ? byPath?.path[0] : tree.byId.get(ROOTS[kind])
  const byName = ofName(sku, { tree, root: root ?? (tree.byId.get(ROOTS.material) as Category) })
  const filed = byPath && root && placedUnder(root, byPath)
  const text = (sku.path ?? []).join(' > ')
  // A root says the kind at most.
  if (filed && filed.path.length > 1) {
    const isRefined = byName !== null && isWithin(byName, filed)
    const strength = isRefined ? RIGHT_SHARES.both : RIGHT_SHARES.vendor_path
    return { category: isRefined ? byName : filed, by: 'vendor_path', text, strength }
  }
  if (byName) return { category: byName, by: 'name', text: sku.name, strength: RIGHT_SHARES.name }
  if (filed) return { category: filed, by: 'vendor_path', text, strength: RIGHT_SHARES.vendor_path }
  if (kind === null || root === undefined) return null
  return { category: root, by: 'kind', text: sku.name, strength: RIGHT_SHARES.kind }
}

/** The category under this root: itself, or the one of works with its goods; null where it has none. */
function placedUnder(root: Category, category: Category): Category | null {
  if (category.path[0] === root) return category
  if (root.id !== ROOTS.work) return null
  return category.path.findLast(({ works }) => works !== null)?.works ?? null
}

/** The last level that names a category, or that names a thing of one. */
function ofPath(path: readonly string[], { byWord, byConcept }: CategoryTree): Category | null {
  let outer: Category | null = null
  for (const level of path.toReversed()) {
    const worded = byWord.get(foldText(level))
    if (worded && worded.path.length > 1) return worded
    outer ??= worded ?? null
    const [concept] = conceptsInOrder(level).flatMap((ids) => [...ids])
    const named = concept === undefined ? undefined : byConcept.get(concept)
    if (named && worded === undefined) return named
  }
  return outer
}

/** The category of the thing that the name is about, under this root. */
function ofName(
  { name, lang }: CategorisedSku,
  { tree, root }: { tree: CategoryTree; root: Category },
): Category | null {
  if (root.id === ROOTS.work) {
    const isDemolition = conceptsInOrder(name).some((ids) => ids.has('demolition'))
    if (isDemolition) return tree.byConcept.get('demolition') ?? null
  }
  for (const phrase of name.split(PHRASES)) {
    const folded = ` ${foldText(phrase)} `
    for (const [thing, category] of tree.things) {
      const placed = folded.includes(` ${thing} `) && placedUnder(root, category)
      if (placed) return placed
    }
    const things = conceptsInOrder(phrase)
    // English and German end a phrase with the thing: "tile adhesive".
    const inTurn = (lang !== null && HEAD_LAST.has(lang) ? things.toReversed() : things).flatMap((ids) => [...ids])
    for (const isStuff of [false, true]) {
      for (const id of inTurn.filter((id) => STUFFS.has(id) === isStuff)) {
        const category = tree.byConcept.get(id)
        const placed = category && placedUnder(root, category)
        if (placed) return placed
      }
    }
  }
  return null
}

/** Where the phrase of the thing ends: its purpose, parts and sizes follow. */
const PHRASES = /[,;:()/]|\b(?:for|with|para|con|pour|avec|für|mit|per|com|c\/)\b/iu
/** What things are made of: a brass valve is a valve. */
const STUFFS: ReadonlySet<string> = new Set([
  'brass',
  'aluminium',
  'stainless-steel',
  'galvanised-steel',
  'cast-iron',
  'wrought-iron',
  'copper-sheet',
  'glass',
  'plank',
  'sidewalk',
])
const HEAD_LAST: ReadonlySet<string> = new Set(['en', 'de'])
