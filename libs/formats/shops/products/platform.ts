import { readDataFile } from '@catalog/core/data-file.ts'
import { flagAt, type JsonObject, localText, objectsAt, textAt } from './json-values.ts'
import {
  isZero,
  type NoPrice,
  namedWith,
  priceOf,
  type ShopContext,
  type ShopRecord,
  type ShopShape,
  stock,
  type Told,
  uniqueRefs,
} from './shop-record.ts'

/** Where a value is looked for: the product, and how the answer was read. */
type Found = Readonly<{ product: JsonObject; context: ShopContext }>
/** A text of what is sold: the first of these paths that has one, or what a function or a form of {@link FORMS} finds. */
type Place = string | readonly string[] | ((sold: JsonObject, found: Found) => string) | Form
type FormName = 'above_zero' | 'local' | 'first_of' | 'flagged' | 'counted'
type Form = Readonly<Partial<Record<FormName, string | readonly string[]>>>
type Places = Readonly<Partial<Record<keyof Told, Place>>>

/** A shop system or search service: where the JSON of its products has what a record needs. */
type Platform = Readonly<{
  system: string
  isProduct: ShopShape['isProduct']
  /** Why a product gives no price, whatever its variants. */
  refusal?: (product: JsonObject, context: ShopContext) => NoPrice | null
  /** The variants of a product, which are sold in its place: the paths of their list, or a function. */
  variants?: string | ((product: JsonObject) => readonly JsonObject[])
  /** Why a product whose variants the answer lacks gives no price. */
  refusalAlone?: (product: JsonObject, context: ShopContext) => NoPrice | null
  /** The reference of a product. */
  ref: Place
  /** The reference of a variant, and what tells apart those that share one. */
  sku?: Place
  id?: Place
  price: Place | ((sold: JsonObject, found: Found) => string | NoPrice)
  /** Texts of a product that hold for its variants too. */
  shared?: Places
  /** Texts of what is sold, a variant or a product; they outrank those of its product. */
  own?: Places
  /** What a variant adds to the name of its product. */
  options?: (variant: JsonObject, product: JsonObject) => readonly string[]
}>

/** By system: the places that are plain paths. */
const PLACES = readDataFile(import.meta.url, 'places.yaml') as Readonly<Record<string, Partial<Platform>>>

/** The shape of a system by its places of places.yaml and the functions beside them. */
export function platform(functions: Pick<Platform, 'system' | 'isProduct'> & Partial<Platform>): ShopShape {
  const places = PLACES[functions.system]
  const given = {
    ...places,
    ...functions,
    shared: { ...places?.shared, ...functions.shared },
    own: { ...places?.own, ...functions.own },
  } as Platform
  const { system, isProduct, refusal, variants = () => [], refusalAlone, ref, sku = 'sku', id = 'id' } = given
  return {
    system,
    isProduct,
    recordsOf(product, context) {
      const found = { product, context }
      const vendorRef = textIn(product, ref, found)
      const refused = refusal?.(product, context) ?? null
      if (refused !== null) return [{ ...refused, vendorRef }]
      const sold = typeof variants === 'string' ? objectsAt(product, variants) : variants(product)
      if (sold.length === 0) {
        const reason = refusalAlone?.(product, context) ?? null
        return [
          reason === null ? recordOf(given, product, { ...found, vendorRef, options: [] }) : { ...reason, vendorRef },
        ]
      }
      const refs = uniqueRefs(sold.map((one) => ({ sku: textIn(one, sku, found), id: textIn(one, id, found) })))
      return sold.map((one, i) => {
        const options = given.options?.(one, product) ?? []
        // A variant alone may take the reference of its product; several would share it.
        const own = refs[i] || (sold.length === 1 ? vendorRef : '')
        return recordOf(given, one, { ...found, vendorRef: own, options })
      })
    },
  }
}

function recordOf(
  { price: place, shared = {}, own = {} }: Platform,
  sold: JsonObject,
  { vendorRef, options, ...found }: Found & Readonly<{ vendorRef: string; options: readonly string[] }>,
): ShopRecord {
  const price = typeof place === 'function' ? place(sold, found) : textIn(sold, place, found)
  if (typeof price !== 'string') return { ...price, vendorRef }
  const told: Told = { ...textsIn(found.product, shared, found), ...textsIn(sold, own, found) }
  return priceOf({ ...told, vendor_ref: vendorRef, name: namedWith(told.name ?? '', options), price }, found.context)
}

function textIn(sold: JsonObject, place: Place, found: Found): string {
  if (typeof place === 'function') return place(sold, found)
  if (typeof place === 'string' || Array.isArray(place)) return textAt(sold, ...[place].flat())
  const [[form, paths] = []] = Object.entries(place)
  return FORMS[form as FormName](...[paths ?? []].flat())(sold)
}

/** The texts that are not blank. */
function textsIn(sold: JsonObject, places: Places, found: Found): Told {
  const texts = Object.entries(places).map(([key, place]) => [key, textIn(sold, place, found)] as const)
  return Object.fromEntries(texts.filter(([, text]) => text !== ''))
}

/** The first text that is not zero, which is no price: a sale before the price that it lowers. */
export const aboveZero =
  (...paths: readonly string[]) =>
  (sold: JsonObject): string =>
    paths.map((path) => textAt(sold, path)).find((price) => !isZero(price)) ?? ''

/** A text that may stand once for each language. */
export const local =
  (...paths: readonly string[]) =>
  (sold: JsonObject): string =>
    localText(sold, ...paths)

/** A text of the first object of a list. */
export const firstOf =
  (list: string, ...paths: readonly string[]) =>
  (sold: JsonObject): string =>
    localText(objectsAt(sold, list)[0], ...paths)

/** The availability by the pieces in stock. */
export const counted =
  (...paths: readonly string[]) =>
  (sold: JsonObject): string =>
    stock(isCounted(sold, ...paths))

/** Whether pieces are in stock; undefined where nothing counts them. */
export function isCounted(sold: JsonObject, ...paths: readonly string[]): boolean | undefined {
  const quantity = textAt(sold, ...paths)
  return quantity === '' ? undefined : Number(quantity) > 0
}

/** Forms of places in places.yaml. */
const FORMS: Readonly<Record<FormName, (...paths: readonly string[]) => (sold: JsonObject) => string>> = {
  above_zero: aboveZero,
  local,
  first_of: firstOf,
  flagged:
    (...paths) =>
    (sold) =>
      stock(flagAt(sold, ...paths)),
  counted,
}
