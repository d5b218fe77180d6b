import {
  type PairText,
  type Put,
  putCodes,
  putWords,
  type Rarity,
  readPairText,
  shareInside,
  trigramCosine,
} from '@catalog/core/matching/pair-measures.ts'
import { putNumbers, putOrder, unexplainedIn } from '@catalog/core/matching/variant-measures.ts'
import { learnNeighbours, type PutFeature } from './neighbours.ts'
import { rarityOf } from './rarity.ts'

/** A record of any columns, each with its text; empty for an unknown value. */
export type PairRecord = ReadonlyMap<string, string>
export type Pair = Readonly<{ left: PairRecord; right: PairRecord }>

/** The features of pairs, learned from known pairs. */
export type PairFeatures = Readonly<{
  names: readonly string[]
  /** The features of the known pair at this index. Texts of its fold alone count as unknown, as for a new pair. */
  ofKnown: (at: number) => Float64Array
  /** The features of any pair; columns that no known pair has do not count. */
  of: (pair: Pair) => Float64Array
}>

/**
 * Learns the rarity of words, the texts and the columns from `known` pairs, without labels. Two records may have
 * different columns. Measures compare their titles, then all their columns together, then each shared column. The title
 * is the column of that name, else the first. Prices take no part: they would choose the votes of their own median.
 */
export function learnPairFeatures(known: readonly Pair[]): PairFeatures {
  if (known.length === 0) throw new Error('pairs: none; expected at least one to learn from')
  const read = reader()
  const left = columnsOf(known.map((pair) => pair.left))
  const right = columnsOf(known.map((pair) => pair.right))
  const shared = left.others.filter((column) => right.others.includes(column))
  const titlesOf = ({ left: a, right: b }: Pair) =>
    [read(a.get(left.title) ?? ''), read(b.get(right.title) ?? '')] as const
  const wholesOf = ({ left: a, right: b }: Pair) => [read(wholeOf(a, left)), read(wholeOf(b, right))] as const

  const titles = known.map(titlesOf)
  const rarity = {
    title: rarityOf(new Set(titles.flat())),
    whole: rarityOf(new Set(known.flatMap(wholesOf))),
  }
  const neighbours = learnNeighbours(
    titles.map(([text], at) => ({ text, fold: foldOf(at) })),
    titles.map(([, text], at) => ({ text, fold: foldOf(at) })),
  )

  function measure(put: PutFeature, pair: Pair, fold: number | null): void {
    const [a, b] = titlesOf(pair)
    const [wholeA, wholeB] = wholesOf(pair)
    putWords(measures(under('title words', put)), a, b, rarity.title)
    putWords(measures(under('all words', put)), wholeA, wholeB, rarity.whole)
    putCodes(measures(under('title codes', put)), a, b)
    putCodes(measures(under('all codes', put)), wholeA, wholeB)
    putNumbers(measures(under('title numbers', put)), a, b)
    putNumbers(measures(under('all numbers', put)), wholeA, wholeB)
    putOrder(measures(under('title order', put)), a, b, rarity.title)
    putUnexplained(under('title unexplained', put), a, b, rarity.title)
    put('title length a', a.words.length)
    put('title length b', b.words.length)
    put('title a in all b', shareInside(a, wholeB, rarity.whole))
    put('title b in all a', shareInside(b, wholeA, rarity.whole))
    putColumns(put, pair, { a, b, read, rarity: rarity.whole, left, right, shared })
    neighbours.put(under('neighbours', put), { a, b, fold })
  }

  const names: string[] = []
  measure((name) => names.push(name), known[0] as Pair, null)
  const rowOf = (pair: Pair, fold: number | null) => {
    const row = new Float64Array(names.length)
    let at = 0
    measure(
      (_name, value) => {
        row[at++] = value
      },
      pair,
      fold,
    )
    return row
  }
  return {
    names,
    ofKnown: (at) => rowOf(known[at] as Pair, foldOf(at)),
    of: (pair) => rowOf(pair, null),
  }
}

/** Measures each shared column by itself, and each other column against the title of the other side. */
function putColumns(
  put: PutFeature,
  pair: Pair,
  {
    a,
    b,
    read,
    rarity,
    left,
    right,
    shared,
  }: Readonly<{
    a: PairText
    b: PairText
    read: (text: string) => PairText
    rarity: Rarity
    left: Columns
    right: Columns
    shared: readonly string[]
  }>,
): void {
  for (const column of shared) {
    const [one, other] = [read(pair.left.get(column) ?? ''), read(pair.right.get(column) ?? '')]
    const isMissing = one.words.length === 0 || other.words.length === 0
    put(`${column} equal`, isMissing ? Number.NaN : Number(one.words.join(' ') === other.words.join(' ')))
    put(`${column} trigrams`, trigramCosine(one, other))
  }
  // A maker that one side names in a column often stands in the title of the other.
  for (const column of left.others) {
    put(`${column} of a in title b`, shareInside(read(pair.left.get(column) ?? ''), b, rarity))
  }
  for (const column of right.others) {
    put(`${column} of b in title a`, shareInside(read(pair.right.get(column) ?? ''), a, rarity))
  }
}

/** A training pair sees the records of the other folds, as a new pair sees the training records: most, not all. */
const FOLDS = 4
function foldOf(at: number): number {
  return (Math.imul(at, 0x9e3779b1) >>> 8) % FOLDS
}

type Columns = Readonly<{ title: string; others: readonly string[] }>

function columnsOf(records: readonly PairRecord[]): Columns {
  const columns = [...new Set(records.flatMap((record) => [...record.keys()]))].filter((column) => !PRICE.test(column))
  const title = columns.find((column) => TITLE.test(column)) ?? columns[0]
  if (title === undefined) throw new Error('records: no column beside the price; expected at least a title')
  return { title, others: columns.filter((column) => column !== title) }
}
const TITLE = /^(?:title|name|product|product[ _-]?(?:name|title)|label)$/i
const PRICE = /price|precio|preis|prix|prezzo|pre[cç]o/i

function wholeOf(record: PairRecord, { title, others }: Columns): string {
  return [title, ...others].map((column) => record.get(column) ?? '').join(' ')
}

function under(family: string, put: PutFeature): PutFeature {
  return (name, value) => put(`${family}: ${name}`, value)
}

/** The measures as features of a pair whose sides are known: a is of the left list, b of the right one. */
export const measures = (put: PutFeature): Put => ({
  one: put,
  sides: (name, a, b) => {
    put(`${name} a`, a)
    put(`${name} b`, b)
  },
  ordered: put,
})

function putUnexplained(put: PutFeature, a: PairText, b: PairText, rarity: Rarity): void {
  for (const [side, text, other] of [
    ['a', a, b],
    ['b', b, a],
  ] as const) {
    const { count, rarest, share, rarestWord, numbers } = unexplainedIn(text, other, rarity)
    put(`count ${side}`, count)
    put(`rarest ${side}`, rarest)
    put(`share ${side}`, share)
    put(`rarest word ${side}`, rarestWord)
    put(`numbers ${side}`, numbers)
  }
}

/** Reads each text once, because a record stands in several pairs. */
function reader(): (text: string) => PairText {
  const known = new Map<string, PairText>()
  return (text) => {
    const kept = known.get(text)
    if (kept) return kept
    const made = readPairText(text)
    known.set(text, made)
    return made
  }
}
