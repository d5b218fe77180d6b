import { levelOf, refOf, spelledUnit } from './assortment.ts'
import { type Product, spellingsOf, type Unit } from './goods.ts'
import { bookUnit, bookUnitFactor, type PriceBookFile } from './price-book.ts'
import { PRICE_PARTS, recipePrice, roundedPrice } from './price-walk.ts'
import type { SampleBook, SampleRecipe, SampleSku, Vendor, VendorsFile } from './vendors.ts'

/** The SKUs of a book in the order of its file: works by chapter, site mixes, then resources by their codes. */
export function bookOf({
  vendor,
  file,
  products,
  vendorsFile,
}: {
  vendor: Vendor
  file: PriceBookFile
  products: readonly Product[]
  vendorsFile: VendorsFile
}): { skus: SampleSku[]; book: SampleBook } {
  const known = new Map(products.map((product) => [product.key, product]))
  const works = file.chapters.flatMap(({ works }) => works)
  const spelled = (unit: Unit) => file.spellings?.[unit] ?? spelledUnit({ vendor, unit, vendorsFile })
  const codes = new Map<string, string>(works.map(({ key, code }) => [key, code]))
  const taken = new Set<string>()
  const codeOf = (key: string, prefix: string) => {
    const found = codes.get(key) ?? `${prefix}${refOf(vendor, known.get(key) as Product, taken)}`
    taken.add(found.slice(prefix.length))
    codes.set(key, found)
    return found
  }
  for (const { key } of file.auxiliaries) codeOf(key, file.codes.auxiliary)
  const resources = [...new Set([...file.auxiliaries, ...works].flatMap(({ lines }) => Object.keys(lines)))]
    .filter((key) => !codes.has(key))
    .map((key) => known.get(key) as Product)
  const priced = resources.map((product): SampleSku => {
    const perUnit = bookUnitFactor(file, product) as number
    return {
      ...BARE,
      product,
      ref: codeOf(product.key, file.codes[product.kind as 'material']),
      name: ownName(file, product.key) ?? (spellingsOf(product.names, vendor.locale)[0] as string),
      unit: spelled(bookUnit(file, product)),
      level: levelOf(vendor, product, perUnit),
    }
  })
  const recipes = new Map<string, SampleRecipe>()
  const prices = new Map(priced.map(({ ref, level }) => [ref, roundedPrice(level, vendor.currency)]))
  const recipeSku = (
    {
      key,
      unit,
      name,
      lines,
      text,
    }: { key: string; unit: Unit; name?: string | undefined; lines: Record<string, number>; text?: string | undefined },
    isWork: boolean,
  ): SampleSku => {
    const product = known.get(key) as Product
    const ref = codes.get(key) as string
    const recipe: SampleRecipe = {
      isWork,
      text: text ?? null,
      lines: Object.entries(lines).map(([of, quantity]) => ({
        code: codes.get(of) as string,
        quantity: String(quantity),
      })),
    }
    recipes.set(ref, recipe)
    const parts = recipePrice(recipe, { percentages: file.percentages, priceOf: (code) => prices.get(code) as number })
    prices.set(ref, parts)
    const level = parts / PRICE_PARTS
    return {
      ...BARE,
      product,
      ref,
      name: name ?? (spellingsOf(product.names, vendor.locale)[0] as string),
      unit: spelled(unit),
      level,
    }
  }
  const mixes = file.auxiliaries.map((mix) => recipeSku(mix, false))
  const finished = works.map((work) => recipeSku(work, true))
  const chapters = file.chapters.map(({ code, name, works }) => ({ code, name, works: works.map(({ code }) => code) }))
  const book = { title: file.title, chapters, percentages: file.percentages, recipes }
  const byCode = priced.sort((a, b) => (a.ref < b.ref ? -1 : 1))
  return { skus: [...finished, ...mixes, ...byCode], book }
}

/** What no line of a price book has. */
const BARE = { pack: null, gtin: null, manufacturerRef: null, cpv: null, hasTiers: false, defect: null } as const

function ownName(file: PriceBookFile, key: string): string | undefined {
  return file.names?.[key] ?? file.resources.find((resource) => resource.key === key)?.name
}
