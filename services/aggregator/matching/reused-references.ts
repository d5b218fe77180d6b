import { vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import { type MatchText, RULE_VERSION } from '@catalog/core/matching/match.ts'
import { otherArticle, reuses } from '@catalog/core/references/reference-uses.ts'
import { soldUnit } from '@catalog/core/units/sold-unit.ts'
import { conceptsOf } from '@catalog/embed/concepts/concepts.ts'
import type { Store } from '@catalog/store/db.ts'
import {
  changedReferences,
  presentArticles,
  type ReferenceHistory,
  referenceHistories,
} from '@catalog/store/references/reference-uses.ts'
import { type Cut, textsAt, visibilityAt } from '@catalog/store/vendor/as-of-queries.ts'
import { lastFinishedRun } from '@catalog/store/vendor/runs.ts'
import { appendDecisions, type Matching } from './append-decisions.ts'
import { type DecidedAliases, decidedAliasesAt, matchSku } from './match-sku.ts'

/**
 * Decides which references stand for another article since the last run. A reference that nobody re-used gets no event. Law: the
 * decisions follow from what was said and decided, so a killed run that repeats appends the rest.
 */
export async function decideReuses(matching: Matching): Promise<number> {
  const { store, cut } = matching
  const visibility = await visibilityAt(store, cut)
  const last = await lastFinishedRun(store)
  // A run that was taken back dated its decisions with itself.
  const from = last?.takenBackAt === undefined ? last : undefined
  const changed = await changedReferences(store, { from, visibility })
  const aliases = await decidedAliasesAt(store, cut)
  let decided = 0
  for (let start = 0; start < changed.length; start += CHUNK_REFERENCES) {
    const histories = await referenceHistories(store, changed.slice(start, start + CHUNK_REFERENCES), visibility)
    const decisions = histories.flatMap((history) => reusesOf(history, { aliases, cut }))
    await appendDecisions(matching, decisions)
    decided += decisions.length
  }
  if (decided > 0) await matching.catchUp()
  return decided
}

/** References read at once; bounds memory, changes no result. */
const CHUNK_REFERENCES = 500

function reusesOf({ said, uses }: ReferenceHistory, { aliases, cut }: { aliases: DecidedAliases; cut: Cut }) {
  const { source, vendor_ref } = said[0].payload
  const skuIds = said.map((_, n) => vendorSkuIdOf(source.id, vendor_ref, n))
  const texts = said.map(({ payload, isHidden }) => ({
    observedAt: payload.observed_at,
    text: matchSku({ skuId: skuIds[0] as string, sourceId: source.id, payload }, aliases),
    isHidden,
  }))
  const decided = uses.map(({ since, vendor_sku_id }) => ({
    since,
    n: skuIds.indexOf(vendor_sku_id as `vsku_${string}`),
  }))
  return reuses(texts, decided, haveOneMeaning).map(({ since, n, about, before, after }) => ({
    type: 'ReferenceReused' as const,
    decided_at: cut.asOf,
    vendor_sku_id: skuIds[n] as string,
    first_sku_id: skuIds[0] as string,
    source_id: source.id,
    vendor_ref,
    since,
    about,
    before: saidText(before),
    after: saidText(after),
    rule_version: RULE_VERSION,
  }))
}

/** Whether two names have a concept in common; null where one of them has none. */
function haveOneMeaning(a: MatchText, b: MatchText): boolean | null {
  const [one, other] = [conceptsOf(a.name), conceptsOf(b.name)]
  return one.size === 0 || other.size === 0 ? null : !one.isDisjointFrom(other)
}

/** The name and what is sold, for people. */
function saidText(text: MatchText): string {
  const { label } = soldUnit(text)
  return [text.name.slice(0, NAME_CHARS_MAX).toWellFormed(), ...(label === null ? [] : [label])].join(', ')
}
const NAME_CHARS_MAX = 1_800

type Content = Omit<ObservationRecorded, 'type' | 'v' | 'event_id' | 'recorded_at' | 'crawl_id'>

/**
 * Reads records before they are projected, and tells for each whose reference stands for something else in the catalog what it was and
 * what it is. The next run decides by all that was said.
 */
export async function openReuseCheck(store: Store, asOf: string) {
  const cut = { asOf, positions: null }
  const visibility = await visibilityAt(store, cut)
  const aliases = await decidedAliasesAt(store, cut)
  return async (records: readonly Content[]): Promise<string[]> => {
    const firsts = records.map(({ source, vendor_ref }) => vendorSkuIdOf(source.id, vendor_ref))
    const presentOf = await presentArticles(store, firsts)
    const skuIds = firsts.map((first) => presentOf.get(first) ?? first)
    const known = await textsAt(store, skuIds, visibility)
    return records.flatMap((record, at) => {
      const before = known.get(skuIds[at] as string)
      if (before === undefined) return []
      const text = matchSku({ ...before, payload: record as ObservationRecorded }, aliases)
      const former = matchSku(before, aliases)
      const about = otherArticle([former], text, haveOneMeaning)
      return about === null ? [] : [`${record.vendor_ref}: was ${saidText(former)}, is ${saidText(text)}`]
    })
  }
}
