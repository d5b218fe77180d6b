import { PAIR_SCORE_MIN, type ScoredPair } from '@catalog/core/matching/assignment.ts'
import { KEY_SKUS_MAX, metBy, SCORED_MAX } from '@catalog/core/matching/blocking.ts'
import { byScore, type JoinEdge } from '@catalog/core/matching/joins.ts'
import { matchKeys } from '@catalog/core/matching/match.ts'
import type { Store } from '@catalog/store/db.ts'
import { placedSkus, skuPair, skusByKeys } from '@catalog/store/vendor/matching.ts'
import type { Fresh } from './pending-skus.ts'
import { conflictAmong, type Looked, PRICE, type Said } from './candidate-gates.ts'
import type { JoinRule } from './join-rule.ts'
import type { Texts } from './sku-descriptions.ts'

/** A pair that a rule finds alike: its chance, and whether the rule is sure. */
export type Edge = JoinEdge & Readonly<{ isSure: boolean }>
export type Edges = Readonly<{
  all: readonly Edge[]
  /** The item of each of their SKUs before anything was joined. */
  itemOf: ReadonlyMap<string, string>
  /** Whether two SKUs were compared and found to be two products, in any order. */
  isDoubted: (a: string, b: string) => boolean
}>

type Looking = Readonly<{
  store: Store
  rule: JoinRule
  fresh: Fresh
  texts: Texts
  onProgress?: (looked: number, total: number) => void
}>
type SkuOf = Readonly<{ skuId: string; sourceId: string }>

/** SKUs looked at between two looks at the store; bounds memory, changes no result. */
const CHUNK_SKUS = 5_000
/** Pairs kept of a SKU. */
const EDGES_MAX = 10

/**
 * Compares every fresh SKU with those that share its rarest keys, are of another source and pass all gates but that of the
 * price, and these in turn with theirs, so that each pair is judged among its rivals; keeps the best pairs of fresh SKUs
 * from `review` on. What is kept of a SKU is decided before anything is joined, and in the order of ids where chances are
 * equal, so it does not depend on what an earlier attempt has joined.
 */
export async function findEdges(looking: Looking): Promise<Edges> {
  const { rule, fresh } = looking
  const compared = new Compared()
  await compareAll(looking, fresh.skus, compared)
  await compareAll(looking, compared.partners(fresh), compared)

  const all = rule.judge([...compared.pairs.values()])
  const doubted = new Set(all.filter(({ chance }) => chance < rule.review).map(({ a, b }) => skuPair(a, b)))
  const judged = all
    .filter(({ a, b, chance }) => chance >= rule.review && compared.itemOf(a) !== compared.itemOf(b))
    .map(({ a, b, chance, isMutual }): Edge => ({ a, b, score: chance, isSure: isMutual && chance >= rule.auto }))
    .sort(byScore)
  const counts = new Map<string, number>()
  const kept = judged.filter(({ a, b }) => {
    const owners = [a, b].filter((skuId) => fresh.itemOf(skuId) !== undefined)
    const isKept = owners.some((skuId) => (counts.get(skuId) ?? 0) < EDGES_MAX)
    for (const skuId of owners) counts.set(skuId, (counts.get(skuId) ?? 0) + 1)
    return isKept
  })
  return {
    all: kept,
    itemOf: new Map(kept.flatMap(({ a, b }) => [a, b].map((skuId) => [skuId, compared.itemOf(skuId)]))),
    isDoubted: (a, b) => doubted.has(skuPair(a, b)),
  }
}

/** Pairs that were scored, each once, by the SKUs in the order of their ids. */
class Compared {
  readonly pairs = new Map<string, ScoredPair>()
  readonly #skus = new Map<string, { sourceId: string; itemId: string }>()

  note(pair: ScoredPair, itemOf: (skuId: string) => string): void {
    this.pairs.set(skuPair(pair.a, pair.b), pair)
    this.#skus.set(pair.a, { sourceId: pair.sourceA, itemId: itemOf(pair.a) })
    this.#skus.set(pair.b, { sourceId: pair.sourceB, itemId: itemOf(pair.b) })
  }

  itemOf(skuId: string): string {
    return this.#skus.get(skuId)?.itemId as string
  }

  /** Who was there before and may be one with a fresh SKU, in the order of ids. */
  partners(fresh: Fresh): SkuOf[] {
    return [...this.#skus]
      .filter(([skuId]) => fresh.itemOf(skuId) === undefined)
      .map(([skuId, { sourceId }]) => ({ skuId, sourceId }))
      .sort((a, b) => (a.skuId < b.skuId ? -1 : 1))
  }
}

async function compareAll(looking: Looking, skus: readonly SkuOf[], compared: Compared): Promise<void> {
  const { rule, texts } = looking
  for (let start = 0; start < skus.length; start += CHUNK_SKUS) {
    const chunk = skus.slice(start, start + CHUNK_SKUS)
    const lookers = (await texts.of(chunk)).filter(({ said }) => said !== null)
    const met = await meet(looking, lookers)
    const others = new Map((await texts.of(met.others)).map((other) => [other.vendorSkuId, other]))
    const conflict = await conflictAmong(looking, [...lookers, ...others.values()])
    const refused = new Set<string>()
    for (const [at, looker] of lookers.entries()) {
      let passed = 0
      for (const skuId of met.of[at] as readonly string[]) {
        const other = others.get(skuId)
        if (other === undefined || other.said === null || other.sourceId === looker.sourceId) continue
        const reason = conflict(looker, other)
        if (reason !== null && reason !== PRICE) continue
        passed += 1
        const [a, b] = looker.vendorSkuId < other.vendorSkuId ? [looker, other] : [other, looker]
        const key = skuPair(a.vendorSkuId, b.vendorSkuId)
        if (!compared.pairs.has(key) && !refused.has(key)) {
          const pair = scored(rule, a, b)
          if (pair.score >= PAIR_SCORE_MIN) compared.note(pair, met.itemOf)
          else refused.add(key)
        }
        if (passed === SCORED_MAX) break
      }
    }
    looking.onProgress?.(start + chunk.length, skus.length)
  }
}

function scored(rule: JoinRule, a: Looked, b: Looked): ScoredPair {
  const [one, other] = [(a.said as Said).text, (b.said as Said).text]
  return {
    a: a.vendorSkuId,
    b: b.vendorSkuId,
    sourceA: a.sourceId,
    sourceB: b.sourceId,
    score: rule.score(one, other),
    isSameLanguage: one.lang === other.lang,
  }
}

type Met = Readonly<{
  /** Of each looker the ids of those that share most with it, in order. */
  of: readonly (readonly string[])[]
  others: readonly SkuOf[]
  itemOf: (skuId: string) => string
}>

/** Whom the keys of these SKUs bring together, without a look at any text. */
async function meet({ store, rule, fresh }: Looking, lookers: readonly Looked[]): Promise<Met> {
  const probes = lookers.map(({ said }) =>
    said === null ? [] : [...matchKeys(said.text), ...rule.blocks(said.text).probes],
  )
  const found = await skusByKeys(store, [...new Set(probes.flat())], KEY_SKUS_MAX)
  const shared = probes.map((keys) => metBy(keys, (key) => found.get(key) ?? []))
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
