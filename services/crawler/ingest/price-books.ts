import { type MappedRecipeOptions, readMappedRecipes } from '@catalog/crawler/recipes/mapped-recipes.ts'
import { type RecipeOptions, type RecipeOutcome, readRecipes } from '@catalog/crawler/recipes/recipes.ts'
import { gunzipped, withoutGz } from '@catalog/formats/bytes/gzip.ts'
import type { ByteSource } from '@catalog/formats/bytes/record.ts'
import { archiveSources } from '@catalog/formats/bytes/zip.ts'
import type { Format } from '@catalog/formats/format.ts'
import { isDefined } from '@catalog/formats/format-readers.ts'
import type { Mapping } from '@catalog/formats/mapping/mapping.ts'
import type { Detected } from '@catalog/formats/read-options.ts'
import { fileSource, type InputFile } from './inputs.ts'

/** A file with recipes under its name as detected: BC3 with its findings, or rows of a mapping. */
export type PriceBookFile = Readonly<{ name: string }> &
  (Readonly<{ options: RecipeOptions }> | Readonly<{ mapped: MappedRecipeOptions }>)

/** The name of the price book that a list stands in: recipes of a workbook may stand in other sheets than its prices. */
export const bookName = ({ file, workbook }: Pick<Detected, 'file' | 'workbook'>): string => workbook ?? file

/**
 * The rows of recipes in a file of this format; none where the mapping names none, and in formats that define their own. Recipes are
 * dated as prices are: by the constant of the mapping, else by the edition that the file tells.
 */
export function mappedBook(
  { name, format, edition }: Readonly<{ name: string; format: Format | null; edition: Detected['edition'] }>,
  options: Omit<MappedRecipeOptions, 'format' | 'mapping'> & Readonly<{ mapping: Mapping | undefined }>,
): PriceBookFile[] {
  const { mapping } = options
  if (mapping?.recipes === undefined || format === null || format === 'zip' || isDefined(format)) return []
  const observedAt = mapping.constants?.observed_at ?? edition?.day ?? options.observedAt
  return [{ name, mapped: { ...options, mapping, format, observedAt } }]
}

/** The recipes of one piece of a price book. */
export type RecipeBatch = Readonly<{ name: string; outcomes: readonly RecipeOutcome[] }>

/** Reads the recipes of these price books in a file. */
export type ReadPriceBooks = (
  file: InputFile,
  books: readonly PriceBookFile[],
) => AsyncGenerator<RecipeBatch, void, undefined>

/** The price books that are this file, or that lie in it where it is an archive. */
export function booksIn<Book extends Readonly<{ name: string }>>(file: InputFile, books: readonly Book[]): Book[] {
  const name = withoutGz(file.name)
  return books.filter((book) => book.name === name || book.name.startsWith(`${name}/`))
}

/** Reads the recipes of the price books in a file, in this process. */
export async function* readPriceBooks(
  file: InputFile,
  books: readonly PriceBookFile[],
): AsyncGenerator<RecipeBatch, void, undefined> {
  const source = gunzipped(fileSource(file))
  const whole = books.find(({ name }) => name === source.name)
  if (whole !== undefined) {
    for await (const outcomes of recipesOf(source, whole)) yield { name: source.name, outcomes }
    return
  }
  if (books.length === 0) return
  for await (const inner of archiveSources(source)) {
    const book = 'open' in inner ? books.find(({ name }) => name === inner.name) : undefined
    if (!('open' in inner) || book === undefined) continue
    for await (const outcomes of recipesOf(inner, book)) yield { name: inner.name, outcomes }
  }
}

const recipesOf = (source: ByteSource, book: PriceBookFile) =>
  'mapped' in book ? readMappedRecipes(source, book.mapped) : readRecipes(source, book.options)
