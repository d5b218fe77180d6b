import { byScore, type JoinEdge } from '@catalog/core/joins.ts'
import { matchKeys } from '@catalog/core/match.ts'
import type { Store } from '@catalog/store/db.ts'
import { placedSkus, skuPair, skusByKeys } from '@catalog/store/matching.ts'
import type { Fresh } from './fresh.ts'
import { conflictAmong, type Looked, PRICE, type Said } from './gates.ts'
import type { JoinRule } from './rule.ts'
import type { Texts } from './texts.ts'

/** Pairs that a rule finds alike, and the item of each of their SKUs before anything was joined. */
export type Edges = Readonly<{ all: readonly JoinEdge[]; itemOf: ReadonlyMap<string, string> }>

type Looking = Readonly<{ store: Store; rule: JoinRule; fresh: Fresh }>

/** SKUs looked at between two looks at the store; bounds memory, changes no result. */
const CHUNK_SKUS = 5_000
/** A key that more SKUs share says little, and each would be compared with all others. */
const KEY_SKUS_MAX = 100
/** Candidates that share most keys, before the gates; and those of them that are scored. */
const MET_MAX = 60
const SCORED_MAX = 20
/** Pairs kept of a SKU. */
const EDGES_MAX = 10

/**
 * Compares every fresh SKU with those that share its rarest keys, are of another source and item, and pass all gates but
 * that of the price; keeps the best pairs from `review` on. What is kept of a SKU is decided before anything is joined,
 * and in the order of ids where scores are equal, so it does not depend on what an earlier attempt has joined.
 */
export async function findEdges(
  joining: Looking & { texts: Texts; onProgress?: (looked: number, total: number) => void },
): Promise<Edges> {
  const { rule, fresh, texts } = joining
  const edges = new Map<string, JoinEdge>()
  const itemOf = new Map<string, string>()
  for (let start = 0; start < fresh.skus.length; start += CHUNK_SKUS) {
    const chunk = fresh.skus.slice(start, start + CHUNK_SKUS)
    const lookers = (await texts.of(chunk)).filter(({ said }) => said !== null)
    const met = await meet(joining, lookers)
    const others = new Map((await texts.of(met.others)).map((other) => [other.vendorSkuId, other]))
    const conflict = await conflictAmong(joining, [...lookers, ...others.values()])
    const scores = new Map<string, number>()
    for (const [at, looker] of lookers.entries()) {
      const candidates: Looked[] = []
      for (const skuId of met.of[at] as readonly string[]) {
        const other = others.get(skuId)
        if (other === undefined || other.said === null || other.sourceId === looker.sourceId) continue
        if (met.itemOf(other.vendorSkuId) === met.itemOf(looker.vendorSkuId)) continue
        const reason = conflict(looker, other)
        if (reason === null || reason === PRICE) candidates.push(other)
        if (candidates.length === SCORED_MAX) break
      }
      const scored = candidates.map((other): JoinEdge => {
        const [a, b] = looker.vendorSkuId < other.vendorSkuId ? [looker, other] : [other, looker]
        const pair = skuPair(a.vendorSkuId, b.vendorSkuId)
        const score = scores.get(pair) ?? rule.score((a.said as Said).text, (b.said as Said).text)
        scores.set(pair, score)
        return { a: a.vendorSkuId, b: b.vendorSkuId, score }
      })
      const best = scored
        .filter(({ score }) => score >= rule.review)
        .sort(byScore)
        .slice(0, EDGES_MAX)
      for (const edge of best) {
        edges.set(skuPair(edge.a, edge.b), edge)
        for (const skuId of [edge.a, edge.b]) itemOf.set(skuId, met.itemOf(skuId))
      }
    }
    joining.onProgress?.(start + chunk.length, fresh.skus.length)
  }
  return { all: [...edges.values()], itemOf }
}

type Met = Readonly<{
  /** Of each looker the ids of those that share most with it, in order. */
  of: readonly (readonly string[])[]
  others: readonly { readonly skuId: string; readonly sourceId: string }[]
  itemOf: (skuId: string) => string
}>

/** Whom the keys of these SKUs bring together, without a look at any text. */
async function meet({ store, rule, fresh }: Looking, lookers: readonly Looked[]): Promise<Met> {
  const probes = lookers.map(({ said }) =>
    said === null ? [] : [...matchKeys(said.text), ...rule.blocks(said.text).probes],
  )
  const found = await skusByKeys(store, [...new Set(probes.flat())], KEY_SKUS_MAX)
  const shared = probes.map((keys) => {
    const weights = new Map<number, number>()
    for (const key of keys) {
      const skus = found.get(key) ?? []
      for (const sku of skus) weights.set(sku, (weights.get(sku) ?? 0) + 1 / Math.sqrt(skus.length))
    }
    const sorted = [...weights].sort(([, a], [, b]) => b - a)
    // Private keys tell no order that another database would have, so all that share as much as the last one stay.
    const least = sorted[MET_MAX - 1]?.[1] ?? 0
    return sorted.filter(([, weight]) => weight >= least)
  })
  const placed = new Map(
    (await placedSkus(store, [...new Set(shared.flatMap((skus) => skus.map(([sku]) => sku)))])).map((each) => [
      each.sku,
      each,
    ]),
  )
  const items = new Map([...placed.values()].map(({ skuId, itemId }) => [skuId, itemId]))
  return {
    of: shared.map((skus) =>
      skus
        .flatMap(([sku, weight]) => {
          const skuId = placed.get(sku)?.skuId
          return skuId === undefined ? [] : { skuId, weight }
        })
        .sort((a, b) => b.weight - a.weight || (a.skuId < b.skuId ? -1 : 1))
        .map(({ skuId }) => skuId),
    ),
    others: [...placed.values()],
    itemOf: (skuId) => fresh.itemOf(skuId) ?? (items.get(skuId) as string),
  }
}
