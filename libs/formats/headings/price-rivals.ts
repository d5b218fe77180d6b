import { parsePrice } from '@catalog/core/money/money.ts'
import type { RawRecord } from '@catalog/formats/bytes/record.ts'
import { columnsOf, type ResolvedMapping } from '@catalog/formats/mapping/columns.ts'
import type { MappingKey } from '@catalog/formats/mapping/mapping-keys.ts'
import {
  currencyIn,
  isDiscount,
  isNetPrice,
  isPriceOfYear,
  PRICE_HEADINGS,
  QUANTITIES,
  TOTALS,
  taxInWords,
  withoutCurrency,
  wordsOf,
} from './heading-vocabulary.ts'

/** Columns beside a guessed price that may be the one that the vendor asks. */

type Mark = ',' | '.' | null

/** Columns by what they say against the price. */
export type Rivals = Readonly<{
  vendorRef: string
  price: string
  /** Discounts that the price may not contain. */
  discounts: readonly string[]
  /** Prices after a discount, which speak where they are lower. */
  nets: readonly string[]
  /** Columns of the same heading, and prices of a year, which speak where they differ. */
  equals: readonly (readonly [key: string, column: string, rival: string])[]
}>

/** Keys of which a second column with the same heading changes the meaning of the price. */
const GUARDED: readonly MappingKey[] = ['price', 'unit', 'currency', 'per_quantity']

/** The columns that speak against guessed ones; null where the operator or the format says which column the price is. */
export function rivalsOf(
  { columns, guessed, shopSystem }: ResolvedMapping,
  headings: readonly string[],
  isNet: boolean,
): Rivals | null {
  const { price, vendor_ref: vendorRef = '' } = columns
  if (!guessed.includes('price') || shopSystem !== undefined) return null
  if (typeof price !== 'string' || typeof vendorRef !== 'string') return null
  const used = new Set(Object.values(columns).flatMap(columnsOf))
  const others = headings.filter((heading) => !used.has(heading))
  const isAfterDiscount = isNet || isNetPrice(wordsOf(price))
  const equals = GUARDED.flatMap((key) => {
    const column = columns[key]
    if (typeof column !== 'string') return []
    return others.flatMap((rival) => (isSameHeading(column, rival) ? [[key, column, rival] as const] : []))
  })
  const years = others.filter((heading) => isPriceOfYear(wordsOf(heading)))
  return {
    vendorRef,
    price,
    discounts: isAfterDiscount ? [] : others.filter((heading) => isDiscount(wordsOf(heading))),
    nets: isAfterDiscount ? [] : others.filter((heading) => isNetPrice(wordsOf(heading))),
    equals: isNet ? [] : [...equals, ...years.map((rival) => ['price', price, rival] as const)],
  }
}

/** A table numbers headings that repeat: "Precio", "Precio 2". */
const isSameHeading = (column: string, rival: string) =>
  wordsOf(rival).replace(/ \d$/, '') === wordsOf(column) || wordsOf(rival) === wordsOf(column)

/** Why the guessed price of a record is doubtful; null for a price that no column speaks against. */
export function rivalDoubt(
  { fields }: RawRecord,
  { vendorRef, price, discounts, nets, equals }: Rivals,
  mark: Mark,
): Readonly<{ reason: string; detail: string; vendorRef: string }> | null {
  const text = (column: string) => (fields[column] ?? '').trim()
  const own = text(price)
  if (own === '') return null
  const doubt = (column: string, rival: string) => ({
    reason: 'AMBIGUOUS_OFFER',
    vendorRef: text(vendorRef),
    detail: `${column} is ${text(column).slice(0, 40)}, and ${rival} ${text(rival).slice(0, 40)}: expected a mapping that names the column to read, of a price the one that the vendor asks`,
  })
  const discount = discounts.find((column) => /[1-9]/.test(text(column)))
  if (discount !== undefined) return doubt(price, discount)
  const amount = amountIn(own, mark)
  const net = nets.find((column) => {
    const value = amountIn(text(column), mark)
    return value !== null && amount !== null && value > 0 && value < amount
  })
  if (net !== undefined) return doubt(price, net)
  const equal = equals.find(([key, column, rival]) => differs(text(column), text(rival), { key, mark }))
  return equal === undefined ? null : doubt(equal[1], equal[2])
}

function differs(own: string, other: string, { key, mark }: Readonly<{ key: string; mark: Mark }>): boolean {
  if (own === '' || other === '' || own === other) return false
  if (key !== 'price') return true
  const [one, two] = [amountIn(own, mark), amountIn(other, mark)]
  return two !== null && two > 0 && one !== two
}

const amountIn = (text: string, mark: Mark): number | null => {
  const read = parsePrice(text, mark === null ? {} : { decimal: mark })
  return read === null ? null : Number(read.decimal)
}

/** Columns beyond so many are not compared in pairs. */
const CANDIDATES_MAX = 20
/** Ways to write a discount: 40 for a share of 0.4, 0.4 itself, or an amount. */
const DISCOUNTED: readonly ((list: number, discounts: readonly number[]) => number)[] = [
  (list, discounts) => discounts.reduce((price, share) => price * (1 - share / 100), list),
  (list, discounts) => discounts.reduce((price, share) => price * (1 - share), list),
  (list, discounts) => discounts.reduce((price, amount) => price - amount, list),
]

/**
 * The column of the price after the discount, where its heading says so and the sample proves it: on every row with a discount,
 * the price in another column less the discount is the price in this one, and on every other row both are equal. Null without a
 * proof, and where several columns with other values pass. A price of members, of a later day or of ten pieces may fit as well, so
 * numbers alone prove nothing.
 */
export function netColumn(
  headings: readonly string[],
  records: readonly RawRecord[],
  { known, mark }: Readonly<{ known: ResolvedMapping['columns']; mark: Mark }>,
): string | null {
  const discounts = headings.filter((heading) => isDiscount(wordsOf(heading)))
  const discounted = records.filter(({ fields }) => discounts.some((column) => /[1-9]/.test(fields[column] ?? '')))
  if (discounted.length === 0) return null
  const { price: _price, ...others } = known
  const used = new Set([...Object.values(others).flatMap(columnsOf), ...discounts])
  const whole = records.filter((record) => !discounted.includes(record))
  const amountsOn = (column: string, rows: readonly RawRecord[]) =>
    rows.map(({ fields, numbers }) => amountIn(fields[column] ?? '', numbers?.has(column) ? '.' : mark))
  const candidates = headings
    .filter((heading) => !used.has(heading))
    .map((heading) => ({ heading, values: amountsOn(heading, discounted), undiscounted: amountsOn(heading, whole) }))
    .filter(({ values }) => values.some((value) => value !== null && value > 0))
    .slice(0, CANDIDATES_MAX)
  const shares = discounted.map(({ fields }) => discounts.flatMap((column) => sharesIn(fields[column] ?? '', mark)))
  const proved = candidates.filter(
    ({ heading, values, undiscounted }) =>
      rankOf(heading) < RANK_OF_OTHERS &&
      candidates.some(
        (list) =>
          list.heading !== heading &&
          currencyIn(list.heading) === currencyIn(heading) &&
          areEqual(list.undiscounted, undiscounted) &&
          DISCOUNTED.some((rule) => isProved(list.values, values, { shares, rule })),
      ),
  )
  const [best] = proved.toSorted((a, b) => rankOf(a.heading) - rankOf(b.heading))
  if (best === undefined) return null
  const isOpen = proved.some(
    ({ heading, values }) => rankOf(heading) === rankOf(best.heading) && String(values) !== String(best.values),
  )
  return isOpen ? null : best.heading
}

function isProved(
  lists: readonly (number | null)[],
  nets: readonly (number | null)[],
  { shares, rule }: Readonly<{ shares: readonly (readonly number[])[]; rule: (typeof DISCOUNTED)[number] }>,
): boolean {
  let proofs = 0
  for (const [i, list] of lists.entries()) {
    const net = nets[i]
    if (list === null || net === null || net === undefined) continue
    if (net >= list || Math.abs(rule(list, shares[i] ?? []) - net) > Math.max(ROUNDED, net * FURTHER)) return false
    proofs++
  }
  return proofs > 0 && proofs >= lists.length * PROVED_SHARE
}
/** A price after a discount is rounded to a cent, and the share of the discount may be rounded too. */
const ROUNDED = 0.0051
const FURTHER = 0.002
/** Rows without one of the prices prove nothing. */
const PROVED_SHARE = 0.5

/** A price without a discount is the same before and after it. */
const areEqual = (lists: readonly (number | null)[], nets: readonly (number | null)[]) =>
  lists.every((list, i) => list === null || nets[i] == null || Math.abs(list - (nets[i] as number)) <= ROUNDED)

/** A price after a discount by its heading comes first, then a plain price; a total and all others are none. */
function rankOf(heading: string): number {
  const bare = wordsOf(withoutCurrency(heading))
  const words = (taxInWords(bare)?.rest ?? bare).replace(/ \d$/, '')
  if (isNetPrice(words)) return 0
  return PRICE_HEADINGS.has(words) && !TOTALS.has(words) && !QUANTITIES.has(words) ? 1 : RANK_OF_OTHERS
}
const RANK_OF_OTHERS = 2

/** "40 + 10 %" is a chain of two. */
function sharesIn(text: string, mark: Mark): readonly number[] {
  return text.split(/[+/]/).flatMap((part) => {
    const share = amountIn(part.replace(/[%\s-]/g, ''), mark)
    return share === null || share === 0 ? [] : [share]
  })
}
