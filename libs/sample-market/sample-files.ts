import { conversionFactor } from '@catalog/core/units/sold-unit.ts'
import { load } from 'js-yaml'
import type { z } from 'zod'
import { LevelsFile, Measure, NamesFile, NearTwinsFile, sold, TradeFile } from './goods.ts'
import { PriceBookFile } from './price-book.ts'
import { VendorsFile } from './vendors.ts'

/** The YAML files contradict the schema: one line for each problem, at most {@link PROBLEMS_SHOWN_MAX}. */
export class InvalidSample extends Error {
  override name = 'InvalidSample'
  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.slice(0, PROBLEMS_SHOWN_MAX).join('\n'), options)
  }
}
const PROBLEMS_SHOWN_MAX = 20

export function readVendors(text: string): VendorsFile {
  return read({ text, schema: VendorsFile, file: 'vendors.yaml' })
}

export function readTrade(text: string, number: number): TradeFile {
  const trade = /^trade: *(\S+)/m.exec(text)?.[1]
  return read({
    text,
    schema: TradeFile,
    file: trade === undefined ? `products file ${number}` : `products/${trade}.yaml`,
  })
}

export function readLevels(text: string): LevelsFile {
  return read({ text, schema: LevelsFile, file: 'market-levels.yaml' })
}

export function readNames(text: string): NamesFile {
  return read({ text, schema: NamesFile, file: 'market-names.yaml' })
}

export function readNearTwins(text: string): NearTwinsFile {
  return read({ text, schema: NearTwinsFile, file: 'near-twins.yaml' })
}

export function readPriceBook(text: string, number: number): PriceBookFile {
  const vendor = /^vendor: *(\S+)/m.exec(text)?.[1]
  const file = vendor === undefined ? `price-books file ${number}` : `price-books/${vendor}.yaml`
  return read({ text, schema: PriceBookFile, file })
}

function read<T>({ text, schema, file }: { text: string; schema: z.ZodType<T>; file: string }): T {
  let value: unknown
  try {
    value = load(text, { maxAliases: 0 })
  } catch (cause) {
    throw new InvalidSample([`${file}: expected YAML: ${(cause as Error).message.split('\n')[0]}`], { cause })
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => `${file}: ${placeIn(value, path)}: ${message}`)
  throw new InvalidSample(problems, { cause: parsed.error })
}

/** "products[plasterboard-13].eur": names list entries by their key. */
function placeIn(value: unknown, path: readonly PropertyKey[]): string {
  let at: unknown = value
  let place = ''
  for (const step of path) {
    at = (at as Record<PropertyKey, unknown> | null | undefined)?.[step]
    if (typeof step === 'number') place += `[${(at as { key?: string } | null | undefined)?.key ?? step}]`
    else place += `${place === '' ? '' : '.'}${String(step)}`
  }
  return place === '' ? 'the file' : place
}

/** The problems that only all files together show. */
export function crossFileProblems(
  files: readonly TradeFile[],
  { vendorsFile, levels, names }: { vendorsFile: VendorsFile; levels: LevelsFile; names: NamesFile },
): string[] {
  const products = files.flatMap(({ trade, products }) => products.map((product) => ({ trade, ...product })))
  const placeOf = (product: { trade: string; key: string }) =>
    `products/${product.trade}.yaml: products[${product.key}]`
  const trades = new Set(files.map(({ trade }) => trade))
  return [
    ...duplicates(files, ({ trade }) => trade).map(
      ({ trade }) => `products/${trade}.yaml: trade: expected in one file only`,
    ),
    ...duplicates(products, ({ key }) => key).map((product) => `${placeOf(product)}.key: expected in one place only`),
    ...duplicates(products, ({ gtin }) => gtin).map(
      (product) => `${placeOf(product)}.gtin: ${product.gtin} is another product's`,
    ),
    ...duplicates(products, ({ ref }) => ref).map(
      (product) => `${placeOf(product)}.ref: ${product.ref} is another product's`,
    ),
    ...products.flatMap((product) =>
      Object.entries(product.packs ?? {}).flatMap(([region, pack]) =>
        product.pack && conversionFactor(sold(product.unit, product.pack), sold(product.unit, pack))
          ? []
          : [`${placeOf(product)}.packs.${region}: expected contents that convert to those of pack`],
      ),
    ),
    ...products
      .filter(({ unit, pack }) => pack !== undefined && Measure.safeParse(unit).success)
      .map((product) => `${placeOf(product)}.pack: expected only where the unit is a container, not ${product.unit}`),
    ...Object.keys(levels.families)
      .filter((trade) => !trades.has(trade))
      .map((trade) => `market-levels.yaml: families.${trade}: expected a file products/${trade}.yaml`),
    ...Object.keys(levels.products)
      .filter((key) => products.every((product) => product.key !== key))
      .map((key) => `market-levels.yaml: products.${key}: expected a key of products/`),
    ...Object.entries(names).flatMap(([locale, own]) =>
      Object.keys(own)
        .filter((key) => products.every((product) => product.key !== key))
        .map((key) => `market-names.yaml: ${locale}.${key}: expected a key of products/`),
    ),
    ...duplicates(vendorsFile.vendors, ({ key }) => key).map(
      ({ key }) => `vendors.yaml: vendors[${key}].key: expected once`,
    ),
    ...duplicates(vendorsFile.vendors, ({ name }) => name).map(
      ({ key }) => `vendors.yaml: vendors[${key}].name: expected once`,
    ),
    ...vendorsFile.vendors.flatMap(({ key, trades: own }) =>
      own
        .filter((trade) => !trades.has(trade))
        .map((trade) => `vendors.yaml: vendors[${key}].trades: expected a file products/${trade}.yaml`),
    ),
  ]
}

/** The entries whose value occurs earlier; skips undefined values. */
function duplicates<T>(entries: readonly T[], value: (entry: T) => string | undefined): T[] {
  const seen = new Set<string | undefined>()
  return entries.filter((entry) => {
    const text = value(entry)
    const isDuplicate = text !== undefined && seen.has(text)
    seen.add(text)
    return isDuplicate
  })
}
