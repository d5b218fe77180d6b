import type { SourceRef } from '@catalog/core/events/sources.ts'
import { readMappedRecipes } from '@catalog/crawler/recipes/mapped-recipes.ts'
import { type RecipeOutcome, readRecipes } from '@catalog/crawler/recipes/recipes.ts'
import { gunzipped } from '@catalog/formats/bytes/gzip.ts'
import type { ByteSource } from '@catalog/formats/bytes/record.ts'
import { archiveSources } from '@catalog/formats/bytes/zip.ts'
import { isDefined } from '@catalog/formats/format-readers.ts'
import type { Detected, ReadOptions } from '@catalog/formats/read-options.ts'

/** Recipes of a price book. */
export type RecipeBatch = Readonly<{ source: SourceRef; recipes: readonly RecipeOutcome[] }>

/** The lists of a file that may have recipes, by the price book that they stand in. */
export class PriceBooks {
  readonly #options: ReadOptions
  readonly #lists = new Map<string, Detected>()

  constructor(options: ReadOptions) {
    this.#options = options
  }

  /** Takes a list with its final findings. Recipes of a workbook may stand in other sheets than its prices. */
  add(list: Detected): void {
    const { format, workbook, file } = list
    const isMapped = this.#options.mapping?.recipes !== undefined && format !== null
    if (format === 'bc3' || isMapped) this.#lists.set(workbook ?? file, list)
  }

  /** Reads the recipes of these lists in their file, after a batch without recipes for each list. */
  async *read(file: ByteSource): AsyncGenerator<RecipeBatch, void, undefined> {
    if (this.#lists.size === 0) return
    for (const { source } of this.#lists.values()) yield { source, recipes: [] }
    const whole = gunzipped(file)
    for await (const inner of this.#lists.has(whole.name) ? [whole] : archiveSources(whole)) {
      const list = 'open' in inner ? this.#lists.get(inner.name) : undefined
      if (!('open' in inner) || list === undefined) continue
      for await (const recipes of recipesOf(inner, list, this.#options)) yield { source: list.source, recipes }
    }
  }
}

/**
 * The recipes of BC3 with its findings, or of the rows that a mapping names. They are dated as prices are: by the constant of the
 * mapping, else by the edition that the file tells.
 */
function recipesOf(
  file: ByteSource,
  { bc3: header, encoding, format, edition, source }: Detected,
  { mapping, defaults }: ReadOptions,
): AsyncIterable<readonly RecipeOutcome[]> | [] {
  const { currency = defaults.currency, observed_at } = mapping?.constants ?? {}
  const shared = { source, currency, notAfter: defaults.notAfter }
  if (header !== null && encoding !== null) {
    const observedAt = observed_at ?? defaults.observedAt
    return readRecipes(file, { ...shared, observedAt, header, encoding: encoding.used })
  }
  if (mapping?.recipes === undefined || format === null || format === 'zip' || isDefined(format)) return []
  const observedAt = observed_at ?? edition?.day ?? defaults.observedAt
  return readMappedRecipes(file, { ...shared, observedAt, mapping, format })
}
