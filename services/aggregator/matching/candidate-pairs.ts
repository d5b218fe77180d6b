import { setImmediate } from 'node:timers/promises'
import { candidatesByKeys, KEY_SKUS_MAX, SCORED_MAX } from '@catalog/core/matching/blocking.ts'
import { byScore, type JoinEdge } from '@catalog/core/matching/joins.ts'
import { type MatchText, matchKeys } from '@catalog/core/matching/match.ts'
import { textKey } from '@catalog/core/matching/sku-reading.ts'
import { areTwoOfOneVendor } from '@catalog/core/matching/source-voices.ts'
import type { Store } from '@catalog/store/db.ts'
import { matchedSkus, skusByKeys } from '@catalog/store/vendor/matching.ts'
import { type DescribedSku, openGates, PRICE_GATE, type SkuDescription } from './candidate-gates.ts'
import type { JoinRule } from './join-rule.ts'
import { ScoredPairs } from './pair-columns.ts'
import type { Rejections } from './reasons-apart.ts'
import type { SkuDescriptions, SkuRef } from './sku-descriptions.ts'

/** A pair that a rule finds similar, with its probability and whether the rule is sure. */
export type CandidatePair = JoinEdge & Readonly<{ isSure: boolean }>
export type CandidatePairs = Readonly<{
  pairs: readonly CandidatePair[]
  /** The item of each SKU of the pairs, before any join. */
  itemOf: ReadonlyMap<string, string>
  rejections: Rejections
}>

type CandidateSearch = Readonly<{
  store: Store
  rule: JoinRule
  pending: ComparedSkus
  descriptions: SkuDescriptions
  onProgress?: (compared: number, total: number) => void
}>
/** The SKUs to find pairs for, each with its item before any join; pairs inside one item do not count. */
export type ComparedSkus = Readonly<{ skus: readonly SkuRef[]; itemOf: (skuId: string) => string | undefined }>

/** SKUs compared between two reads of the store; bounds memory, changes no result. */
const CHUNK_SKUS = 1_000
/** SKUs compared in one go: less than a second, also on a busy machine. */
const SLICE_SKUS = 50
/** Candidate pairs kept for each SKU. */
const PAIRS_PER_SKU_MAX = 10

/**
 * Compares every pending SKU with SKUs of other sources that share its rarest keys and pass all gates but the price
 * gate. Then compares those with their own partners, so that each pair is judged among its rivals. Keeps the best pairs
 * of pending SKUs from `review` on. It decides before any join, and by id where probabilities are equal, so earlier
 * attempts change nothing.
 */
export async function findCandidatePairs(search: CandidateSearch): Promise<CandidatePairs> {
  const { rule, pending } = search
  const scored = new ScoredPairs()
  await scoreAll(search, pending.skus, scored)
  await scoreAll(search, partnersIn(scored, pending), scored)

  const { judged, isRejected } = judgedPairs(scored, rule)
  const counts = new Map<string, number>()
  const kept = judged.filter(({ a, b }) => {
    const owners = [a, b].filter((skuId) => pending.itemOf(skuId) !== undefined)
    const isKept = owners.some((skuId) => (counts.get(skuId) ?? 0) < PAIRS_PER_SKU_MAX)
    for (const skuId of owners) counts.set(skuId, (counts.get(skuId) ?? 0) + 1)
    return isKept
  })
  return {
    pairs: kept,
    itemOf: new Map(kept.flatMap(({ a, b }) => [a, b].map((skuId) => [skuId, scored.itemOf(skuId)]))),
    rejections: { isCompared: (skuId) => scored.isCompared(skuId), isRejected },
  }
}

/** The other SKUs that may match a pending one, in id order. */
function partnersIn(scored: ScoredPairs, pending: ComparedSkus): SkuRef[] {
  return [...new Set(scored.columns().skus)]
    .map((number) => scored.sku(number))
    .filter(({ skuId }) => pending.itemOf(skuId) === undefined)
    .sort((a, b) => (a.skuId < b.skuId ? -1 : 1))
}

/** The pairs of two items from `review` on, best first, and those below. */
function judgedPairs(
  scored: ScoredPairs,
  rule: JoinRule,
): { judged: CandidatePair[]; isRejected: Rejections['isRejected'] } {
  const { skus, ...columns } = scored.columns()
  const { chances, isMutual } = rule.judge({ skus, ...columns })
  const judged: CandidatePair[] = []
  for (const [at, chance] of chances.entries()) {
    if (chance < rule.review) continue
    const [one, other] = [scored.sku(skus[2 * at] as number), scored.sku(skus[2 * at + 1] as number)]
    if (one.itemId === other.itemId) continue
    const [a, b] = one.skuId < other.skuId ? [one.skuId, other.skuId] : [other.skuId, one.skuId]
    judged.push({ a, b, score: chance, isSure: isMutual[at] === 1 && chance >= rule.auto })
  }
  return {
    judged: judged.sort(byScore),
    isRejected: scored.pairSet(skus, (at) => (chances[at] as number) < rule.review),
  }
}

async function scoreAll(search: CandidateSearch, skus: readonly SkuRef[], scored: ScoredPairs): Promise<void> {
  const { rule } = search
  scored.reserve(skus.length)
  for await (const { start, queries, partners, others, gates } of chunksOf(search, skus)) {
    const noted = ({ vendorSkuId: skuId, sourceId, description }: DescribedSku) =>
      scored.numberOf({ skuId, sourceId, itemId: partners.itemOf(skuId), lang: description?.text.lang })
    for (const [at, query] of queries.entries()) {
      if (at % SLICE_SKUS === 0) {
        // A signal that ends the run is heard here.
        await setImmediate()
        search.onProgress?.(start + at, skus.length)
      }
      const own = noted(query)
      const compared = new Map<string, Set<MatchText>>()
      let passed = 0
      for (const skuId of partners.of[at] as readonly string[]) {
        const other = others.get(skuId)
        if (other === undefined || other.description === null || areTwoOfOneVendor(other, query)) continue
        const { text } = other.description
        const texts = compared.get(partners.itemOf(skuId)) ?? new Set()
        if (texts.has(text)) continue
        // The gates let a pair pass before it is scored, and they are symmetric.
        const isScored = scored.has(own, skuId)
        const gate = isScored ? null : gates.between(query, other)
        if (gate !== null && gate !== PRICE_GATE) continue
        compared.set(partners.itemOf(skuId), texts.add(text))
        passed += 1
        if (!isScored) {
          const score = rule.score(...textsInOrder(query.description as SkuDescription, other.description))
          scored.note(own, noted(other), score)
        }
        if (passed === SCORED_MAX) break
      }
    }
    search.onProgress?.(Math.min(start + CHUNK_SKUS, skus.length), skus.length)
  }
}

/** SKUs, a chunk at a time, with those to compare them with. It reads one chunk ahead. */
async function* chunksOf(search: CandidateSearch, skus: readonly SkuRef[]) {
  const read = (start: number) => (start < skus.length ? readChunk(search, skus, start) : undefined)
  for (let next = read(0); next !== undefined; ) {
    const chunk = await next
    next = read(chunk.start + CHUNK_SKUS)
    next?.catch(() => {})
    yield chunk
  }
}

async function readChunk(search: CandidateSearch, skus: readonly SkuRef[], start: number) {
  const { descriptions } = search
  const chunk = skus.slice(start, start + CHUNK_SKUS)
  const queries = (await descriptions.of(chunk)).filter(({ description }) => description !== null)
  const partners = await findPartners(search, queries)
  const others = new Map((await descriptions.of(partners.others)).map((other) => [other.vendorSkuId, other]))
  return { start, queries, partners, others, gates: await openGates(search, [...queries, ...others.values()]) }
}

/** The last digit of a score may depend on the order, so the texts decide it. */
function textsInOrder({ text: one }: SkuDescription, { text: other }: SkuDescription): [MatchText, MatchText] {
  const isInOrder = one.name === other.name ? textKey(one) < textKey(other) : one.name < other.name
  return isInOrder ? [one, other] : [other, one]
}

type Partners = Readonly<{
  /** For each query the ids of the SKUs that share most keys with it, best first. */
  of: readonly (readonly string[])[]
  others: readonly SkuRef[]
  itemOf: (skuId: string) => string
}>

/** Finds SKUs that share keys with these, without reading their texts. */
async function findPartners(
  { store, rule, pending }: CandidateSearch,
  queries: readonly DescribedSku[],
): Promise<Partners> {
  const probes = queries.map(({ description }) =>
    description === null ? [] : [...matchKeys(description.text), ...rule.blocks(description.text).probes],
  )
  const found = await skusByKeys(store, [...new Set(probes.flat())], KEY_SKUS_MAX)
  const shared = probes.map((keys) => candidatesByKeys(keys, (key) => found.get(key) ?? []))
  const placed = new Map(
    (await matchedSkus(store, [...new Set(shared.flatMap((skus) => skus.map(([sku]) => sku)))])).map((each) => [
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
    itemOf: (skuId) => pending.itemOf(skuId) ?? (items.get(skuId) as string),
  }
}
