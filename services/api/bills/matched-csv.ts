import { csvTable } from '@catalog/formats/tables/csv-line.ts'
import { basisOf } from './price-bill.ts'
import { candidatesOf, type MatchedLine } from './priced-bill.ts'

const itemOf = (line: MatchedLine) => (line.status === 'matched' ? line.item : null)
const othersOf = (line: MatchedLine) =>
  itemOf(line) === null ? candidatesOf(line) : line.alternatives.map(({ item }) => item)

const TABLE = csvTable<MatchedLine>({
  line: ({ position }) => position,
  text: ({ text }) => text,
  quantity: ({ quantity }) => quantity,
  unit: ({ unit }) => unit,
  status: ({ status }) => status,
  reason: ({ reason }) => reason,
  item_id: (line) => itemOf(line)?.id,
  item: (line) => itemOf(line)?.name,
  item_unit: (line) => itemOf(line)?.unit,
  score: (line) => itemOf(line)?.score,
  price_cents: (line) => itemOf(line)?.median_price?.cents,
  unit_price: (line) => line.unit_price?.amount,
  cost_cents: ({ cost }) => cost?.cents,
  currency: (line) => line.cost?.currency ?? itemOf(line)?.median_price?.currency,
  alternatives: (line) =>
    othersOf(line)
      .map(({ id }) => id)
      .join(' '),
  decided_by: basisOf,
  region: ({ region }) => region,
  code: ({ code }) => code,
  stated_price: ({ price }) => price,
  stated_amount: ({ amount }) => amount,
  price_observed_at: (line) => line.price_observed_at,
  price_is_old: (line) => (line.price_is_old ? 'old' : null),
  recipe_share: ({ recipe }) => recipe?.covered_share,
})

/** The answers as CSV, which `--corrections` reads again. */
export const matchedCsv = (lines: readonly MatchedLine[]): string => TABLE.head + lines.map(TABLE.line).join('')
