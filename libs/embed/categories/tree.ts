import { readFileSync } from 'node:fs'
import { categoryIdOf } from '@catalog/core/changes/public-state.ts'
import { foldText } from '@catalog/core/text.ts'
import { lexiconConcepts } from '@catalog/embed/concepts/lexicon.ts'
import { load } from 'js-yaml'
import { z } from 'zod'

/** The languages of category names (ISO 639-1). */
export const CATEGORY_LANGUAGES = ['en', 'es', 'pt', 'fr', 'de', 'it'] as const
export type CategoryLanguage = (typeof CATEGORY_LANGUAGES)[number]

const Entry = z.strictObject({
  id: z.string().regex(/^[a-z]+(-[a-z]+)*$/),
  under: z.string().optional(),
  names: z.record(z.enum(CATEGORY_LANGUAGES), z.string().min(2).max(80)),
  also: z.array(z.string().min(2)).default([]),
  lexicon: z.array(z.string()).default([]),
  concepts: z.array(z.string()).default([]),
  things: z.array(z.string().min(3)).default([]),
  works: z.string().optional(),
  examples: z.array(z.string().min(1)).min(1),
})

/** A category of the tree; `path` are its ancestors and itself, from the root. */
export type Category = Readonly<{
  id: string
  names: Readonly<Record<CategoryLanguage, string>>
  path: readonly Category[]
  /** The category of works with its goods. */
  works: Category | null
  /** "name" or "path > of > vendor | name", which belong here. */
  examples: readonly string[]
}>

/** The tree with its indexes. */
export type CategoryTree = Readonly<{
  byId: ReadonlyMap<string, Category>
  /** Folded names and other words → the category. */
  byWord: ReadonlyMap<string, Category>
  /** Folded things that the lexicon does not name, with their category; the longest first. */
  things: readonly (readonly [thing: string, category: Category])[]
  /** Concepts of the lexicon → the category. */
  byConcept: ReadonlyMap<string, Category>
}>

let tree: CategoryTree | undefined

/**
 * Reads categories.yaml once a process. Throws an error that names the entry when it has another form, an unknown node,
 * concept or file, or a word or concept that another entry has.
 */
export function categoryTree(): CategoryTree {
  tree ??= readTree(readFileSync(new URL('categories.yaml', import.meta.url), 'utf8'))
  return tree
}

export function readTree(text: string): CategoryTree {
  const result = z.array(Entry).min(1).safeParse(load(text))
  if (!result.success) throw new Error(`categories.yaml: ${z.prettifyError(result.error)}`)
  const byId = new Map<string, Category & { works: Category | null }>()
  for (const { id, under, names, examples } of result.data) {
    if (byId.has(id)) throw wrong(id, id, 'an id that no other entry has')
    const path: Category[] = under === undefined ? [] : [...known(byId, id, under).path]
    const category = { id, names, path, works: null, examples }
    path.push(category)
    byId.set(id, category)
  }
  const words = new Map<string, Category>()
  const concepts = new Map<string, Category>()
  const files = Map.groupBy(
    lexiconConcepts().filter(({ pos }) => pos === 'noun'),
    ({ trade }) => trade,
  )
  const nouns = new Set([...files.values()].flat().map(({ id }) => id))
  for (const entry of result.data) {
    const category = byId.get(entry.id) as Category & { works: Category | null }
    if (entry.works !== undefined) category.works = known(byId, entry.id, entry.works)
    for (const word of new Set([...Object.values(entry.names), ...entry.also].map(foldText))) {
      // A goods' word names its goods: "Fontanería" stands before "Instalaciones de fontanería".
      if (!words.has(word)) words.set(word, category)
    }
    for (const concept of entry.concepts) {
      if (!nouns.has(concept)) throw wrong(entry.id, concept, 'a noun of the lexicon')
      if (concepts.has(concept)) throw wrong(entry.id, concept, 'a concept that no other entry has')
      concepts.set(concept, category)
    }
  }
  for (const { id, lexicon } of result.data) {
    for (const file of lexicon) {
      const found = files.get(file)
      if (found === undefined) throw wrong(id, file, 'a file of the lexicon')
      for (const concept of found) {
        if (!concepts.has(concept.id)) concepts.set(concept.id, byId.get(id) as Category)
      }
    }
  }
  const things = result.data
    .flatMap((entry) => entry.things.map((thing) => [foldText(thing), known(byId, entry.id, entry.id)] as const))
    .sort(([a], [b]) => b.length - a.length)
  return { byId, byWord: words, things, byConcept: concepts }
}

function known<Value>(byId: ReadonlyMap<string, Value>, entry: string, id: string): Value {
  const found = byId.get(id)
  if (found === undefined) throw wrong(entry, id, 'the id of an entry, above where it stands under one')
  return found
}

function wrong(entry: string, found: string, expected: string): Error {
  return new Error(`categories.yaml, entry '${entry}': '${found}': expected ${expected}`)
}

/** The category of a catalog id ("cat_..."); undefined for one of another tree, of runs before this one. */
export function categoryById(id: string): Category | undefined {
  byCatalogId ??= new Map(
    categoryTree()
      .byId.values()
      .map((category) => [categoryIdOf(pathIn(category, 'en')), category]),
  )
  return byCatalogId.get(id)
}
let byCatalogId: ReadonlyMap<string, Category> | undefined

/** The names of a category from the root, in one language. */
export function pathIn({ path }: Category, language: CategoryLanguage): string[] {
  return path.map(({ names }) => names[language])
}
