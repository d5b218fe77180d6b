import { type RecipeOptions, type RecipeOutcome, readRecipes } from '@catalog/crawler/recipes/recipes.ts'
import { gunzipped, withoutGz } from '@catalog/formats/bytes/gzip.ts'
import { archiveSources } from '@catalog/formats/bytes/zip.ts'
import { fileSource, type InputFile } from './inputs.ts'

/** A BC3 file, under its name as detected, with the findings that its recipes need. */
export type PriceBookFile = Readonly<{ name: string; options: RecipeOptions }>

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
    for await (const outcomes of readRecipes(source, whole.options)) yield { name: source.name, outcomes }
    return
  }
  if (books.length === 0) return
  for await (const inner of archiveSources(source)) {
    const book = 'open' in inner ? books.find(({ name }) => name === inner.name) : undefined
    if (!('open' in inner) || book === undefined) continue
    for await (const outcomes of readRecipes(inner, book.options)) yield { name: inner.name, outcomes }
  }
}
