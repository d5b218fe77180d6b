import { spellingKey } from '@catalog/core/text.ts'
import { instant } from '@catalog/core/time.ts'
import { parseUnit } from '@catalog/core/units/parse-unit.ts'
import { canonicalUnit } from '@catalog/core/units/unit-translator.ts'
import { decide, presentOf, sourceIdOf } from '@catalog/operations/append-decision.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { BadCursor } from '@catalog/operations/naming.ts'
import { type Outcome, type Paging, pageOf } from '@catalog/operations/outcome.ts'
import { unitAliasRowsAt } from '@catalog/store/vendor/as-of-queries.ts'
import { isUnitWritten, readUnknownUnits } from '@catalog/store/vendor/unknown-units.ts'

export type AliasOptions = Readonly<{ source?: string; remove?: boolean; reason: string }>

/** Units of present prices that nobody knows, most SKUs first. */
export async function unknownUnits(catalog: Pick<Catalog, 'store' | 'now'>, { after, limit }: Paging) {
  const all = await readUnknownUnits(catalog.store, instant(catalog.now()))
  const start = after === undefined ? 0 : 1 + all.findIndex(({ unit }) => spellingKey(unit) === spellingKey(after))
  if (after !== undefined && start === 0)
    throw new BadCursor(`--after '${after}': expected an unknown unit, as catalog units unknown lists them`)
  const { rows: units, cursor } = pageOf(all.slice(start), { limit, placeOf: ({ unit }) => unit })
  return { units, cursor }
}

/** The aliases in force, and those that were taken back. */
export async function unitAliases(catalog: Catalog, { after = '', limit }: Paging) {
  const all = await aliasesNow(catalog)
  const placeOf = ({ unit, sourceId }: (typeof all)[number]) => `${spellingKey(unit)} ${sourceId ?? '*'}`
  const rest = all.filter((row) => placeOf(row) > after).sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  const { rows, cursor } = pageOf(rest, { limit, placeOf })
  const aliases = rows.map(({ unit, canonical, sourceId, decidedAt, reason }) => {
    return { unit, canonical, source_id: sourceId, decided_at: instant(new Date(decidedAt)), reason }
  })
  return { aliases, cursor }
}

const aliasesNow = (catalog: Catalog) => unitAliasRowsAt(catalog.store, presentOf(catalog))

/** Says what a spelling means, in one source or in all, or takes that back. */
export async function aliasUnit(
  catalog: Catalog,
  {
    unit,
    canonical: given,
    source,
    remove = false,
    reason,
  }: AliasOptions & { unit: string; canonical?: string | undefined },
): Promise<Outcome> {
  if (remove === (given !== undefined))
    throw new Error(`alias of '${unit}': expected a unit that it means, such as m², or --remove`)
  if (spellingKey(unit) === '') throw new Error(`unit '${unit}': expected a spelling with letters, digits or signs`)
  const canonical = given === undefined ? null : canonicalUnit(given)
  if (given !== undefined && canonical === null)
    throw new Error(`unit '${given}': expected a unit that prices are per, such as m², kg, 1000 gal or bag 25 kg`)
  const sourceId = source === undefined ? null : await sourceIdOf(catalog, source)
  if (remove) await refuseNothingToRemove(catalog, { unit, sourceId })
  const value = await decide(catalog, {
    type: 'UnitAliased' as const,
    unit,
    canonical,
    ...(sourceId !== null && { source_id: sourceId }),
    reason,
  })
  const where = source === undefined ? 'in all sources' : `in ${source}`
  const said = canonical === null ? `'${unit}' has no alias ${where} any more` : `'${unit}' means ${canonical} ${where}`
  return { value, said, remarks: await remarksOn(catalog, { unit, canonical }) }
}

async function remarksOn(
  { store }: Catalog,
  { unit, canonical }: { unit: string; canonical: string | null },
): Promise<readonly string[]> {
  const known = parseUnit(unit)
  if (!(await isUnitWritten(store, unit))) return [`no vendor writes '${unit}' yet`]
  return canonical === null || known === null ? [] : [`'${unit}' is ${known.symbol} otherwise; the alias outranks that`]
}

async function refuseNothingToRemove(
  catalog: Catalog,
  { unit, sourceId }: { unit: string; sourceId: string | null },
): Promise<void> {
  const rows = await aliasesNow(catalog)
  const has = rows.some(
    (row) => row.canonical !== null && row.sourceId === sourceId && spellingKey(row.unit) === spellingKey(unit),
  )
  if (!has)
    throw new Error(`alias of '${unit}': expected one in force with this source, as catalog units aliases lists them`)
}
