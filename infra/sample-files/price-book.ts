import { conversionFactor } from '@catalog/core/units/sold-unit.ts'
import { z } from 'zod'
import { Key, Measure, type Product, sold, Text, Unit } from './goods.ts'
import { ProductKind } from './price-levels.ts'

/** The price books of the sample: works with recipes, whose prices follow from those of their resources. */

const Code = z.string().regex(/^[A-Z0-9][A-Z0-9.-]{1,19}$/, 'expected capitals and digits')
/** Product key -> quantity for one unit of the work. */
const Lines = z.record(Key, z.number().positive()).refine((lines) => Object.keys(lines).length > 0, 'expected a line')

const WorkEntry = z.strictObject({
  code: Code,
  /** Of the finished work; books that price the same work share it, also with products/. */
  key: Key,
  unit: Unit,
  /** Required unless products/ names the work in the vendor's language. */
  name: Text.optional(),
  text: Text.optional(),
  lines: Lines,
})

export const PriceBookFile = z.strictObject({
  vendor: Key,
  title: Text,
  /** How the codes of resources and site mixes begin. */
  codes: z.strictObject({ labour: Text, machinery: Text, material: Text, auxiliary: Text }),
  percentages: z.array(
    z.strictObject({
      code: z.string().regex(/^[A-Z]*%[A-Z]*$/, 'expected a mask, % and letters'),
      name: Text,
      rate: z.number().positive().max(0.3),
    }),
  ),
  /** Goods of a container, and the unit of their contents in which the book prices them. */
  units: z.record(Key, Unit),
  /** How the book writes a unit, where the vendor has several spellings. */
  spellings: z.partialRecord(Unit, Text).optional(),
  /** What the book calls a good, where it is not the first name of products/ in the vendor's language. */
  names: z.record(Key, Text).optional(),
  /** Goods that products/ lacks. */
  resources: z.array(
    z.strictObject({ key: Key, kind: ProductKind, unit: Unit, eur: z.number().positive(), name: Text }),
  ),
  /** Site mixes, each before the recipes that use it. */
  auxiliaries: z.array(z.strictObject({ key: Key, unit: Unit, name: Text, lines: Lines })),
  chapters: z.array(z.strictObject({ code: Code, name: Text, works: z.array(WorkEntry).min(1) })).min(1),
})
export type PriceBookFile = z.infer<typeof PriceBookFile>

/** The products that only price books have, each once. */
export function bookProducts(books: readonly PriceBookFile[], known: readonly Product[]): Product[] {
  const found = new Map(known.map((product) => [product.key, product]))
  const own: Product[] = []
  const add = ({
    key,
    kind,
    unit,
    eur,
    name = key,
  }: Pick<Product, 'key' | 'kind' | 'unit' | 'eur'> & { name?: string | undefined }) => {
    if (found.has(key)) return
    // The name of the first book stands for all languages; each vendor writes its own.
    const names = { es: [name], en: [name], pt: [name] }
    const bare = { trade: 'price-book', category: CATEGORY, isCommon: false, levels: {} }
    const product: Product = { key, kind, unit, eur, names, ...bare }
    found.set(key, product)
    own.push(product)
  }
  for (const { resources, auxiliaries, chapters } of books) {
    for (const resource of resources) add(resource)
    // Their recipes price them.
    for (const mix of auxiliaries) add({ ...mix, kind: 'material', eur: Number.NaN })
    for (const work of chapters.flatMap(({ works }) => works)) add({ ...work, kind: 'work', eur: Number.NaN })
  }
  return own
}
const CATEGORY: Product['category'] = {
  es: ['Unidades de obra'],
  en: ['Finished work'],
  pt: ['Serviços de obra'],
}

/** Units of the product for one unit of the book; null when they do not convert. */
export function bookUnitFactor(book: PriceBookFile, product: Product): number | null {
  const unit = bookUnit(book, product)
  if (unit === product.unit && product.pack === undefined) return 1
  if (unit !== 'u' && !Measure.safeParse(unit).success) return null
  const factor = conversionFactor(sold(product.unit, product.pack), sold(unit))
  return factor === null ? null : Number(factor.n) / Number(factor.d)
}

export function bookUnit(book: PriceBookFile, product: Product): Unit {
  return book.units[product.key] ?? product.unit
}
