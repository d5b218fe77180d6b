import type { SearchDocument, SearchFilter } from '@catalog/search/search.ts'

type DocumentFacets = Pick<SearchDocument, 'regions' | 'categoryId' | 'kind'>

/** What filters compare: each combination once, because a million documents share some thousands. */
export class Facets {
  readonly #combinations: DocumentFacets[] = []
  readonly #numbers = new Map<string, number>()

  /** The number of a document's combination, from 0 on. */
  numberOf({ regions, categoryId, kind }: DocumentFacets): number {
    const key = JSON.stringify([regions, categoryId, kind ?? null])
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const added = this.#combinations.push({ regions, categoryId, kind: kind ?? null }) - 1
    this.#numbers.set(key, added)
    return added
  }

  kindOf(number: number): string | null {
    return this.#combinations[number]?.kind ?? null
  }

  /** Whether documents with a combination pass the filter; compares each combination once. */
  passing({ region, categoryIds, kind }: SearchFilter): (number: number) => boolean {
    if (region === undefined && categoryIds === undefined && kind === undefined) return () => true
    const categories = categoryIds === undefined ? undefined : new Set(categoryIds)
    const passes = (facets: DocumentFacets) =>
      (region === undefined || facets.regions.includes(region)) &&
      (kind === undefined || facets.kind === kind) &&
      (categories === undefined || (facets.categoryId !== null && categories.has(facets.categoryId)))
    const known = new Uint8Array(this.#combinations.length)
    return (number) => {
      known[number] ||= passes(this.#combinations[number] as DocumentFacets) ? PASSES : FAILS
      return known[number] === PASSES
    }
  }
}

const PASSES = 1
const FAILS = 2
