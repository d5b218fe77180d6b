import { randomOf, shuffled } from '@catalog/core/random.ts'
import { type AnchorCosines, cosineMin, type Gate, isUnknown } from '@catalog/embed/builtin/gate.ts'
import { type Concept, LANGUAGES } from '@catalog/research/embedder/corpus/concepts.ts'
import { isEvaluated } from '@catalog/research/embedder/corpus/split.ts'
import { foreignTopicOf } from '@catalog/research/embedder/corpus/topics.ts'
import { openCosines } from '@catalog/research/embedder/evaluation/scorers.ts'
import { fixedVectors } from './anchors.ts'

type Embed = (text: string) => Float32Array | null

/** A gate, and the share of each calibration set that passes it. */
export type Calibrated = Readonly<{
  gate: Gate
  kept: Readonly<Record<'cpv' | 'cwicr' | 'foreign' | 'gibberish', number>>
}>

/**
 * Sets the gate of a model. It keeps KEPT_SHARE of the held-out building queries (`dev`), with equal weight for the two
 * sources, and refuses most queries of foreign topics. The index holds English names. A topic's queries run without
 * that topic's own anchors, because real queries are about topics outside every list.
 */
export function calibrate({
  concepts,
  training,
  dev,
  model: { embedText, knowsWord, dims },
}: {
  concepts: readonly Concept[]
  training: readonly Concept[]
  dev: ReadonlySet<string>
  model: { embedText: Embed; knowsWord: (word: string) => boolean; dims: number }
}): Calibrated {
  const index = concepts.filter(isEvaluated)
  const nearestDocument = openCosines(
    index.map(({ strings }) => embedText(strings.en?.[0] as string)),
    dims,
  )
  const { building, foreign } = fixedVectors(training, embedText, dims)
  const nearestBuilding = openCosines(building, dims)
  const nearestForeign = openCosines(
    foreign.map(({ vector }) => vector),
    dims,
  )
  const asked = (texts: readonly string[], topic: string | null): CalibrationQuery[] => {
    const vectors = texts.map(embedText)
    const isOther = (_: number, i: number) => topic === null || foreign[i]?.topic !== topic
    const documents = Array.from(nearestDocument(vectors), largest)
    const buildings = Array.from(nearestBuilding(vectors), largest)
    const others = Array.from(nearestForeign(vectors), (cosines) => largest(cosines.filter(isOther)))
    return texts.map((text, i) => ({
      cosine: documents[i] as number,
      building: buildings[i] as number,
      foreign: others[i] as number,
      isUnknown: isUnknown(text, knowsWord),
    }))
  }
  const devOf = (name: string) =>
    asked(
      index
        .filter(({ id, source }) => source === name && dev.has(id))
        .flatMap(({ strings }) =>
          LANGUAGES.filter((language) => language !== 'en').flatMap((language) => strings[language]?.[0] ?? []),
        ),
      null,
    )
  const sets = {
    cpv: devOf('cpv'),
    cwicr: devOf('cwicr'),
    foreign: foreignQueries(training).flatMap(([topic, texts]) => asked(texts, topic)),
    gibberish: asked(gibberish(), null),
  }
  const gate = gateFor(sets)
  const keptOf = (queries: readonly CalibrationQuery[]) => share(queries, (query) => passes(gate, query))
  return {
    gate,
    kept: {
      cpv: keptOf(sets.cpv),
      cwicr: keptOf(sets.cwicr),
      foreign: keptOf(sets.foreign),
      gibberish: keptOf(sets.gibberish),
    },
  }
}

/** A query with its largest cosine to a document. */
type CalibrationQuery = AnchorCosines & Readonly<{ cosine: number }>

/** Share of building queries that must pass, with equal weight for each source. */
const KEPT_SHARE = 0.975
/** Share of random letter runs that may pass; a lower share refuses as many queries of unseen brands. */
const GIBBERISH_SHARE_MAX = 0.05
/**
 * Slopes within this share of passing foreign queries above the best count as equal, and the steepest wins. The cosine
 * to the nearest document also depends on how full an index is, and this one is fuller than most.
 */
const EQUAL_WITHIN = 0.02

function gateFor(sets: Readonly<Record<'cpv' | 'cwicr' | 'foreign' | 'gibberish', readonly CalibrationQuery[]>>): Gate {
  const isTooLow = (unknown: number) => share(sets.gibberish, (query) => query.cosine >= unknown) > GIBBERISH_SHARE_MAX
  const unknown = Math.round(lastHundredthWhere(isTooLow) * 100 + 1) / 100
  // For each slope the kept share determines the base.
  const gates = Array.from({ length: 21 }, (_, i) => i / 20).map((slope): Gate => {
    const isKept = (base: number) => {
      const keptOf = (queries: readonly CalibrationQuery[]) =>
        share(queries, (query) => passes({ base, slope, unknown }, query))
      return (keptOf(sets.cpv) + keptOf(sets.cwicr)) / 2 >= KEPT_SHARE
    }
    return { base: lastHundredthWhere(isKept), slope, unknown }
  })
  const passed = (gate: Gate) => share(sets.foreign, (query) => passes(gate, query))
  const fewest = Math.min(...gates.map(passed))
  return gates.findLast((gate) => passed(gate) <= fewest + EQUAL_WITHIN) as Gate
}

/** The largest hundredth of 0 to 1 up to which the condition holds; 0 when it never holds. */
function lastHundredthWhere(holds: (value: number) => boolean): number {
  let last = 0
  for (let i = 0; i <= 100 && holds(i / 100); i++) last = i
  return last / 100
}

function passes(gate: Gate, query: CalibrationQuery): boolean {
  return query.cosine >= cosineMin(gate, query)
}

function share<T>(items: readonly T[], holds: (item: T) => boolean): number {
  return items.filter(holds).length / Math.max(1, items.length)
}

const largest = (cosines: Float32Array) => cosines.reduce((most, cosine) => Math.max(most, cosine), 0)

const QUERY_SEED = 9
const TOPIC_QUERIES_MAX = 60
const GIBBERISH_QUERIES = 500

/** Strings of concepts of each foreign topic, in any language. */
function foreignQueries(concepts: readonly Concept[]): [string, string[]][] {
  const random = randomOf(QUERY_SEED)
  const byTopic = Map.groupBy(concepts, foreignTopicOf)
  return Array.from(byTopic).flatMap(([topic, members]) => {
    if (topic === null) return []
    const texts = shuffled(members, random)
      .slice(0, TOPIC_QUERIES_MAX)
      .map(({ strings }) => {
        const all = Object.values(strings).flat()
        return all[Math.floor(random() * all.length)] as string
      })
    return [[topic, texts]]
  })
}

/** Runs of 4 to 11 random letters. */
function gibberish(): string[] {
  const random = randomOf(QUERY_SEED)
  const letter = () => 'abcdefghijklmnopqrstuvwxyz'[Math.floor(random() * 26)] as string
  return Array.from({ length: GIBBERISH_QUERIES }, () =>
    Array.from({ length: 4 + Math.floor(random() * 8) }, letter).join(''),
  )
}
