import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import { scoreTrees, type TreeModel } from '@catalog/core/matching/gradient-boosting.ts'
import { trainTrees } from '@catalog/research/matching/train-trees.ts'
import { dcg, type JudgedSigns } from './evaluate-questions.ts'
import { heldOutNames } from './held-out-names.ts'

/** People look at three results. */
const SHOWN = 3
/** Few results are judged: shallow trees with full leaves. */
const TREES = {
  seeds: [1, 2, 3],
  iterations: 150,
  learningRate: 0.06,
  leavesMax: 8,
  rowsInLeafMin: 20,
  featureShare: 0.4,
}
/** Results that teach of a question that has no right one: any is as wrong. */
const TAUGHT_OF_NONE = 3
const PARTS = 5
/** A smaller difference is chance: nobody is sent away empty for it. */
const EQUAL_POINTS = 0.01
const FLOORS = Array.from({ length: 19 }, (_, i) => (i + 1) / 20)

type Results = JudgedSigns['results']
type Floored = Readonly<{
  floor: number
  points: number
  ndcg3: number
  refusedRightly: number
  refusedWrongly: number
}>
type Learned = Readonly<{ model: TreeModel & { floor: number }; curve: readonly Floored[] }>

const MODEL = fileURLToPath(new URL('../../../libs/search/ranking/refusal.json', import.meta.url))

/**
 * `npm run evaluate -- refusal FILE ...`: learns the model of libs/search/ranking/refusal.ts from held-out names and from
 * answers of `-- questions --json`, one file a set and catalog. Writes it, and prints what each floor would have refused.
 */
export async function trainRefusal(
  terminal: Terminal,
  files: readonly string[],
  { inputs }: { inputs?: string },
): Promise<void> {
  const answers = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Answers)
  const bySet = Map.groupBy(answers, ({ set }) => set)
  const { model, curve } = learnRefusal([
    ...[...bySet.values()].map((of) => of.flatMap(({ considered }) => considered)),
    await heldOutNames(inputs),
  ])
  writeFileSync(MODEL, `${JSON.stringify(model)}\n`)
  terminal.answer({ floor: model.floor, curve }, () =>
    table(curve.map((point) => ({ ...point, isChosen: point.floor === model.floor }))),
  )
}

/**
 * Learns from judged results how likely a result is the thing that is asked, and chooses the floor below which a question is
 * refused. A floor has points: nDCG@3 of what is stocked, 1 for each question rightly refused, each set counted alike. The lowest
 * of the floors with most points is taken. No model judges a question that it learned from. Pure and seeded.
 */
export function learnRefusal(sets: readonly (readonly JudgedSigns[])[]): Learned {
  const asked = sets.flat()
  const models = Array.from({ length: PARTS }, (_, part) => modelOf(asked.filter((_, i) => i % PARTS !== part)))
  const judged = new Map(asked.map((each, i) => [each, ordered(models[i % PARTS] as TreeModel, each.results)]))
  const curve = FLOORS.map((floor): Floored => {
    const points = (of: readonly JudgedSigns[]) =>
      of.map((each) => pointsOf(each, judged.get(each) as Ordered, floor)).reduce((sum, one) => sum + one, 0) /
      of.length
    const [stocked, others] = [asked.filter(({ isStocked }) => isStocked), asked.filter(({ isStocked }) => !isStocked)]
    const refused = (of: readonly JudgedSigns[]) =>
      of.filter((each) => (judged.get(each) as Ordered).chance < floor).length / Math.max(1, of.length)
    return {
      floor,
      points: sets.map(points).reduce((sum, one) => sum + one, 0) / sets.length,
      ndcg3: points(stocked),
      refusedRightly: refused(others),
      refusedWrongly: refused(stocked),
    }
  })
  const most = Math.max(...curve.map(({ points }) => points))
  const lowest = curve.find(({ points }) => points >= most - EQUAL_POINTS) as Floored
  return { model: { ...modelOf(asked), floor: lowest.floor }, curve }
}

type Answers = Readonly<{ set: string; considered: readonly JudgedSigns[] }>
type Ordered = Readonly<{ chance: number; gains: readonly number[] }>

function ordered(model: TreeModel, results: Results): Ordered {
  const likely = results
    .map(({ signs, gain }) => ({ chance: scoreTrees(model, signs), gain }))
    .sort((a, b) => b.chance - a.chance)
  return { chance: likely[0]?.chance ?? 0, gains: likely.slice(0, SHOWN).map(({ gain }) => gain) }
}

function pointsOf({ isStocked, results }: JudgedSigns, { chance, gains }: Ordered, floor: number): number {
  if (chance < floor) return isStocked ? 0 : 1
  const best = results.map(({ gain }) => gain).sort((a, b) => b - a)
  return isStocked && (best[0] ?? 0) > 0 ? dcg(gains) / dcg(best.slice(0, SHOWN)) : 0
}

function modelOf(asked: readonly JudgedSigns[]): TreeModel {
  const rows = asked.flatMap(({ isStocked, results }) => (isStocked ? results : results.slice(0, TAUGHT_OF_NONE)))
  return trainTrees(
    rows.map(({ signs }) => signs),
    rows.map(({ gain }) => Number(gain > 0)),
    TREES,
  )
}
