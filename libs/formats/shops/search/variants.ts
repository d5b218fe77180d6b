import {
  isObject,
  type JsonObject,
  localText,
  objectsAt,
  plainText,
  textAt,
} from '@catalog/formats/shops/products/json-values.ts'
import { namedWith, uniqueRefs } from '@catalog/formats/shops/products/shop-record.ts'
import { DOCUMENT_KEYS } from './document-keys.ts'

/** Variants inside a product of any list: each is sold at its own price, and the product's price is one of theirs. */

type Reading = Readonly<{
  hasPrice: (object: JsonObject) => boolean
  refOf: (object: JsonObject) => string
  nameOf: (object: JsonObject) => string
  currency: string
}>

/** The variants of the first list in which one has a price, those without a price too; none for any other product. */
export function pricedVariants(product: JsonObject, hasPrice: Reading['hasPrice']): readonly JsonObject[] {
  const lists = DOCUMENT_KEYS.variant_lists.map((list) => objectsAt(product, list))
  return lists.find((variants) => variants.some(hasPrice)) ?? []
}

/**
 * The variants of a product as products of their own, with what the product tells of them all; null when some of them have
 * no reference that tells it from the others.
 */
export function unfoldedVariants(product: JsonObject, reading: Reading): readonly JsonObject[] | null {
  const variants = pricedVariants(product, reading.hasPrice)
  const refs = uniqueRefs(variants.map((one) => ({ sku: reading.refOf(one), id: textAt(one, 'id') })))
  if (refs.includes('') || new Set(refs).size < refs.length) return null
  const shared = Object.fromEntries(
    DOCUMENT_KEYS.shared.filter((key) => key in product).map((key) => [key, product[key]]),
  )
  const title = reading.nameOf(product)
  return variants.map((variant, i) => {
    const own = reading.nameOf(variant)
    const name = own !== '' && title !== '' && own.toLowerCase().includes(title.toLowerCase()) ? own : title
    return {
      ...shared,
      currency: reading.currency,
      ...variant,
      sku: refs[i],
      name: namedWith(
        name,
        [own, ...optionsOf(variant)].filter((option) => !name.includes(option)),
      ),
    }
  })
}

function optionsOf(variant: JsonObject): readonly string[] {
  const listed = DOCUMENT_KEYS.option_lists
    .flatMap((list) => {
      const value = variant[list]
      if (isObject(value)) return Object.values(value).map(plainText)
      return objectsAt(variant, list).map((one) => textAt(one, 'value', 'label', 'option'))
    })
    .filter((text) => text !== '')
  return listed.length > 0 ? listed : DOCUMENT_KEYS.options.map((key) => localText(variant, key))
}
