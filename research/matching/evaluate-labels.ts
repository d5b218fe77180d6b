import { writeFile } from 'node:fs/promises'
import { openMeanings, skuBlocks } from '@catalog/aggregator/matching/join-rule.ts'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import {
  type JudgedPair,
  judgeAmongRivals,
  PAIR_SCORE_MIN,
  type ScoredPair,
} from '@catalog/core/matching/assignment.ts'
import { apartByPairs, decideJoins } from '@catalog/core/matching/joins.ts'
import type { MatchSku } from '@catalog/core/matching/match.ts'
import { canBeOneProduct, type SkuPairModel } from '@catalog/core/matching/sku-pair.ts'
import { soldUnit } from '@catalog/core/units/sold-unit.ts'
import { builtinVector, openBuiltinEmbedder } from '@catalog/embed/builtin/builtin.ts'
import { gateFigures } from './gate-figures.ts'
import { labelledRecords } from './labelled-offers.ts'
import { meetings, passesGates } from './meetings.ts'
import { modelInputs } from './model-inputs.ts'
import { percent } from './percent.ts'
import { type LabelledSkuPair, learnRivalModel, learnScorer } from './train-sku-pair.ts'
import { type KeyedOffer, translatedOffers } from './translated-offers.ts'

/**
 * The unit that two parts never share: families of products (harder: no variant of a judged product is known), or
 * single products.
 */
export type LabelSplit = 'family' | 'product'

/**
 * `npm run evaluate -- match` without files: the pair scorer on our own labelled records, split into parts by `split`. Each
 * part is judged once, by a model of the other parts alone. The first pass learns from their pairs. The second pass
 * learns from first-pass scores by models without these pairs. The thresholds follow from the judgements of both.
 *
 * `inputs` holds a list in five languages, which teaches how languages name one thing. Figures and thresholds come from our own
 * labels alone: one list translated is easier than the words of many vendors.
 */
export async function evaluateLabels(
  terminal: Terminal,
  { out, split, inputs }: { out?: string; split: LabelSplit; inputs: string },
): Promise<void> {
  const begun = performance.now()
  const records = labelledRecords().map(({ product, family, sku }): Labelled => ({ ...sku, product, family }))
  const translated = translatedOffers(inputs).map(asLabelled)
  const all = [...records, ...translated]
  const pairs = candidatesOf(all, split)
  terminal.note(`${records.length} records, ${translated.length} translated, ${pairs.length} pairs that meet`)

  const [partOfOwn, partOfTranslated] = [partsOf(records, split), partsOf(translated, 'product')]
  const partOf = (record: Labelled) => (record.family === TRANSLATED ? partOfTranslated : partOfOwn)(record)
  const scored = scoreAcross(terminal, { pairs, partOf })
  // A pair across two parts is scored and judged with both, so that no rival is missing, but it trains and counts once.
  const isOwn = (part: number) => (pair: Scored) => partOf(pair.skuA) === part
  const own: ScoredWithout = (part, other) => scored(part, other).filter(isOwn(part))
  const judged = PARTS.flatMap((part) => {
    const others = PARTS.filter((other) => other !== part)
    const among = learnRivalModel(others.map((other) => own(other, part)))
    const dev = among.judged.flat().filter(isOfVendors)
    const parted = judgeAmongRivals(among.model, scored(part, others[0] as number))
    terminal.note(`judged part ${part + 1} of ${PARTS.length}`)
    return parted.filter((pair) => isOwn(part)(pair) && isOfVendors(pair)).map((pair) => ({ pair, dev }))
  })
  const zonedAt = (precisionMin: number) => {
    const thresholds = new Map<readonly Judged[], Thresholds>()
    return judged.map(({ pair, dev }) => {
      const chosen = thresholds.get(dev) ?? chooseThresholds(dev, precisionMin)
      thresholds.set(dev, chosen)
      return { ...pair, zone: zoneIn(chosen, pair) }
    })
  }
  const seconds = Math.round((performance.now() - begun) / 100) / 10
  const figures = { split, ...figuresOf(zonedAt(AUTOMATIC_PRECISION), records), records: records.length, seconds }
  const curve = PRECISIONS.map((wanted) => {
    const { pairPrecision, precision, recall, reviewShare } = figuresOf(zonedAt(wanted), records)
    return { 'wanted on dev': wanted, 'pair precision': pairPrecision, precision, recall, 'review share': reviewShare }
  })
  const gates = gateFigures(records)
  if (out !== undefined) {
    const text = `${JSON.stringify(learnModel(pairs, own))}\n`
    await writeFile(out, text)
    terminal.note(`wrote ${out}, ${Math.round(text.length / 1000)} kB`)
  }
  terminal.answer({ ...figures, curve, gates }, () => [labelTable(figures), table(curve), table(gates)].join('\n\n'))
}

const PARTS = [0, 1, 2, 3, 4]

/** The pairs of a part, scored by a model without that part and without another. */
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
        const own = pairs
          .filter((pair) => isOf(pair, which))
          .map((pair) => scoredPair(pair, score(pair)))
          .filter((pair) => pair.score >= PAIR_SCORE_MIN)
        scored.set(`${which} ${without}`, own)
      }
      terminal.note(`learned without parts ${part + 1} and ${other + 1} of ${PARTS.length}`)
    }
  }
  return (part, other) => scored.get(`${part} ${other}`) as readonly Scored[]
}

/** The shipped model: the first pass from all pairs, the second from scores by models that had not seen them. */
function learnModel(pairs: readonly Candidate[], scored: ScoredWithout): SkuPairModel {
  const { features, trees, words } = learnScorer(pairs)
  const among = learnRivalModel(PARTS.map((part) => scored(part, (part + 1) % PARTS.length)))
  return {
    version: 'sku-pair/1',
    vectors: openBuiltinEmbedder().fingerprint,
    inputs: modelInputs(),
    features,
    words,
    ...chooseThresholds(among.judged.flat().filter(isOfVendors)),
    trees,
    among: among.model,
  }
}

// Labels --------------------------------------------------------------------------------------------------------------

type Labelled = MatchSku & Readonly<{ product: string; family: string }>

const TRANSLATED = 'translated'
/** The family of a translated offer is its list: no other label is alike. */
const asLabelled = (sku: KeyedOffer): Labelled => ({
  ...sku,
  sourceId: `${TRANSLATED}-${sku.sourceId}`,
  product: `${TRANSLATED}/${sku.product}`,
  family: TRANSLATED,
})
const isOfVendors = ({ skuA, skuB }: Scored) => ![skuA, skuB].some(({ family }) => family === TRANSLATED)

/** Distributes groups by size, the largest first, each to the part with the fewest records. */
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

/** The pairs that a run would score: of two vendors, with a shared key, and through the gates. */
function candidatesOf(records: readonly Labelled[], split: LabelSplit): Candidate[] {
  const meaningOf = openMeanings(builtinVector)
  return meetings(records, { blocks: skuBlocks, canMeet: canPair }).map(([a, b]) => ({
    a,
    b,
    groups: [a[split], b[split]] as const,
    isMatch: a.product === b.product,
    meaning: meaningOf(a, b),
  }))
}

const canPair = (a: Labelled, b: Labelled) => a.sourceId !== b.sourceId && passesGates(a, b, { canBeOneProduct })

/** Number of pairs of one product at two vendors; and of those that the gates refuse, which no score can find. */
function matchesOf(records: readonly Labelled[]): { matches: number; missedByGates: number } {
  let [matches, missedByGates] = [0, 0]
  for (const group of Map.groupBy(records, ({ product }) => product).values()) {
    for (const [i, a] of group.entries()) {
      for (const b of group.slice(i + 1)) {
        if (a.sourceId === b.sourceId) continue
        matches += 1
        if (!canPair(a, b)) missedByGates += 1
      }
    }
  }
  return { matches, missedByGates }
}

// Zones ---------------------------------------------------------------------------------------------------------------

type Thresholds = Readonly<{ automaticMin: number; reviewMin: number }>
type Scored = ScoredPair & Readonly<{ skuA: Labelled; skuB: Labelled; isMatch: boolean }>
type Judged = JudgedPair<Scored>

function scoredPair({ a, b, isMatch }: Candidate, score: number): Scored {
  const ids = { a: a.vendorSkuId, b: b.vendorSkuId, sourceA: a.sourceId, sourceB: b.sourceId }
  return { ...ids, score, isSameLanguage: a.lang === b.lang, skuA: a, skuB: b, isMatch }
}

/** Precision of single pairs that keeps .98 for items: one wrong pair may join several SKUs. */
const AUTOMATIC_PRECISION = 0.985
/** Share of the matches beyond the gates that the automatic zone and review find together. */
const REVIEW_RECALL = 0.99

/** Precisions of the curve beside the figures. */
const PRECISIONS = [0.98, 0.985, 0.99, 0.995, 0.998]

function chooseThresholds(pairs: readonly Judged[], precisionMin: number = AUTOMATIC_PRECISION): Thresholds {
  const sorted = pairs.toSorted((x, y) => y.chance - x.chance)
  const matches = sorted.filter(({ isMatch }) => isMatch).length
  let [taken, right, found, automaticMin, reviewMin] = [0, 0, 0, 1, 0]
  for (const { chance, isMatch, isMutual } of sorted) {
    found += Number(isMatch)
    if (found <= matches * REVIEW_RECALL) reviewMin = chance
    if (!isMutual) continue
    taken += 1
    right += Number(isMatch)
    if (right >= taken * precisionMin) automaticMin = chance
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

function figuresOf(judged: readonly (Judged & { zone: Zone })[], records: readonly Labelled[]) {
  const { matches, missedByGates } = matchesOf(records)
  const automatic = judged.filter(({ zone }) => zone === 'automatic')
  const review = judged.filter(({ zone }) => zone === 'review')
  const countMatches = (pairs: readonly Pick<Judged, 'isMatch'>[]) => pairs.filter(({ isMatch }) => isMatch).length
  const doubted = new Set(judged.filter(({ zone }) => zone === 'none').map(({ a, b }) => `${a} ${b}`))
  const together = joinedPairs(automatic, { doubted, records })
  return {
    pairs: judged.length,
    matches,
    missedByGates,
    missedByBlocks: matches - missedByGates - countMatches(judged),
    pairPrecision: percent(countMatches(automatic), automatic.length),
    precision: percent(countMatches(together), together.length),
    recall: percent(countMatches(together), matches),
    reviewShare: percent(review.length, judged.length),
    recallWithReview: percent(countMatches(automatic) + countMatches(review), matches),
    mergesAcrossDimensions: together.filter(({ a, b }) => isAcrossDimensions(a, b)).length,
  }
}

/** All pairs within one item after joining the automatic pairs as a run joins them. */
function joinedPairs(
  automatic: readonly Judged[],
  { doubted, records }: { doubted: ReadonlySet<string>; records: readonly Labelled[] },
) {
  const items = records.map((record) => ({
    itemId: record.vendorSkuId,
    founderId: record.vendorSkuId,
    isSettled: false,
    joinedTo: null,
    members: [record],
  }))
  const edges = automatic.map(({ a, b, chance }) => ({ a, b, score: chance }))
  const isDoubted = (a: string, b: string) => doubted.has(a < b ? `${a} ${b}` : `${b} ${a}`)
  const joins = decideJoins(
    items,
    edges,
    apartByPairs<Labelled>((a, b) => !canPair(a, b) || isDoubted(a.vendorSkuId, b.vendorSkuId)),
  )
  const into = new Map(joins.map(({ fromItemId, intoItemId }) => [fromItemId, intoItemId]))
  const groups = Map.groupBy(records, ({ vendorSkuId }) => into.get(vendorSkuId) ?? vendorSkuId)
  return [...groups.values()].flatMap((group) =>
    group.flatMap((a, i) => group.slice(i + 1).map((b) => ({ a, b, isMatch: a.product === b.product }))),
  )
}

/** By the units alone, independent of the gates. */
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
