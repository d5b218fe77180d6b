import { readFile } from 'node:fs/promises'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import { scoreTrees } from '@catalog/core/matching/gradient-boosting.ts'
import { corpusFolder } from '@catalog/research/embedder/corpus/corpus.ts'
import { type Row, rowsOf } from '@catalog/research/files/tab-separated.ts'
import { evaluateLabels, type LabelSplit } from './evaluate-labels.ts'
import { learnPairFeatures, type Pair, type PairRecord } from './pair-features.ts'
import { percent } from './percent.ts'
import { trainTrees } from './train-trees.ts'

/** `npm run evaluate -- match`: measures the pair scorer, on our own labels or on given files of pairs. */
export type MatchFlags = Readonly<{
  train?: string
  valid?: string
  test?: string
  out?: string
  split?: LabelSplit
  inputs?: string
}>

export async function evaluateMatch(
  terminal: Terminal,
  { train, valid, test, out, split, inputs: asked }: MatchFlags,
): Promise<void> {
  if (train !== undefined && valid !== undefined && test !== undefined && out === undefined) {
    return evaluatePairFiles(terminal, { train, valid, test })
  }
  const given = Object.entries({ train, valid, test }).flatMap(([name, file]) =>
    file === undefined ? [] : [`--${name}`],
  )
  if (given.length > 0) {
    const found = `${given.join(' ')}${out === undefined ? '' : ' --out'}`
    throw new Error(`${found}: expected --train, --valid and --test together, or none of them and at most --out`)
  }
  const inputs = corpusFolder(asked)
  return evaluateLabels(terminal, { split: split ?? 'product', inputs, ...(out !== undefined && { out }) })
}

type PairFiles = Readonly<{ train: string; valid: string; test: string }>

/** Shares in percent; `threshold` is a score in (0, 1), `seconds` the time from reading to the figures. */
export type MatchFigures = Readonly<{
  precision: number
  recall: number
  f1: number
  threshold: number
  seconds: number
}>

/** Learns from the first file, chooses the threshold on the second, and judges on the third, which it reads last. */
async function evaluatePairFiles(terminal: Terminal, files: PairFiles): Promise<void> {
  const begun = performance.now()
  const [train, valid, test] = await Promise.all([files.train, files.valid, files.test].map(readPairs))
  if (!train || !valid || !test) throw new Error('expected three files')
  needBothLabels(train, files.train)
  needBothLabels(valid, files.valid)
  terminal.note(`learning from ${train.length} pairs, ${matchesOf(train)} of them matches`)

  const features = learnPairFeatures(train)
  const model = trainTrees(
    train.map((_, at) => features.ofKnown(at)),
    train.map(({ isMatch }) => Number(isMatch)),
    { onTree: ({ grown, of }) => noteTenths(terminal, { grown, of }) },
  )
  const score = (pair: Pair) => scoreTrees(model, features.of(pair))
  const threshold = chooseThreshold(valid.map((pair) => ({ score: score(pair), isMatch: pair.isMatch })))
  const judged = test.map((pair) => ({ score: score(pair), isMatch: pair.isMatch }))

  const seconds = (performance.now() - begun) / 1000
  const figures: MatchFigures = { ...figuresAt(judged, threshold), threshold, seconds: Math.round(seconds * 10) / 10 }
  terminal.answer(figures, () => matchTable(judged, figures))
}

function noteTenths(terminal: Terminal, { grown, of }: { grown: number; of: number }): void {
  if (grown % Math.ceil(of / 10) === 0 || grown === of) terminal.note(`grown ${grown} of ${of} trees`)
}

// Files ---------------------------------------------------------------------------------------------------------------

export type LabelledPair = Pair & Readonly<{ isMatch: boolean }>

/** A hundred times the public sets; memory holds every record. */
const PAIRS_MAX = 1_000_000

/** Reads one pair a line and skips blank lines. Throws with file, line and the expected form. */
export async function readPairs(path: string): Promise<LabelledPair[]> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Error(`${path}: cannot be read; expected a file of pairs`, { cause })
  })
  const pairs = rowsOf(text, {
    file: path,
    columns: ['COL name VAL value ...', 'COL name VAL value ...', '0 or 1'],
  }).map(readPair)
  if (pairs.length > PAIRS_MAX) throw new Error(`${path}: more than ${PAIRS_MAX} pairs; expected fewer`)
  if (pairs.length === 0) throw new Error(`${path}: no pairs; expected at least one line`)
  return pairs
}

function readPair({ cells, place }: Row): LabelledPair {
  const [left, right, label] = cells.map((cell) => cell.trim()) as [string, string, string]
  if (label !== '0' && label !== '1') throw new Error(`${place}: label '${label}'; expected 0 or 1`)
  return { left: readRecord(left, place), right: readRecord(right, place), isMatch: label === '1' }
}

function readRecord(text: string, place: string): PairRecord {
  const heads = [...text.matchAll(COLUMN)]
  if (heads[0]?.index !== 0) {
    throw new Error(`${place}: record '${text.slice(0, SHOWN_MAX)}'; expected it to begin with 'COL name VAL'`)
  }
  return new Map(
    heads.map((head, at) => [head[1] as string, text.slice(head.index + head[0].length, heads[at + 1]?.index).trim()]),
  )
}
// A value may contain the word COL, and a name may contain blanks.
const COLUMN = /(?<=^|\s)COL ((?:(?! COL ).){1,60}?) VAL(?=\s|$)/g
const SHOWN_MAX = 60

function needBothLabels(pairs: readonly LabelledPair[], path: string): void {
  const matches = matchesOf(pairs)
  if (matches > 0 && matches < pairs.length) return
  throw new Error(`${path}: ${matches} of ${pairs.length} pairs have label 1; expected some of each label`)
}

function matchesOf(pairs: readonly LabelledPair[]): number {
  return pairs.filter(({ isMatch }) => isMatch).length
}

// Figures -------------------------------------------------------------------------------------------------------------

export type Judged = Readonly<{ score: number; isMatch: boolean }>

/**
 * The score above which F1 is best. With few hundred pairs the best point of the curve is often luck, so each step
 * takes the mean of its neighbours.
 */
export function chooseThreshold(judged: readonly Judged[]): number {
  const sorted = judged.toSorted((a, b) => b.score - a.score)
  const matches = sorted.filter(({ isMatch }) => isMatch).length
  let found = 0
  const steps = sorted.flatMap(({ score, isMatch }, at) => {
    found += Number(isMatch)
    const next = sorted[at + 1]?.score ?? 0
    // Equal scores pass together or not at all.
    return next === score ? [] : [{ threshold: (score + next) / 2, f1: (2 * found) / (at + 1 + matches) }]
  })
  const around = Math.round(matches * AROUND_SHARE)
  let best = { threshold: 0.5, f1: -1 }
  for (const [at, { threshold }] of steps.entries()) {
    const near = steps.slice(Math.max(0, at - around), at + around + 1)
    const f1 = near.reduce((sum, step) => sum + step.f1, 0) / near.length
    if (f1 > best.f1) best = { threshold, f1 }
  }
  return best.threshold
}
/** Steps to either side in that mean, as a share of the matches. */
const AROUND_SHARE = 0.05

/** In percent with two decimals; 0 where no score reaches the threshold. */
export function figuresAt(judged: readonly Judged[], threshold: number) {
  const taken = judged.filter(({ score }) => score >= threshold)
  const right = taken.filter(({ isMatch }) => isMatch).length
  const matches = judged.filter(({ isMatch }) => isMatch).length
  return {
    precision: percent(right, taken.length),
    recall: percent(right, matches),
    f1: percent(2 * right, taken.length + matches),
  }
}

function matchTable(judged: readonly Judged[], { threshold, seconds }: MatchFigures): string {
  const thresholds = [...TABLE_THRESHOLDS, threshold].sort((a, b) => a - b)
  const rows = thresholds.map((at) => ({
    threshold: at.toFixed(3),
    ...figuresAt(judged, at),
    chosen: at === threshold ? 'on the valid file' : '',
  }))
  return `${table(rows)}\n\n${judged.length} pairs, ${seconds} s`
}
const TABLE_THRESHOLDS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
