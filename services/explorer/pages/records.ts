import { exponentOf, plainDecimal } from '@catalog/core/money/money.ts'
import { csvLine } from '@catalog/formats/tables/csv-line.ts'

/** What a page lists, as data: a flat record for each line, with the names of the API. */
export type PageRecord = Readonly<Record<string, string | number | null>>

export const FORMS = ['json', 'csv', 'md'] as const
export type Form = (typeof FORMS)[number]

/** The form that an address ends with, and the path without it. Ids hold no dot. */
export function formOf(path: string): Readonly<{ form: Form | undefined; bare: string }> {
  const form = FORMS.find((known) => path.endsWith(`.${known}`))
  return form === undefined ? { form, bare: path } : { form, bare: path.slice(0, -form.length - 1) }
}

type Amount = Readonly<{ cents: number; currency: string }>

/** An amount in major units, in minor units, and its currency; nulls without one. */
export const amountRecord = (amount: Amount | null | undefined): PageRecord => ({
  price: amount ? plainDecimal(amount.cents, exponentOf(amount.currency) ?? 2) : null,
  price_cents: amount?.cents ?? null,
  currency: amount?.currency ?? null,
})

type Item = Readonly<{
  id: string
  name: string
  unit?: string | null | undefined
  vendor_count: number
  observation_count: number
  updated_at: string
  median_price?: (Amount & Readonly<{ recorded_at: string | null }>) | null | undefined
}>

/** An item of a list. */
export const itemRecord = (item: Item): PageRecord => ({
  id: item.id,
  name: item.name,
  unit: item.unit ?? null,
  ...amountRecord(item.median_price),
  price_recorded_at: item.median_price?.recorded_at ?? null,
  vendors: item.vendor_count,
  observations: item.observation_count,
  updated_at: item.updated_at,
})

/** RFC 4180, in UTF-8 with a mark at its begin, by which spreadsheets know it; no cell is a formula. */
export function csvOf(records: readonly PageRecord[]): string {
  const columns = columnsOf(records)
  const lines = records.map((record) => csvLine(columns.map((column) => record[column])))
  return `\ufeff${csvLine(columns)}${lines.join('')}`
}

/** A heading, where it is from, and a table. */
export function markdownOf(
  records: readonly PageRecord[],
  { title, source }: { title: string; source: string },
): string {
  const columns = columnsOf(records)
  const line = (cells: readonly (string | number | null | undefined)[]) =>
    `| ${cells.map((cell) => plain(String(cell ?? ''))).join(' | ')} |`
  const table = records.map((record) => line(columns.map((column) => record[column])))
  const head = records.length === 0 ? [] : [line(columns), line(columns.map(() => '---')), ...table]
  return `# ${plain(title)}\n\nFrom <${source}>\n\n${head.join('\n')}\n`
}

const columnsOf = (records: readonly PageRecord[]) => [...new Set(records.flatMap((record) => Object.keys(record)))]

/** Text that Markdown shows as it is, on one line. */
const plain = (text: string) => text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>#|]/g, '\\$&')
