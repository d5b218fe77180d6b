import { compareText, spellingKey } from '@catalog/core/text.ts'
import { parseUnit, type UnknownUnitReason, whyUnknown } from '@catalog/core/units/parse-unit.ts'
import { soldUnit } from '@catalog/core/units/sold-unit.ts'
import { withAliases } from '@catalog/core/units/unit-aliases.ts'
import type { Queryable } from '@catalog/store/db.ts'
import { unitAliasesAt } from './as-of-queries.ts'
import { UNRETRACTED } from './retraction.ts'

/** A spelling that nobody knows, with the SKUs that are priced in it now. */
export type UnknownUnit = Readonly<{
  /** As most SKUs write it. */
  unit: string
  reason: UnknownUnitReason
  skus: number
  observations: number
  /** By number of SKUs. */
  sources: readonly UnknownUnitSource[]
  /** The name of one such SKU. */
  example: string
}>
export type UnknownUnitSource = Readonly<{ source_id: string; name: string; skus: number }>

type Terms = Readonly<{
  terms: number
  unit: string | null
  pack: Readonly<{ quantity: string; unit: string }> | null
  lang: string | null
}>
type Use = Readonly<{
  terms: number
  sourceId: string
  source: string
  skus: number
  observations: number
  example: string
}>

/** Combinations of unit, pack and language that are read; a catalog of invented units shows its first ones. */
const TERMS_MAX = 50_000

/**
 * The units of present prices that nobody knows with the aliases decided up to `asOf`, most SKUs first. A SKU counts by its
 * latest unretracted observation, unless another one of that instant has a known unit.
 */
export async function readUnknownUnits(store: Queryable, asOf: string): Promise<UnknownUnit[]> {
  const aliases = await unitAliasesAt(store, { asOf, positions: null })
  const written = await store.query<Terms>(
    `select terms, unit, lang, case when pack_unit is not null then
       json_build_object('quantity', pack_quantity::text, 'unit', pack_unit) end as pack
     from price_terms where unit is not null or pack_unit is not null`,
  )
  const open = new Map(written.filter((terms) => isOpen(terms)).map((terms) => [terms.terms, terms]))
  const uses = await readUses(store, [...open.keys()].slice(0, TERMS_MAX))
  const bySpelling = Map.groupBy(
    uses.flatMap((use) => {
      const terms = withAliases(open.get(use.terms) as Terms, use.sourceId, aliases)
      return isOpen(terms) ? [{ ...use, unit: openText(terms), lang: terms.lang }] : []
    }),
    ({ unit }) => spellingKey(unit),
  )
  return [...bySpelling.values()].map(unknownUnit).sort((a, b) => b.skus - a.skus || compareText(a.unit, b.unit))
}

function isOpen({ unit, pack, lang }: Pick<Terms, 'unit' | 'pack' | 'lang'>): boolean {
  return soldUnit({ unit, pack, lang: lang ?? undefined }).quantity === null
}

/** The part of a sold unit that nobody knows: its unit, else that of its contents. */
function openText({ unit, pack, lang }: Terms): string {
  if (unit !== null && (pack === null || parseUnit(unit, { lang: lang ?? undefined }) === null)) return unit
  return pack?.unit ?? ''
}

async function readUses(store: Queryable, terms: readonly number[]): Promise<readonly Use[]> {
  if (terms.length === 0) return []
  return store.query<Use>(
    `with open as (
       select o.terms, s.source_id, coalesce(s.name, s.source_id) as source, count(distinct o.sku)::int as skus,
         count(*)::int as observations, min(o.observation) as example
       from observations o join vendor_skus k using (sku) join sources s using (source)
       where o.terms = any($1) and ${UNRETRACTED} and not exists (
         select from observations later where later.sku = o.sku and (later.observed_at > o.observed_at
           or later.observed_at = o.observed_at and later.terms <> all($1)))
       group by o.terms, s.source_id, coalesce(s.name, s.source_id)
     )
     select open.terms, source_id as "sourceId", source, skus, observations, payload::jsonb->>'name' as example
     from open join observations o on o.observation = open.example
     order by skus desc, source_id collate "C", open.terms`,
    [terms],
  )
}

function unknownUnit(uses: readonly (Use & Pick<Terms, 'lang'> & { readonly unit: string })[]): UnknownUnit {
  const [first] = uses as [(typeof uses)[number]]
  const sources = new Map<string, UnknownUnitSource>()
  for (const { sourceId, source, skus } of uses) {
    sources.set(sourceId, { source_id: sourceId, name: source, skus: skus + (sources.get(sourceId)?.skus ?? 0) })
  }
  return {
    unit: first.unit,
    reason: whyUnknown(first.unit, { lang: first.lang ?? undefined }) ?? 'SPELLING',
    skus: uses.reduce((sum, { skus }) => sum + skus, 0),
    observations: uses.reduce((sum, { observations }) => sum + observations, 0),
    sources: [...sources.values()].sort((a, b) => b.skus - a.skus || compareText(a.source_id, b.source_id)),
    example: first.example,
  }
}

/** Whether a vendor writes this spelling, as a unit or as that of contents. */
export async function isUnitWritten(store: Queryable, unit: string): Promise<boolean> {
  const rows = await store.query<{ unit: string }>(
    `select distinct unit from price_terms where unit is not null union select pack_unit from price_terms where pack_unit is not null`,
  )
  return rows.some((row) => spellingKey(row.unit) === spellingKey(unit))
}
