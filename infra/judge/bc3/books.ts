import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { bookEntries } from '@catalog/api/price-books/price-book.ts'
import { type Bc3Charset, CHARSETS } from '@catalog/formats/bc3/charset.ts'
import type { Bc3Entry } from '@catalog/formats/bc3/entries.ts'
import { DiagnosticLog, openBc3 } from '@catalog/formats/bc3/entry-stream.ts'
import { writeBc3 } from '@catalog/formats/bc3/write.ts'
import type { Encoding } from '@catalog/formats/bytes/encoding.ts'
import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { answerOf } from '@catalog/stack/servers/command.ts'
import { openEmbedded } from '@catalog/store/embedded/embedded.ts'
import { type BookContent, contentOfEntries } from './book-content.ts'

/** A BC3 file that we wrote, with its expected content. */
export type Book = Readonly<{
  name: string
  path: string
  charset: Encoding
  expected: BookContent
  /** The source file and its charset; null for a book of the catalog. */
  original: Readonly<{ path: string; charset: Encoding }> | null
}>

/** Charsets that programs write Spanish texts in. */
const WRITTEN_CHARSETS: readonly Bc3Charset[] = ['UTF-8', 'ANSI', '850']

/** Reads files of other programs and writes them into `folder` in each charset. */
export async function rewriteBooks(
  files: readonly Readonly<{ name: string; bytes: Uint8Array }>[],
  folder: string,
): Promise<readonly Book[]> {
  const books: Book[] = []
  for (const { name, bytes } of files) {
    const { entries, encoding } = await openBc3(bytesSource(name, bytes), { log: new DiagnosticLog() })
    const batches: (readonly Bc3Entry[])[] = []
    for await (const batch of entries) batches.push(batch)
    const path = join(folder, name)
    writeFileSync(path, bytes)
    for (const charset of WRITTEN_CHARSETS) {
      const anew = join(folder, `${charset}-${name}`)
      writeFileSync(anew, await buffer(writeBc3(batches, { charset })))
      const original = { path, charset: encoding.used }
      books.push({
        name,
        path: anew,
        charset: CHARSETS[charset],
        expected: contentOfEntries(batches, charset),
        original,
      })
    }
  }
  return books
}

/** Writes a catalog of recipes into `folder` in each charset, by the command. */
export async function writeCatalogBooks(folder: string): Promise<readonly Book[]> {
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'catalog-judge-'))
  const data = join(temporary.path, 'data')
  const mapping = join(temporary.path, 'mapping.json')
  writeFileSync(mapping, JSON.stringify(SHOP_MAPPING))
  for (const { file, options, text } of [...BANKS, SHOP]) {
    const path = join(temporary.path, file)
    writeFileSync(path, text)
    await answerOf(['crawl', path, '--observed-at', OBSERVED_AT, '--lang', 'es', ...options(mapping)], { data })
  }
  await answerOf(['aggregate', '--as-of', AS_OF], { data })
  const paths = new Map<Bc3Charset, string>()
  for (const charset of WRITTEN_CHARSETS) {
    const path = join(folder, `${charset}-catalog.bc3`)
    await answerOf(['bc3', 'write', '--all', '--out', path, '--charset', charset], { data })
    paths.set(charset, path)
  }
  await using embedded = await openEmbedded({ dir: data })
  const batches: (readonly Bc3Entry[])[] = []
  const options = { scope: { kind: 'all' }, baseUrl: 'https://catalog.example.org/v1' } as const
  for await (const batch of bookEntries(embedded.store, options)) batches.push(batch)
  return [...paths].map(([charset, path]) => ({
    name: 'the catalog',
    path,
    charset: CHARSETS[charset],
    expected: contentOfEntries(batches, charset),
    original: null,
  }))
}

const OBSERVED_AT = '2026-11-20'
const AS_OF = '2026-11-21'

/** More than two pages of one chapter. */
const UNITS = 230

/**
 * Two synthetic price banks with nested recipes, percentages with masks, long and blank yields, and names with accents.
 */
const BANKS = [
  {
    file: 'banco.bc3',
    options: () => ['--kind', 'bank', '--source', 'Banco', '--region', 'ES', '--currency', 'EUR'],
    text: bankText('EUR', 1, [
      '~C|MORT|m3|Mortero de cemento M-5, amasado "in situ"|66.10||0|',
      '~D|MORT|CEM\\1\\250\\AGUA\\\\0.255\\O01\\1.05\\2\\|',
      '~C|FAB|m2|Fábrica de ladrillo ½ pie; señalización Ø 12 €/ud, Ñandú|24.85||0|',
      '~D|FAB|LAD\\1\\50.000\\MORT\\1\\0.0255\\O01\\1\\0.333333333\\%MA\\1\\0.02\\O%SS\\\\0.015\\|',
      '~C|AJU|u|Ajuste que no tiene factor ni rendimiento|-2.50||0|',
      '~D|AJU|LAD\\\\\\BON\\1\\-2\\|',
    ]),
  },
  {
    file: 'catalogo.bc3',
    options: () => ['--kind', 'bank', '--source', 'Catálogo', '--region', 'MX', '--currency', 'MXN'],
    text: bankText('MXN', 18, ['~C|FAB|m2|Muro de tabique de 14 cm|448.20||0|', '~D|FAB|LAD\\1\\55\\O01\\1\\0.4\\|']),
  },
]

/** A shop with categories, whose names hold the separators of the format. */
const SHOP = {
  file: 'almacen.csv',
  options: (mapping: string) => ['--source', 'Almacén', '--region', 'ES', '--currency', 'EUR', '--mapping', mapping],
  text: [
    'ref,name,unit,price,group,subgroup',
    'A1,Ladrillo cerámico hueco doble 24x11x8 cm,u,0.24,Albañilería,Ladrillos',
    'A2,"Placa ~12 mm | tabique \\ trasdosado; ""PYL""",m2,5.15,Albañilería,Placas',
    'A3,Disolvente ≥ 99 % – bidón “grande” 東,l,3.999,Pinturas,Disolventes',
    'A4,Cinta de pintor,u,2.10,Pinturas,Cintas',
  ].join('\r\n'),
}
const SHOP_MAPPING = {
  columns: { vendor_ref: 'ref', name: 'name', unit: 'unit', price: 'price', category_path: ['group', 'subgroup'] },
}

function bankText(currency: string, rate: number, recipes: readonly string[]): string {
  const price = (cents: number) => ((cents * rate) / 100).toFixed(2)
  const units = Array.from({ length: UNITS }, (_, n) => [
    `~C|U${n}|m|Tubería de polietileno DN ${20 + n} mm|${price(310 + n)}||0|`,
    `~D|U${n}|TUB\\1\\${(1 + n / 1_000).toFixed(3)}\\O01\\1\\0.05\\|`,
  ])
  return [
    '~V|Ours|FIEBDC-3/2020\\20112026|ours|\\|UTF-8|',
    `~K|2\\2\\2\\3\\2\\2\\2\\2\\${currency}\\|0|`,
    '~C|OBRA##||Banco|0||0|',
    '~D|OBRA|RED#\\\\1\\MUR#\\\\1\\|',
    '~C|MUR#||Muros y fábricas|0||0|',
    `~D|MUR|FAB\\\\1\\${recipes.length > 2 ? 'MORT\\\\1\\AJU\\\\1\\' : ''}|`,
    '~C|RED#||Redes de tuberías|0||0|',
    `~D|RED|${units.map((_, n) => `U${n}\\\\1\\`).join('')}|`,
    `~C|O01|h|Oficial 1ª|${price(2_050)}||1|`,
    `~C|LAD|u|Ladrillo cerámico hueco|${price(22)}||3|`,
    `~C|TUB|m|Tubo de polietileno|${price(208)}||3|`,
    '~C|CEM|kg|Cemento CEM II/B-P 32,5 N|0.094||3|',
    '~C|AGUA|m3|Agua|1.125||3|',
    '~C|BON|u|Bonificación por envases|1.36||3|',
    '~C|%MA|%|Medios auxiliares|0||%|',
    '~C|O%SS|%|Seguridad de la mano de obra|0||%|',
    ...recipes,
    ...units.flat(),
  ]
    .map((line) => `${line}\r\n`)
    .join('')
}

/** Changes the first price, or the first yield, of a book; null when it has none. */
export function mutate({ path }: Book, what: 'price' | 'yield', to: string): Readonly<{ path: string }> | null {
  const text = readFileSync(path, 'latin1')
  const changed = text.replace(FIRST[what], (_, before, digits) => before + (digits === '7.25' ? '8.25' : '7.25'))
  if (changed === text) return null
  writeFileSync(to, changed, 'latin1')
  return { path: to }
}
const FIRST = {
  price: /^(~C\|[^|]*\|[^|]*\|[^|]*\|)(-?[\d.]+)/m,
  yield: /^(~D\|[^|]*\|[^\\|]+\\[^\\|]*\\)(-?[\d.]+)/m,
}
