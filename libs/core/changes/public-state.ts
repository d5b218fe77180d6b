import { canonicalJson, idSuffix, type JsonValue, sha256Bytes } from '@catalog/core/digest.ts'
import type { ItemPublished, PublicState } from '@catalog/core/events/items.ts'
import { openMemo } from '@catalog/core/memo.ts'
import { foldText } from '@catalog/core/text.ts'

/** The exact bytes of a public state: canonical JSON, arrays sorted by the aggregator. Feeds and digests hash these. */
export function publicStateJson(state: PublicState): string {
  return canonicalJson(state as unknown as JsonValue)
}

export function stateSha(publicStateJson: string): Buffer {
  return sha256Bytes(publicStateJson)
}

/**
 * SHA-256 of the material state: everything but `updated_at`, `observation_count` and every `recorded_at`. A
 * re-observation at the same price keeps it equal, so it makes no change.
 */
export function materialSha(state: PublicState): Buffer {
  const amount = <Priced extends PublicState['item'] | PublicState['markets'][number]>({ median_price }: Priced) =>
    median_price && { cents: median_price.cents, currency: median_price.currency }
  const material = {
    ...state,
    item: { ...state.item, median_price: amount(state.item), observation_count: undefined, updated_at: undefined },
    markets: state.markets.map((market) => ({ ...market, median_price: amount(market) })),
  }
  return sha256Bytes(canonicalJson(material as unknown as JsonValue))
}

/**
 * A key that is equal for two events exactly when the same SKUs make up the item, the same SKUs vote with the same prices, flags, editions
 * and taxes removed by a rule, and the same first prices wait in quarantine.
 */
export function votersKey({ vendor_sku_ids, basis }: Pick<ItemPublished, 'vendor_sku_ids' | 'basis'>): string {
  const marks = basis.votes.flatMap(({ vendor_sku_id, tax, voice_id, edition, flags = [] }) => {
    const rule = tax?.by === 'vendor' ? undefined : (tax?.by ?? undefined)
    if (flags.length === 0 && rule === undefined && voice_id === undefined && edition === undefined) return []
    const stated = [...(voice_id === undefined ? [] : [voice_id]), ...(edition === undefined ? [] : [{ edition }])]
    return [[vendor_sku_id, ...flags, ...(rule === undefined ? [] : [rule, tax?.rate ?? null]), ...stated]]
  })
  const waiting = basis.excluded.filter(({ reason }) => reason === 'FIRST_PRICE_QUARANTINED').map(({ id }) => id)
  const voters = basis.votes.map(({ vendor_sku_id, price, currency }) => [vendor_sku_id, price, currency])
  return canonicalJson([vendor_sku_ids, voters, ...(marks.length + waiting.length === 0 ? [] : [marks, waiting])])
}

/** Id of a category: hash of its folded path from the root. */
export function categoryIdOf(path: readonly string[]): `cat_${string}` {
  return CATEGORY_IDS(path.join('\0'), () => `cat_${idSuffix(canonicalJson(['category', ...path.map(foldText)]))}`)
}
/** Items share few categories. No name of one holds U+0000, which events refuse. */
const CATEGORY_IDS = openMemo<`cat_${string}`>(10_000)
