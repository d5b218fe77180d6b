import type { ItemBasis } from '@catalog/api/contract/contract.ts'
import { categoryIdOf } from '@catalog/core/changes/public-state.ts'
import type { ItemCategory } from '@catalog/core/events/items.ts'
import { mainLanguage } from '@catalog/core/names/name-language.ts'
import { CATEGORY_LANGUAGES, type Category, categoryById, pathIn } from '@catalog/embed/categories/tree.ts'
import type { Shown } from './item-json.ts'

/** The names of a category from the root for a reader, in English by default; undefined for one of another tree. */
export function categoryPathFor(
  id: string | null | undefined,
  { priceRegion, lang = [] }: Shown,
): string[] | undefined {
  const category = id == null ? undefined : categoryById(id)
  if (category === undefined) return undefined
  const wanted = [...(typeof lang === 'string' ? [lang] : lang), mainLanguage(priceRegion ?? null) ?? '']
  const language = wanted
    .map((tag) => tag.slice(0, 2).toLowerCase())
    .map((code) => CATEGORY_LANGUAGES.find((known) => known === code))
    .find((known) => known !== undefined)
  return pathIn(category, language ?? 'en')
}

/** The category of a published item, with what told it; null for one without, or of a run before the tree. */
export function publishedCategory(id: string | null, said: ItemCategory | undefined): ItemBasis['category'] {
  const category = id === null ? undefined : categoryById(id)
  return category === undefined || said === undefined
    ? null
    : { id: idOf(category), path: pathIn(category, 'en'), ...said }
}

/** The category of an evaluated item. */
export function evaluatedCategory(
  assigned: (ItemCategory & { readonly category: Category }) | null,
): ItemBasis['category'] {
  if (assigned === null) return null
  const { category, ...said } = assigned
  return { id: idOf(category), path: pathIn(category, 'en'), ...said }
}

const idOf = (category: Category) => categoryIdOf(pathIn(category, 'en'))
