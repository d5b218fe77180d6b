import { readFile } from 'node:fs/promises'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import type { Embedder } from '@catalog/embed/embed.ts'
import { corpusFolder, readCorpus } from '@catalog/research/embedder/corpus/corpus.ts'
import { lexicon } from '@catalog/research/embedder/corpus/lexicon.ts'
import { evaluateSearch, reportText } from '@catalog/research/embedder/evaluation/report.ts'
import { indexTexts, placeOf } from '@catalog/research/embedder/evaluation/search-index.ts'
import { rowsOf } from '@catalog/research/files/tab-separated.ts'

export type EvaluateFlags = Readonly<{
  index?: string
  queries?: string
  inputs?: string
  part: string
  pairs?: boolean
  /** The folder of the embedder's weights; absent for the shipped ones. */
  model?: string
}>

/** Measures search on two given files, or on the held-out part of the real inputs behind the built-in embedder. */
export async function evaluateSearching(terminal: Terminal, embedder: Embedder, flags: EvaluateFlags): Promise<void> {
  const { index, queries } = flags
  if (index !== undefined && queries !== undefined) return evaluateFiles(terminal, embedder, { index, queries })
  if (index !== undefined || queries !== undefined) {
    throw new Error('--index and --queries belong together: the texts to find, and what is asked')
  }
  return evaluateHeldOut(terminal, embedder, flags)
}

/** Shares of queries with a relevant text first and among the first ten; and two means over the queries. */
export type Ranking = Readonly<{ queries: number; r1: number; r10: number; ndcg10: number; mrr10: number }>

async function evaluateFiles(
  terminal: Terminal,
  embedder: Embedder,
  files: { index: string; queries: string },
): Promise<void> {
  const texts = parseIndex(await readFile(files.index, 'utf8'), files.index)
  const ids = new Set(texts.map(({ id }) => id))
  const asked = parseQueries(await readFile(files.queries, 'utf8'), files.queries)
  for (const { place, id } of unknownIds(asked, ids).slice(0, 1)) {
    terminal.note(`${place}: '${id}' is no id of ${files.index}; ids like that count as relevant and are never found`)
  }
  const indexing = terminal.progress('indexing')
  const searching = await indexTexts(
    texts.map(({ text }) => text),
    embedder,
    (done) => indexing.to(done, texts.length),
  )
  indexing.done()
  const searched = terminal.progress('searching')
  const ranks: Ranks[] = []
  let refused = 0
  for (const { query, relevant } of asked) {
    const found = await searching.ranked(query, RESULTS)
    const results = found.map(({ itemId, score }) => ({ score, id: (texts[placeOf(itemId)] as Line).id }))
    const { mode } = await searching.answer(query, 1)
    ranks.push({ relevant: relevant.length, places: placesOf(results, new Set(relevant)) })
    if (mode === 'vector_no_match') refused++
    searched.to(ranks.length, asked.length)
  }
  searched.done()
  const ranking = rankingOf(ranks)
  terminal.answer(ranking, () =>
    [
      table([{ model: embedder.model, texts: texts.length, ...ranking }].map(rounded)),
      `to ${refused} of the queries the API answers 'vector_no_match', nothing near enough; they are ranked all the same`,
    ].join('\n\n'),
  )
}

/** Results per query: more than the ten that count, so that ties at the tenth place stay together. */
const RESULTS = 50
/** Number of places that count. */
const PLACES = 10

/** The number of relevant texts of a query, and the places of the found ones, from 0. */
type Ranks = Readonly<{ relevant: number; places: readonly number[] }>

/** The places of the relevant ids among results, best first. Results of one score share the mean of their places. */
export function placesOf(
  results: readonly { readonly id: string; readonly score: number }[],
  relevant: ReadonlySet<string>,
): number[] {
  // An id with several texts counts at its best place.
  const found = [...new Map(results.toReversed().map((result) => [result.id, result])).values()]
  return found.flatMap(({ id, score }) => {
    if (!relevant.has(id)) return []
    const above = found.filter((other) => other.score > score).length
    const equal = found.filter((other) => other.score === score && !relevant.has(other.id)).length
    return [above + equal / 2]
  })
}

/** Each figure is 0 without queries. A relevant text gains 1, discounted by the logarithm of its place. */
export function rankingOf(ranks: readonly Ranks[]): Ranking {
  const mean = (value: (ranks: Ranks) => number) =>
    Math.round((ranks.reduce((sum, each) => sum + value(each), 0) / Math.max(1, ranks.length)) * 10_000) / 10_000
  const first = ({ places }: Ranks) => Math.min(Number.POSITIVE_INFINITY, ...places)
  const sum = (places: readonly number[]) =>
    places.reduce((total, place) => total + (place < PLACES ? 1 / Math.log2(place + 2) : 0), 0)
  const best = ({ relevant }: Ranks) => sum(Array.from({ length: relevant }, (_, place) => place))
  return {
    queries: ranks.length,
    r1: mean((each) => (first(each) < 0.5 ? 1 : 0)),
    r10: mean((each) => (first(each) < PLACES ? 1 : 0)),
    ndcg10: mean((each) => Math.min(1, sum(each.places) / best(each))),
    mrr10: mean((each) => (first(each) < PLACES ? 1 / (first(each) + 1) : 0)),
  }
}

function rounded(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, typeof value === 'number' && value < 1 ? value.toFixed(4) : value]),
  )
}

type Line = Readonly<{ id: string; text: string }>
type JudgedQuery = Readonly<{ query: string; relevant: readonly string[]; place: string }>

/**
 * Parses lines of `id<TAB>text`. An id may have several texts, and any of them finds it. Throws for the first bad line,
 * with its number.
 */
export function parseIndex(content: string, file: string): Line[] {
  const texts = lines(content, file, ['id', 'text']).map(({ first, second }) => ({
    id: first,
    text: second,
  }))
  if (texts.length === 0) throw new Error(`${file}: expected lines of an id, a tab and a text, found none`)
  return texts
}

/** Parses lines of `query<TAB>relevant_id[,relevant_id ...]`. Throws for the first bad line, with line and column. */
export function parseQueries(content: string, file: string): JudgedQuery[] {
  const expected = 'ids of its texts with commas between'
  const asked = lines(content, file, ['query', expected]).map(({ first: query, second, place }) => {
    const relevant = second.split(',').map((id) => id.trim())
    const empty = relevant.indexOf('')
    if (empty >= 0) throw new Error(`${place}, column 2, id ${empty + 1}: empty: expected ${expected}`)
    return { query, relevant: [...new Set(relevant)], place: `${place}, column 2` }
  })
  if (asked.length === 0) throw new Error(`${file}: expected lines of a query, a tab and ${expected}, found none`)
  return asked
}

function unknownIds(asked: readonly JudgedQuery[], ids: ReadonlySet<string>): { place: string; id: string }[] {
  return asked.flatMap(({ relevant, place }) => relevant.flatMap((id) => (ids.has(id) ? [] : [{ place, id }])))
}

/** Rows of two columns. Throws for an empty cell. */
function lines(content: string, file: string, columns: readonly [string, string]) {
  return rowsOf(content, { file, columns }).map(({ cells, place }) => {
    const [first = '', second = ''] = cells.map((cell) => cell.trim())
    const empty = [first, second].indexOf('')
    if (empty >= 0) throw new Error(`${place}, column ${empty + 1}: empty: expected ${columns[empty]}`)
    return { first, second, place }
  })
}

async function evaluateHeldOut(
  terminal: Terminal,
  embedder: Embedder,
  { inputs, part, pairs = false, model }: EvaluateFlags,
): Promise<void> {
  if (part !== 'test' && part !== 'dev') throw new Error(`--part '${part}': expected test or dev`)
  terminal.note('reading the real inputs')
  const corpus = readCorpus(corpusFolder(inputs), lexicon())
  let label = ''
  let progress = terminal.progress('')
  const report = await evaluateSearch({
    corpus,
    embedder,
    part,
    onStep(step) {
      if (step.label !== label) {
        progress.done()
        progress = terminal.progress(step.label)
        label = step.label
      }
      progress.to(step.done, step.all)
    },
  })
  progress.done()
  if (embedder.model === BUILTIN && model === undefined) terminal.note(LEAKS)
  terminal.answer(report, () => reportText(report, { pairs }))
}

const BUILTIN = 'builtin'
const LEAKS =
  'The committed weights have also learned from concepts that share a string with a held-out one, so these figures flatter ' +
  'them by a little; those of weights that have not stand in libs/embed/model/README.md.'
