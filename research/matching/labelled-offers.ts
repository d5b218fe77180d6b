import { readFileSync } from 'node:fs'
import type { MatchSku } from '@catalog/core/matching/match.ts'
import { type Row, rowsOf } from '@catalog/research/files/tab-separated.ts'

/** An offer as its vendor writes it, with the label that people gave it. */
export type LabelledRecord = Readonly<{
  /** Equal for two records if and only if they are one product: `rebar-bar/12mm-b500s-12m`. */
  product: string
  /** The part of `product` before the slash: products of one family look alike. */
  family: string
  /** Its id is the record's line, so it says nothing about the product. */
  sku: MatchSku
}>

/**
 * All records of labelled-offers.tsv, by line; the first call reads the file. Throws for a line that breaks the form in
 * the file's head.
 */
export function labelledRecords(): readonly LabelledRecord[] {
  records ??= parseRecords(readFileSync(new URL(`./${FILE}`, import.meta.url), 'utf8'), FILE)
  return records
}
let records: readonly LabelledRecord[] | undefined

const FILE = 'labelled-offers.tsv'
const COLUMNS = ['product', 'source', 'lang', 'name', 'unit', 'pack', 'gtin', 'ref', 'category'] as const

/** Form of each column; all but the first four may be empty. */
const FORMS: Readonly<Record<(typeof COLUMNS)[number], readonly [form: RegExp, expected: string]>> = {
  product: [/^[a-z\d-]+\/[a-z\d][a-z\d.-]*$/, 'family/product in small letters, digits, - and .'],
  source: [/^[a-z][a-z-]*$/, 'the key of a vendor'],
  lang: [/^(es|en|pt|fr|de|it)$/, 'es, en, pt, fr, de or it'],
  name: [/^\S(.*\S)?$/, 'a name without space around it'],
  unit: [/^(\S(.*\S)?)?$/, 'a unit without space around it, or nothing'],
  pack: [/^(\d+(\.\d+)? \S(.*\S)?)?$/, 'a quantity with a decimal point, a space and a unit, or nothing'],
  gtin: [/^(\d{8}|\d{12,14})?$/, '8, 12, 13 or 14 digits, or nothing'],
  ref: [/^(\S(.*\S)?)?$/, 'a reference without space around it, or nothing'],
  category: [/^(\S(.*\S)?)?$/, 'a category without space around it, or nothing'],
}

/** The records of a file; lines that begin with `#` are comments. Throws at the first bad line, with file, line, value and expectation. */
export function parseRecords(text: string, file: string): LabelledRecord[] {
  return rowsOf(text, { file, columns: COLUMNS, hasComments: true }).map(parseRecord)
}

function parseRecord({ cells, place }: Row): LabelledRecord {
  const record = Object.fromEntries(COLUMNS.map((column, at) => [column, cells[at]])) as Record<Column, string>
  for (const column of COLUMNS) {
    const [form, expected] = FORMS[column]
    if (!form.test(record[column])) throw new Error(`${place}: ${column} '${record[column]}': expected ${expected}`)
  }

  const [quantity = '', ...packUnit] = record.pack.split(' ')
  return {
    product: record.product,
    family: record.product.slice(0, record.product.indexOf('/')),
    sku: {
      vendorSkuId: place,
      sourceId: record.source,
      name: record.name,
      lang: record.lang,
      unit: record.unit || null,
      pack: record.pack ? { quantity, unit: packUnit.join(' ') } : undefined,
      gtin: record.gtin || undefined,
      manufacturerRef: record.ref || undefined,
      categoryPath: record.category ? [record.category] : undefined,
    },
  }
}
type Column = (typeof COLUMNS)[number]
