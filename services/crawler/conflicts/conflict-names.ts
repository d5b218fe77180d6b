import { exponentOf, formatMoney } from '@catalog/core/money/money.ts'
import { type ObservationContent, type Refusal, readAsOf } from '@catalog/formats/mapping/candidate.ts'
import { columnsOf } from '@catalog/formats/mapping/columns.ts'
import type { Columns } from '@catalog/formats/mapping/mapping-keys.ts'
import type { Detected } from '@catalog/formats/read-options.ts'

/** References whose first name and unit are remembered; beyond the limit only the message says less. */
const REFERENCES_MAX = 10_000
/** Characters of a name that a message repeats. */
const NAME_CHARS_MAX = 80

type Named = Readonly<{ name: string; unit: string | null }>

/** Says of records under one reference how they differ, and which mapping would tell them apart. */
export class ConflictNames {
  readonly #first = new Map<string, Named>()
  readonly #firstPrice = new Map<string, string>()

  refusalOf(content: ObservationContent, file: Detected | null): Omit<Refusal, 'source'> {
    const { source, vendor_ref, name, unit } = content
    const key = `${source.id} ${vendor_ref}`
    const first = this.#first.get(key)
    if (first === undefined && this.#first.size < REFERENCES_MAX) this.#first.set(key, { name, unit })
    const columns: Partial<Record<string, Columns>> = file?.columns ?? {}
    const differing = (first === undefined ? ['name', 'unit'] : differences(first, content)).filter(
      (field) => columns[field] !== undefined,
    )
    const distinct = (differing.length === 0 ? ['unit'] : differing).map((field) => columnOf(columns, field))
    const rule = `vendor_ref: [${[columnOf(columns, 'vendor_ref'), distinct.at(-1)].join(', ')}]`
    const found = first === undefined ? '' : ` (${differenceText(first, content)})`
    return {
      reason: 'SKU_CONFLICT',
      detail:
        `several records have this vendor_ref with another ${distinct.map((column) => `'${column}'`).join(' or ')}${found}: ` +
        `expected one name and unit; a mapping with ${rule} tells them apart`,
      refused: refusedOf(content),
    }
  }

  /** Says which two prices an offer has. */
  priceRefusalOf(content: ObservationContent, file: Detected | null): Omit<Refusal, 'source'> {
    const { source, vendor_ref, price } = content
    const key = `${source.id} ${vendor_ref}`
    const shown = `${formatMoney(price.cents, price.currency)}${price.per_quantity === 1 ? '' : ` per ${price.per_quantity}`}`
    const first = this.#firstPrice.get(key)
    if (first === undefined && this.#firstPrice.size < REFERENCES_MAX) this.#firstPrice.set(key, shown)
    const found = first === undefined || first === shown ? `${shown} among them` : `${first} and ${shown}`
    const rule = `vendor_ref: [${columnOf(file?.columns ?? {}, 'vendor_ref')}, COLUMN]`
    return {
      reason: 'AMBIGUOUS_OFFER',
      detail:
        `several records have this vendor_ref with another price on one day (${found}): expected one price for a quantity; ` +
        `a mapping with min_quantity, observed_at or ${rule} tells them apart`,
      refused: refusedOf(content),
    }
  }
}

function refusedOf(content: ObservationContent): NonNullable<Refusal['refused']> {
  return { vendorRef: content.vendor_ref, observedAt: content.observed_at, ...readAs(content) }
}

const differences = (one: Named, other: Named) =>
  (['name', 'unit'] as const).filter((field) => one[field] !== other[field])

function differenceText(one: Named, other: Named): string {
  return differences(one, other)
    .map((field) => [one, other].map((each) => `'${(each[field] ?? '').slice(0, NAME_CHARS_MAX)}'`).join(' and '))
    .join('; ')
}

const columnOf = (columns: Partial<Record<string, Columns>>, field: string): string => {
  const given = columns[field]
  return given === undefined ? field : columnsOf(given).join(' ')
}

/** The texts of a readable record, in the writing of this project. */
function readAs({ source: _source, price, pack, category_path, ...content }: ObservationContent) {
  const { cents, currency, kind, per_quantity, min_quantity, tax } = price
  const places = exponentOf(currency) ?? 0
  const texts: Record<string, string | undefined> = {
    ...content,
    unit: content.unit ?? '',
    price: (cents / 10 ** places).toFixed(places),
    currency,
    kind,
    ...(per_quantity !== 1 && { per_quantity: String(per_quantity) }),
    ...(min_quantity !== undefined && { min_quantity }),
    ...(tax.included !== null && { tax_included: tax.included ? 'yes' : 'no' }),
    ...(tax.rate !== undefined && { tax_rate: tax.rate }),
    ...(pack && { pack_quantity: pack.quantity, pack_unit: pack.unit }),
    ...(category_path && { category_path: category_path.join(' > ') }),
  }
  const fields = Object.fromEntries(
    Object.entries(texts).flatMap(([key, text]) => (text === undefined ? [] : [[key, text]])),
  )
  const kept = readAsOf({ fields, decimal: '.', date_order: 'ymd' })
  return kept && { readAs: kept }
}
