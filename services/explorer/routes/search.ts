import { exponentOf } from '@catalog/core/money/money.ts'
import type { Page } from '@catalog/explorer/pages/frame.ts'
import type { View } from '@catalog/explorer/pages/view.ts'
import { askPage, FILTERS, type Filters, searchPage, suggestions } from '@catalog/explorer/views/search.ts'
import type { Markup } from '@catalog/pages/markup.ts'
import { type CatalogReader, PageFailure } from './catalog-reader.ts'
import { shownIn } from './items.ts'

/** Search, and suggestions while the reader types. */

/**
 * The given filters; a form sends the others as empty texts. A reader in a market sees what is sold there, unless the
 * address says otherwise.
 */
function filtersOf({ address, market }: View): Filters {
  const isElsewhere = address.searchParams.has('region') || market === undefined
  const given = FILTERS.flatMap((name) => {
    const value = address.searchParams.get(name)
    return value === null || value === '' ? [] : [[name, value] as const]
  })
  const filters: Filters = { ...(isElsewhere ? {} : { region: market }), ...Object.fromEntries(given) }
  return { ...filters, ...rangeOf(address, filters.currency) }
}

/** The typed prices in minor units of the chosen currency; a form without a currency or with other texts has no range. */
function rangeOf({ searchParams }: URL, currency: string | undefined): Filters {
  const exponent = currency === undefined ? null : exponentOf(currency)
  if (exponent === null) return {}
  const minor = (name: string) => {
    const typed = searchParams.get(name) ?? ''
    return /^\d{1,9}(\.\d{1,6})?$/.test(typed) ? String(Math.round(Number(typed) * 10 ** exponent)) : undefined
  }
  const [min, max] = [minor('price_from'), minor('price_to')]
  return { ...(min !== undefined && { price_min: min }), ...(max !== undefined && { price_max: max }) }
}

const RESULTS = 20

export async function readSearch(view: View, read: CatalogReader): Promise<Page> {
  const { searchParams } = view.address
  const q = (searchParams.get('q') ?? '').trim()
  if ([...q].length < 2) return askPage(view, q)
  const filters = filtersOf(view)
  const cursor = searchParams.get('cursor') ?? undefined
  const answer = await read.search({
    ...filters,
    ...shownIn(view),
    q,
    cursor,
    limit: RESULTS,
    include: 'cursor,explain,facets',
  })
  const near =
    answer.results.length > 0 ? [] : await nearTo(view, read, { q, isFiltered: Object.keys(filters).length > 0 })
  return searchPage(view, { answer, filters, near })
}

/** Items that fit the question without its filters; else those whose names hold the beginning of its first word. */
async function nearTo(view: View, read: CatalogReader, { q, isFiltered }: { q: string; isFiltered: boolean }) {
  if (isFiltered) {
    const { results } = await read.search({ ...shownIn(view), q, limit: SUGGESTIONS_MAX })
    if (results.length > 0) return results
  }
  const [word = ''] = q.split(/\s+/)
  const beginning = [...word].slice(0, BEGINNING_CHARS).join('')
  if ([...beginning].length < 2) return []
  const { items } = await read.items({ ...shownIn(view), q: beginning, limit: SUGGESTIONS_MAX })
  return items
}
/** Most words of one trade agree in so many letters across languages and endings. */
const BEGINNING_CHARS = 4

const SUGGESTIONS_MAX = 8

/** What a question finds so far; a word that is not typed to its end is looked for in the names. */
export async function readSuggestions(view: View, read: CatalogReader): Promise<Markup> {
  const q = (view.address.searchParams.get('q') ?? '').trim()
  if ([...q].length < 2) return ''
  const shown = { ...shownIn(view), region: view.market, q, limit: SUGGESTIONS_MAX }
  try {
    const { results } = await read.search(shown)
    if (results.length >= SUGGESTIONS_MAX) return suggestions(view, results)
    const { items } = await read.items({ ...shown, q: [...q].slice(0, NAME_CHARS_MAX).join('') })
    const named = items.filter(({ id }) => results.every((result) => result.id !== id))
    return suggestions(view, [...results, ...named].slice(0, SUGGESTIONS_MAX))
  } catch (error) {
    // The page itself says what is wrong.
    if (error instanceof PageFailure) return ''
    throw error
  }
}
/** Of a filter by name. */
const NAME_CHARS_MAX = 64
