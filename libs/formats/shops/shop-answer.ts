import { parseExactJson } from '@catalog/formats/bytes/exact-json.ts'
import {
  BATCH_RECORDS,
  definedRecord,
  RECORD_CHARS_MAX,
  type ReadRecord,
  type RecordBatches,
} from '@catalog/formats/bytes/record.ts'
import { flagAt, isObject, type JsonObject, textAt } from '@catalog/formats/shops/products/json-values.ts'
import {
  notOffered,
  type ShopContext,
  type ShopRecord,
  type ShopShape,
} from '@catalog/formats/shops/products/shop-record.ts'
import { DOCUMENT_KEYS } from '@catalog/formats/shops/search/document-keys.ts'
import { JSON_CHARS_MAX } from '@catalog/formats/tables/json.ts'
import { BadJson, type JsonPlace, rootOf } from '@catalog/formats/tables/json-text.ts'
import { elementsAt, objectPaths } from '@catalog/formats/tables/record-paths.ts'
import { SHAPES } from './shapes.ts'

/** A JSON answer of a shop whose shape is known, and the path of its products. */
export type ShopAnswer = Readonly<{ shape: ShopShape; path: string; text: string; root: JsonPlace }>

/**
 * The shape of a JSON text by its first products; null for any other document. `records`, the operator's path, limits the
 * search to what stands there.
 */
export function shopAnswerOf(text: string, records?: string): ShopAnswer | null {
  if (text.length > JSON_CHARS_MAX) return null
  try {
    const root = rootOf(text)
    for (const { path, places } of objectPaths(text, root)) {
      if (records !== undefined && !isAt(path, records)) continue
      const samples = places.map((place) => objectAt(text, place)).filter((one) => one !== null)
      const shape = SHAPES.find((known) => samples.some(known.isProduct))
      if (shape !== undefined) return { shape, path, text, root }
    }
  } catch (error) {
    // The reader of any JSON reports it.
    if (!(error instanceof BadJson)) throw error
  }
  return null
}

/** "products" and "products[*]" are one list. */
const isAt = (path: string, records: string) =>
  path === records || path === `${records}[*]` || (records === '.' && path === '[*]')

function objectAt(text: string, { at, end }: JsonPlace): JsonObject | null {
  if (end - at > RECORD_CHARS_MAX) return null
  try {
    const value = parseExactJson(text.slice(at, end))
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/**
 * The records of an answer: those of each product, in order. Broken are a product that is too long (RECORD_TOO_LONG) or
 * no JSON (BAD_JSON), and with the reasons of its shape one that gives no price.
 */
export async function* readShopAnswer(
  { shape, path, text, root }: ShopAnswer,
  { name, ...context }: ShopContext & Readonly<{ name: string }>,
): RecordBatches {
  let records: ReadRecord[] = []
  let number = 0
  for (const { at, end } of elementsAt(text, root, path === '.' ? '' : path)) {
    const raw = text.slice(at, Math.min(end, at + RECORD_CHARS_MAX))
    const position = `${name} product ${++number}`
    const product = objectAt(text, { at, end })
    if (product === null) records.push(brokenProduct(text, { at, end }, { raw, position }))
    else {
      const found = recordsOnSale(shape.recordsOf(product, context), product)
      for (const [i, record] of found.entries()) {
        const place = found.length === 1 ? position : `${position} variant ${i + 1}`
        records.push(recordOf(record, { position: place, raw }))
      }
    }
    if (records.length < BATCH_RECORDS) continue
    yield records
    records = []
  }
  if (records.length > 0) yield records
}

/** The records of a product; those of a draft, or of one that was taken from sale, are parked whatever their price. */
function recordsOnSale(records: readonly ShopRecord[], product: JsonObject): readonly ShopRecord[] {
  const status = [product, product._source, product.document].map(statusOff).find((one) => one !== null) ?? null
  if (status === null) return records
  return records.map((record) =>
    'reason' in record ? record : { ...notOffered(status), vendorRef: record.fields.vendor_ref ?? '' },
  )
}

const OFF = /^(draft|archived|disabled|inactive|unpublished|pending|private|deleted|trash|hidden)$/i

/** The status of a product that its shop does not sell; null for any other. */
function statusOff(product: unknown): string | null {
  const status = textAt(product, 'status')
  if (OFF.test(status)) return status
  const flag = DOCUMENT_KEYS.flags_on.find((key) => flagAt(product, key) === false)
  return flag === undefined ? null : `${flag}: false`
}

function brokenProduct(
  text: string,
  { at, end }: JsonPlace,
  { raw, position }: Readonly<{ raw: string; position: string }>,
): ReadRecord {
  if (end - at > RECORD_CHARS_MAX) {
    const detail = `the product is longer than ${RECORD_CHARS_MAX} characters`
    return { position, raw, reason: 'RECORD_TOO_LONG', detail }
  }
  return { position, raw, reason: 'BAD_JSON', detail: `expected an object, found '${text.slice(at, at + 20)}'` }
}

function recordOf(record: ShopRecord, { position, raw }: Readonly<{ position: string; raw: string }>): ReadRecord {
  if ('reason' in record) return { position, raw, ...record }
  return definedRecord({ position, raw, isExact: record.isExact }, record.fields)
}
