import { writeFile } from 'node:fs/promises'
import { type JudgedPair, judgeAmong, type ScoredPair } from '@catalog/core/assignment.ts'
import { labelledRecords } from '@catalog/core/labelled-offers.ts'
import type { MatchSku } from '@catalog/core/match.ts'
import { type Meaning, mayBeOne, type SkuPairModel } from '@catalog/core/sku-pair.ts'
import { type LabelledSkuPair, learnAmong, learnScorer } from '@catalog/core/sku-pair-train.ts'
import { soldUnit } from '@catalog/core/units.ts'
import { openBuiltinEmbedder } from '@catalog/embed/builtin.ts'
import { conceptsOf } from '@catalog/embed/concepts.ts'
import { percent } from './percent.ts'
import { type Terminal, table } from './terminal.ts'

/** What no two parts share: families of products (harder: no variant of a judged product is known), or single products. */
export type LabelSplit = 'family' | 'product'

/**
 * `catalog eval match` without files: the pair scorer on our own labelled records, cut into parts by `split`. Each part is
 * judged once, by what was learned from the others alone: the first look from their pairs, the second look from how such as
 * had not seen them scored these, the thresholds from how both judged them.
 */
export async function evaluateLabels(
  terminal: Terminal,
  { out, split }: { out?: string; split: LabelSplit },
): Promise<void> {
  const begun = performance.now()
  const records = labelledRecords().map(({ product, family, sku }): Labelled => ({ ...sku, product, family }))
  const pairs = await candidatesOf(records, split)
  terminal.note(`${records.length} records, ${pairs.length} pairs of two vendors that the gates let through`)

  const partOf = partsOf(records, split)
  const scored = scoreAcross(terminal, { pairs, partOf })
  // A pair of two parts is scored and judged with both, so that no rival is missing, but learned from and counted once.
  const isOwn = (part: number) => (pair: Scored) => partOf(pair.skuA) === part
  const own: ScoredWithout = (part, other) => scored(part, other).filter(isOwn(part))
  const judged = PARTS.flatMap((part) => {
    const others = PARTS.filter((other) => other !== part)
    const among = learnAmong(others.map((other) => own(other, part)))
    const thresholds = chooseThresholds(among.judged.flat())
    const parted = judgeAmong(among.model, scored(part, others[0] as number))
    terminal.note(`judged part ${part + 1} of ${PARTS.length}`)
    return parted.filter(isOwn(part)).map((pair) => ({ ...pair, zone: zoneIn(thresholds, pair) }))
  })
  const seconds = Math.round((performance.now() - begun) / 100) / 10
  const figures = { split, ...figuresOf(judged, missedByGates(records)), records: records.length, seconds }
  if (out !== undefined) {
    const text = `${JSON.stringify(learnModel(pairs, own))}\n`
    await writeFile(out, text)
    terminal.note(`wrote ${out}, ${Math.round(text.length / 1000)} kB`)
  }
  terminal.answer(figures, () => labelTable(figures))
}

const PARTS = [0, 1, 2, 3, 4]

/** The pairs of a part, scored by what was learned without it and without another. */
type ScoredWithout = (part: number, other: number) => readonly Scored[]

function scoreAcross(
  terminal: Terminal,
  { pairs, partOf }: { pairs: readonly Candidate[]; partOf: (record: Labelled) => number },
): ScoredWithout {
  const scored = new Map<string, readonly Scored[]>()
  const isOf = ({ a, b }: Candidate, part: number) => partOf(a) === part || partOf(b) === part
  for (const part of PARTS) {
    for (const other of PARTS.slice(part + 1)) {
      const { score } = learnScorer(pairs.filter((pair) => !isOf(pair, part) && !isOf(pair, other)))
      for (const [which, without] of [
        [part, other],
        [other, part],
      ] as const) {
        const own = pairs.filter((pair) => isOf(pair, which)).map((pair) => scoredPair(pair, score(pair)))
        scored.set(`${which} ${without}`, own)
      }
      terminal.note(`learned without parts ${part + 1} and ${other + 1} of ${PARTS.length}`)
    }
  }
  return (part, other) => scored.get(`${part} ${other}`) as readonly Scored[]
}

/** The model to ship: the first look from all pairs, the second from scores of such as had not seen them. */
function learnModel(pairs: readonly Candidate[], scored: ScoredWithout): SkuPairModel {
  const { features, trees, words } = learnScorer(pairs)
  const among = learnAmong(PARTS.map((part) => scored(part, (part + 1) % PARTS.length)))
  return {
    version: 'sku-pair/1',
    features,
    words,
    ...chooseThresholds(among.judged.flat()),
    trees,
    among: among.model,
  }
}

// Labels --------------------------------------------------------------------------------------------------------------

type Labelled = MatchSku & Readonly<{ product: string; family: string }>

/** Groups dealt out by size, the largest first, each to the part with the fewest records. */
function partsOf(records: readonly Labelled[], split: LabelSplit): (record: Labelled) => number {
  const sizes = new Map<string, number>()
  for (const { [split]: group } of records) sizes.set(group, (sizes.get(group) ?? 0) + 1)
  const filled = PARTS.map(() => 0)
  const parts = new Map<string, number>()
  for (const [group, size] of [...sizes].sort((x, y) => y[1] - x[1] || (x[0] < y[0] ? -1 : 1))) {
    const part = filled.indexOf(Math.min(...filled))
    parts.set(group, part)
    filled[part] = (filled[part] as number) + size
  }
  return ({ [split]: group }) => parts.get(group) as number
}

// Candidates ----------------------------------------------------------------------------------------------------------

type Candidate = LabelledSkuPair & Readonly<{ a: Labelled; b: Labelled }>
type Zone = 'automatic' | 'review' | 'none'

/** Other families' records that a record is compared with, nearest in meaning first. */
const NEIGHBOURS = 10

/** All pairs of two vendors within a family, and each record with its nearest of other families; what the gates let through. */
async function candidatesOf(records: readonly Labelled[], split: LabelSplit): Promise<Candidate[]> {
  const vectors = await openBuiltinEmbedder().embed(
    records.map(({ name }) => name),
    'document',
  )
  const concepts = records.map(({ name }) => conceptsOf(name))
  const cosine = (i: number, j: number) => {
    const [one, other] = [vectors[i], vectors[j]]
    return one && other ? one.reduce((sum, value, d) => sum + value * (other[d] as number), 0) : undefined
  }
  const candidates: Candidate[] = []
  const add = (i: number, j: number) => {
    const [a, b] = [records[i] as Labelled, records[j] as Labelled]
    if (a.sourceId === b.sourceId || !mayBeOne(a, b)) return
    const meaning = { cosine: cosine(i, j), concepts: [concepts[i], concepts[j]] as Meaning['concepts'] }
    candidates.push({ a, b, groups: [a[split], b[split]], isMatch: a.product === b.product, meaning })
  }
  const seen = new Set<number>()
  for (const [i, a] of records.entries()) {
    const others: { j: number; near: number }[] = []
    for (const [j, b] of records.entries()) {
      if (a.family !== b.family) others.push({ j, near: cosine(i, j) ?? 0 })
      else if (i < j) add(i, j)
    }
    for (const { j } of others.sort((x, y) => y.near - x.near || x.j - y.j).slice(0, NEIGHBOURS)) {
      const pair = Math.min(i, j) * records.length + Math.max(i, j)
      if (seen.has(pair)) continue
      seen.add(pair)
      add(Math.min(i, j), Math.max(i, j))
    }
  }
  return candidates
}

/** Pairs of one product that the gates refuse: no score can find them. */
function missedByGates(records: readonly Labelled[]): number {
  let missed = 0
  for (const group of Map.groupBy(records, ({ product }) => product).values()) {
    for (const [i, a] of group.entries()) {
      for (const b of group.slice(i + 1)) if (a.sourceId !== b.sourceId && !mayBeOne(a, b)) missed += 1
    }
  }
  return missed
}

// Zones ---------------------------------------------------------------------------------------------------------------

type Thresholds = Readonly<{ automaticMin: number; reviewMin: number }>
type Scored = ScoredPair & Readonly<{ skuA: Labelled; skuB: Labelled; isMatch: boolean }>
type Judged = JudgedPair<Scored>

function scoredPair({ a, b, isMatch }: Candidate, score: number): Scored {
  const ids = { a: a.vendorSkuId, b: b.vendorSkuId, sourceA: a.sourceId, sourceB: b.sourceId }
  return { ...ids, score, isSameLanguage: a.lang === b.lang, skuA: a, skuB: b, isMatch }
}

/** What is promised of merges that nobody looked at. */
const AUTOMATIC_PRECISION = 0.98
/** Of the matches that the gates let through, so many are found by the automatic zone and review together. */
const REVIEW_RECALL = 0.99

function chooseThresholds(pairs: readonly Judged[]): Thresholds {
  const sorted = pairs.toSorted((x, y) => y.chance - x.chance)
  const matches = sorted.filter(({ isMatch }) => isMatch).length
  let [taken, right, found, automaticMin, reviewMin] = [0, 0, 0, 1, 0]
  for (const { chance, isMatch, isMutual } of sorted) {
    found += Number(isMatch)
    if (found <= matches * REVIEW_RECALL) reviewMin = chance
    if (!isMutual) continue
    taken += 1
    right += Number(isMatch)
    if (right >= taken * AUTOMATIC_PRECISION) automaticMin = chance
  }
  return { automaticMin, reviewMin: Math.min(reviewMin, automaticMin) }
}

function zoneIn({ automaticMin, reviewMin }: Thresholds, { chance, isMutual }: Judged): Zone {
  if (chance < reviewMin) return 'none'
  return chance >= automaticMin && isMutual ? 'automatic' : 'review'
}

// Figures -------------------------------------------------------------------------------------------------------------

type LabelFigures = Awaited<ReturnType<typeof figuresOf>> &
  Readonly<{ split: LabelSplit; records: number; seconds: number }>

function figuresOf(judged: readonly (Judged & { zone: Zone })[], missed: number) {
  const automatic = judged.filter(({ zone }) => zone === 'automatic')
  const review = judged.filter(({ zone }) => zone === 'review')
  const matches = judged.filter(({ isMatch }) => isMatch).length
  const countMatches = (pairs: readonly Judged[]) => pairs.filter(({ isMatch }) => isMatch).length
  return {
    pairs: judged.length,
    matches: matches + missed,
    missedByGates: missed,
    precision: percent(countMatches(automatic), automatic.length),
    recall: percent(countMatches(automatic), matches + missed),
    reviewShare: percent(review.length, judged.length),
    recallWithReview: percent(countMatches(automatic) + countMatches(review), matches + missed),
    mergesAcrossDimensions: automatic.filter(({ skuA, skuB }) => isAcrossDimensions(skuA, skuB)).length,
  }
}

/** By the units alone, whatever the gates make of them. */
function isAcrossDimensions(a: Labelled, b: Labelled): boolean {
  const [one, other] = [a, b].map((sku) => soldUnit(sku).dimension).filter((dimension) => dimension !== null)
  return (
    one !== undefined && other !== undefined && one !== other && ![one, other].some((each) => each.startsWith('count'))
  )
}

function labelTable({ records, seconds, ...figures }: LabelFigures): string {
  const rows = Object.entries(figures).map(([figure, value]) => ({ figure, value }))
  return `${table(rows)}\n\n${records} records, ${seconds} s`
}
