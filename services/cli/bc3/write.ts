import { stat } from 'node:fs/promises'
import { type BookScope, bookEntries } from '@catalog/api/price-books/price-book.ts'
import { apiAddress, type Context } from '@catalog/cli/shared/context.ts'
import { writeWhole } from '@catalog/cli/shared/whole-file.ts'
import { type Bc3Charset, CHARSETS } from '@catalog/formats/bc3/charset.ts'
import type { Bc3Entry } from '@catalog/formats/bc3/entries.ts'
import { DiagnosticLog } from '@catalog/formats/bc3/entry-stream.ts'
import { writeBc3 } from '@catalog/formats/bc3/write.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { readPublished } from '@catalog/store/catalog/detail.ts'
import { readChapters } from '@catalog/store/catalog/price-book.ts'
import type { Queryable } from '@catalog/store/db.ts'

export type WriteFlags = Readonly<{ all?: boolean; out: string; charset: string; region?: string; source?: string }>

type Writing = Pick<Context, 'terminal' | 'env'> & Readonly<{ catalog: Pick<Catalog, 'store'> }>

/** Values of `--charset`, beginning with the one that every program reads. */
const WRITE_CHARSETS = ['ANSI', 'UTF-8', '850', '437'] as const satisfies readonly Bc3Charset[]

/**
 * `catalog bc3 write ITEM|CATEGORY|--all --out FILE`: writes a FIEBDC-3/2020 price book, whole or not at all. Throws an
 * error that names an unknown item or category.
 */
export async function writePriceBook(
  { catalog, terminal, env }: Writing,
  id: string | undefined,
  flags: WriteFlags,
): Promise<void> {
  const { store } = catalog
  const scope = await scopeOf(store, { id, ...flags })
  const charset = charsetOf(flags.charset)
  // The public address, for the texts of items and for ~V.
  const baseUrl = apiAddress(env)
  const log = new DiagnosticLog()
  const counts = { items: 0, chapters: 0, concepts: 0, recipes: 0 }
  const progress = terminal.progress('items written')
  async function* entries() {
    const onProgress = (items: number) => {
      counts.items = items
      progress.to(items)
    }
    for await (const batch of bookEntries(store, { scope, baseUrl, onProgress })) {
      for (const entry of batch) count(entry)
      yield batch
    }
  }
  const count = (entry: Bc3Entry) => {
    if (entry.letter === 'C' && entry.suffix !== '') counts.chapters++
    else if (entry.letter === 'C') counts.concepts++
    else if (entry.letter === 'D' && entry.suffix === '') counts.recipes++
  }
  await writeWhole(flags.out, writeBc3(entries(), { charset, log })).finally(progress.done)
  const { size: bytes } = await stat(flags.out)
  const replaced = Object.fromEntries(log.counts)
  terminal.answer({ file: flags.out, charset, ...counts, bytes, replaced }, () =>
    [
      `${flags.out}: ${counts.items} items in ${counts.chapters} chapters, ${counts.concepts} concepts, ${counts.recipes} recipes, ${bytes} bytes in ${charset}`,
      ...Object.entries(replaced).map(([code, times]) => `${code} ${times}: see --charset`),
    ].join('\n'),
  )
  terminal.next(`catalog bc3 read ${flags.out}`)
}

async function scopeOf(
  store: Queryable,
  { id, all = false, region, source }: Pick<WriteFlags, 'all' | 'region' | 'source'> & { id: string | undefined },
): Promise<BookScope> {
  if (all !== (id === undefined)) throw new Error('expected the id of an item or of a category, or --all')
  if (id === undefined) return { kind: 'all' }
  if ((await readChapters(store, id)).length > 0) return { kind: 'category', categoryId: id }
  const item = await readPublished(store, id)
  if (item === undefined) throw new Error(`'${id}': expected the id of an item or of a category`)
  return { kind: 'item', itemId: item.item_id, region: region?.toUpperCase(), source }
}

function charsetOf(text: string): Bc3Charset {
  const found = WRITE_CHARSETS.find((charset) => charset.toLowerCase() === text.toLowerCase())
  if (found === undefined) throw new Error(`--charset '${text}': expected one of ${Object.keys(CHARSETS).join(', ')}`)
  return found
}
