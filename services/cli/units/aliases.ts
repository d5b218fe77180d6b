import { appendDecisions, sourceIdOf } from '@catalog/cli/decisions/append-decision.ts'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import type { Catalog } from '@catalog/cli/shared/wire.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { spellingKey } from '@catalog/core/text.ts'
import { instant } from '@catalog/core/time.ts'
import { parseUnit } from '@catalog/core/units/parse-unit.ts'
import { canonicalUnit } from '@catalog/core/units/unit-translator.ts'
import { unitAliasRowsAt } from '@catalog/store/vendor/as-of-queries.ts'
import { isUnitWritten } from '@catalog/store/vendor/unknown-units.ts'

export type AliasOptions = Readonly<{ source?: string; remove?: boolean; reason: string }>

/** `catalog units aliases`: the aliases in force, and those that were taken back. */
export async function listAliases(
  catalog: Catalog,
  terminal: Terminal,
  { after, limit }: { after?: string; limit: number },
): Promise<void> {
  const rows = await aliasesNow(catalog)
  const placeOf = ({ unit, sourceId }: (typeof rows)[number]) => `${spellingKey(unit)} ${sourceId ?? '*'}`
  const all = rows.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  const rest = after === undefined ? all : all.filter((row) => placeOf(row) > after)
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  const cursor = rest.length > limit && last !== undefined ? placeOf(last) : null
  const shown = page.map(({ unit, canonical, sourceId, decidedAt, reason }) => {
    return { unit, canonical, source_id: sourceId, decided_at: instant(new Date(decidedAt)), reason }
  })
  terminal.answer({ aliases: shown, cursor }, () =>
    [
      table(
        shown.map((row) => ({ ...row, canonical: row.canonical ?? '(removed)', source_id: row.source_id ?? 'all' })),
      ),
      cursor === null ? '' : `\nmore: catalog units aliases --after ${JSON.stringify(cursor)}`,
    ].join('\n'),
  )
  terminal.next('catalog units alias UNIT --remove --reason "...", or catalog units unknown')
}

const aliasesNow = (catalog: Catalog) =>
  unitAliasRowsAt(catalog.store, { asOf: instant(catalog.now()), positions: null })

/** `catalog units alias`: says what a spelling means, in one source or in all, or takes that back. */
export async function aliasUnit(
  catalog: Catalog,
  terminal: Terminal,
  { unit, canonical: given, source, remove = false, reason }: AliasOptions & { unit: string; canonical?: string },
): Promise<void> {
  if (remove === (given !== undefined))
    throw new Error(`alias of '${unit}': expected a unit that it means, such as m², or --remove`)
  if (spellingKey(unit) === '') throw new Error(`unit '${unit}': expected a spelling with letters, digits or signs`)
  const canonical = given === undefined ? null : canonicalUnit(given)
  if (given !== undefined && canonical === null)
    throw new Error(`unit '${given}': expected a unit that prices are per, such as m², kg, 1000 gal or bag 25 kg`)
  const sourceId = source === undefined ? null : await sourceIdOf(catalog, source)
  if (remove) await refuseNothingToRemove(catalog, { unit, sourceId })
  const event = {
    type: 'UnitAliased' as const,
    decided_at: instant(catalog.now()),
    unit,
    canonical,
    ...(sourceId !== null && { source_id: sourceId }),
    reason,
  }
  await appendDecisions(catalog, TOPICS.decisions, [event])
  const known = parseUnit(unit)
  if (!(await isUnitWritten(catalog.store, unit))) terminal.note(`no vendor writes '${unit}' yet`)
  else if (canonical !== null && known !== null)
    terminal.note(`'${unit}' is ${known.symbol} otherwise; the alias outranks that`)
  const where = source === undefined ? 'in all sources' : `in ${source}`
  terminal.answer(event, () =>
    canonical === null ? `'${unit}' has no alias ${where} any more` : `'${unit}' means ${canonical} ${where}`,
  )
  terminal.next('catalog aggregate')
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
