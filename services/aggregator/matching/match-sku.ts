import type { MatchSku } from '@catalog/core/matching/match.ts'
import type { SourceVoices } from '@catalog/core/matching/source-voices.ts'
import { isHeard } from '@catalog/core/median/eligibility.ts'
import { voiceAmong } from '@catalog/core/median/source-settings.ts'
import { type UnitAliases, withAliases } from '@catalog/core/units/unit-aliases.ts'
import type { Store } from '@catalog/store/db.ts'
import { type Cut, type SkuText, sourcesAt, unitAliasesAt } from '@catalog/store/vendor/as-of-queries.ts'
import { sourceVoicesAt } from '@catalog/store/vendor/source-aliases.ts'

/** What people decided on spellings and sources, at a cut; `silent` are the sources of trust 0. */
type MatchAliases = Omit<DecidedAliases, 'silent'> & Readonly<{ silent?: ReadonlySet<string> }>
export type DecidedAliases = Readonly<{ units: UnitAliases; voices: SourceVoices; silent: ReadonlySet<string> }>

export async function decidedAliasesAt(store: Store, cut: Cut): Promise<DecidedAliases> {
  const [units, voices, sources] = [
    await unitAliasesAt(store, cut),
    await sourceVoicesAt(store, cut),
    await sourcesAt(store, cut),
  ]
  const silent = [...sources.keys()].filter((id) => {
    const voice = voiceAmong({ sources, voices }, id)
    return voice !== undefined && !isHeard(voice)
  })
  return { units, voices, silent: new Set(silent) }
}

/** The matcher's input from a SKU's latest observation, with the aliases of units and sources applied. */
export function matchSku({ skuId, sourceId, payload }: SkuText, { units, voices, silent }: MatchAliases): MatchSku {
  const { vendor_ref, name, lang, gtin, manufacturer_ref, category_path } = payload
  const { unit, pack } = withAliases({ unit: payload.unit, pack: payload.pack }, sourceId, units)
  const voiceId = voices.get(sourceId)
  return {
    vendorSkuId: skuId,
    sourceId,
    ...(silent?.has(sourceId) && { isSilent: true }),
    ...(voiceId === undefined ? {} : { voiceId }),
    vendorRef: vendor_ref,
    name,
    unit,
    ...(lang === undefined ? {} : { lang }),
    ...(pack === undefined ? {} : { pack }),
    ...(gtin === undefined ? {} : { gtin }),
    ...(manufacturer_ref === undefined ? {} : { manufacturerRef: manufacturer_ref }),
    ...(category_path === undefined ? {} : { categoryPath: category_path }),
  }
}
