import { TOPICS } from '@catalog/core/events/topics.ts'
import type { Blocks } from '@catalog/core/matching/blocking.ts'
import { type Assignment, assign, type MatchSku, RULE_VERSION } from '@catalog/core/matching/match.ts'
import { foundingUnit, type StatedPrice } from '@catalog/core/median/item-unit.ts'
import type { EventLog } from '@catalog/log/log.ts'
import { openFollower } from '@catalog/runtime/follower.ts'
import type { Store } from '@catalog/store/db.ts'
import { type SkuText, textsAt, type Visibility, visibilityAt } from '@catalog/store/vendor/as-of-queries.ts'
import { type Unmatched, unmatchedSkuIds } from '@catalog/store/vendor/matching.ts'
import { appendDecisions, type Matching } from './append-decisions.ts'
import { openKnownItems } from './known-items.ts'
import { decidedAliasesAt, matchSku } from './match-sku.ts'
import { appendProposals } from './proposals.ts'
import { type Reopened, reopenedSkus } from './reopen.ts'

/** SKUs decided between two appends; bounds memory, changes no result. */
const CHUNK_SKUS = 1_000
/** SKUs of known items that a run keeps, some 200 bytes each; bounds memory, changes no result. */
const KNOWN_SKUS_MAX = 1_000_000

export type MatchReport = Readonly<{ matched: number; founded: number }>

/**
 * Gives an item to every SKU that has an observation at the cut but no item. Law: it takes SKUs in ascending id order
 * and each decision depends only on earlier ones, so a killed run that repeats decides the same.
 */
export async function matchNewSkus({
  blocks,
  few,
  onProgress = () => {},
  ...matching
}: Matching & {
  /** Blocking keys, beside the exact ones, that later joins find a SKU by. */
  blocks?: ((sku: MatchSku) => Blocks) | undefined
  /** The only SKUs that can be without an item; absent or null: any. */
  few?: Unmatched['few']
  onProgress?: (matched: number) => void
}): Promise<MatchReport> {
  const { store, cut } = matching
  const visibility = await visibilityAt(store, cut)
  const aliases = await decidedAliasesAt(store, cut)
  const reopened = await reopenedSkus(store, { visibility, aliases })
  const known = openKnownItems(store, { visibility, aliases })
  let [matched, founded] = [0, 0]
  let decisions = await countOf(matching.log)
  // The tables follow while the next SKUs are decided.
  await using tables = openFollower(matching.catchUp)
  const forget = async () => {
    await tables.settled()
    known.forget()
  }
  const decide = async (texts: ReadonlyMap<string, SkuText>) => {
    const before = await countOf(matching.log)
    // A person decided meanwhile.
    if (before !== decisions) await forget()
    const skus = new Map([...texts].map(([skuId, text]) => [skuId, matchSku(text, aliases)]))
    const assignments = assign([...skus.values()], await known.around([...skus.values()]))
    const events = assignments.map((assignment) => {
      const { vendorSkuId } = assignment
      const sku = skus.get(vendorSkuId) as MatchSku
      const of = { sku, price: texts.get(vendorSkuId)?.payload.price, link: reopened.get(vendorSkuId)?.with }
      return { ...matchedEvent(assignment, { ...of, blocks }), decided_at: cut.asOf }
    })
    const appended = await appendDecisions(matching, events)
    const proposed = await appendProposals(matching, RULE_VERSION, doubtsOf(assignments, reopened))
    decisions = before + BigInt(appended + proposed)
    known.carry(assignments, skus)
    matched += assignments.length
    founded += assignments.filter(({ founding }) => founding).length
    onProgress(matched)
  }
  if (reopened.size > 0) {
    // Those that lost their link first: whoever follows finds them where they now stand.
    await decide(await textsAt(store, [...reopened.keys()], visibility))
    await forget()
  }
  for await (const texts of unmatchedTexts(store, { visibility, few })) {
    await decide(texts)
    if (known.size() > KNOWN_SKUS_MAX) await forget()
    else tables.follow()
  }
  await tables.settled()
  return { matched, founded }
}

/** Decisions in the log. */
async function countOf(log: EventLog): Promise<bigint> {
  return (await log.partitions(TOPICS.decisions)).reduce((sum, { next }) => sum + next, 0n)
}

/** The texts of all SKUs without an item that say something, in ascending order of ids. It reads one chunk ahead. */
async function* unmatchedTexts(
  store: Store,
  { visibility, few }: { visibility: Visibility; few: Unmatched['few'] | undefined },
): AsyncGenerator<ReadonlyMap<string, SkuText>> {
  const read = async (after: string) => {
    const skuIds = await unmatchedSkuIds(store, { few, after, limit: CHUNK_SKUS })
    return { last: skuIds.at(-1), texts: await textsAt(store, skuIds, visibility) }
  }
  for (let next = read(''); ; ) {
    const { last, texts } = await next
    if (last === undefined) return
    next = read(last)
    next.catch(() => {})
    yield texts
  }
}

function matchedEvent(
  { vendorSkuId, itemId, founding, n, keys, evidence }: Assignment,
  {
    sku,
    price,
    link,
    blocks,
  }: {
    sku: MatchSku
    price: StatedPrice | undefined
    /** The SKU whose key joined it to its former item, where that link fell away. */
    link: string | undefined
    blocks: ((sku: MatchSku) => Blocks) | undefined
  },
) {
  return {
    type: 'SkuMatched' as const,
    vendor_sku_id: vendorSkuId,
    source_id: sku.sourceId,
    item_id: itemId,
    ...(founding ? { founding: { n, unit: foundingUnit(sku, price as StatedPrice) } } : {}),
    // A text that the item holds already is found by the keys of the SKU that brought it.
    keys: [...keys, ...(evidence.same_text ? [] : (blocks?.(sku).stored ?? []))],
    rule_version: RULE_VERSION,
    by: 'rule' as const,
    evidence: { ...evidence, ...(link !== undefined && { reopened: link }) },
  }
}

/** For people: what a number alone would have joined, and the SKUs that lost their link beside what stays in their former item. */
function doubtsOf(assignments: readonly Assignment[], reopened: ReadonlyMap<string, Reopened>) {
  return assignments.flatMap(({ vendorSkuId, doubt }) => {
    const beside = reopened.get(vendorSkuId)?.beside
    return [
      ...(doubt === null ? [] : [{ other: doubt.with, why: `same ${doubt.key.split(':')[0]}, no common word` }]),
      ...(beside == null ? [] : [{ other: beside, why: 'its link is retracted or without trust' }]),
    ].map(({ other, why }) => ({
      vendor_sku_ids: [vendorSkuId, other].sort() as [string, string],
      score: DOUBT_SCORE,
      why: [why],
    }))
  })
}
/** As likely as not: no rule scored these pairs. */
const DOUBT_SCORE = 0.5
