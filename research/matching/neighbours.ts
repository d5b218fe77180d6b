import type { PairText } from '@catalog/core/matching/pair-measures.ts'
import { keptPer } from '@catalog/core/memo.ts'

/** Takes a feature by its name. */
export type PutFeature = (name: string, value: number) => void

/**
 * The place of a pair among the known texts: nearest of all, or one of many alike. Two texts that differ in one word
 * are probably one product when nothing is nearer, and two products when another text has the word.
 */
export type Neighbours = Readonly<{
  /** `fold` is that of a training pair, which must not see texts of its own fold alone. */
  put: (put: PutFeature, pair: Readonly<{ a: PairText; b: PairText; fold: number | null }>) => void
}>

/** A text on one side of a training pair, and the pair's fold. */
export type KnownText = Readonly<{ text: PairText; fold: number }>

/** A word or piece in more than this share of all texts distinguishes none of them, and would touch them all. */
const COMMON_SHARE_MAX = 0.3
/** Below this count no word or piece is common. */
const COMMON_COUNT_MIN = 20
/** Larger ranks carry no information. */
const RANK_MAX = 50
/** Letters of the word pieces that compare spelling. */
const PIECE_LENGTH = 4

/**
 * Indexes the texts of both sides as vectors of words and of word pieces by rarity, with equal lengths for both halves.
 */
export function learnNeighbours(as: readonly KnownText[], bs: readonly KnownText[]): Neighbours {
  const piecesOf = keptPer(readPieces)
  const sides = { a: distinctOf(as), b: distinctOf(bs) }
  const counts = new Map<string, number>()
  for (const { text } of [...sides.a, ...sides.b]) {
    for (const piece of piecesOf(text)) counts.set(piece, (counts.get(piece) ?? 0) + 1)
  }
  const total = sides.a.length + sides.b.length
  const vectorOf = keptPer((text: PairText) =>
    unitVector(piecesOf(text), (piece) => Math.log((total + 1) / ((counts.get(piece) ?? 1) + 1))),
  )
  const [inA, inB] = [openIndex(sides.a, vectorOf), openIndex(sides.b, vectorOf)]

  return {
    put(put, { a, b, fold }) {
      const near = product(vectorOf(a), vectorOf(b))
      put('nearness', near)
      for (const [side, text, other, own, others] of [
        ['a', a, b, inA, inB],
        ['b', b, a, inB, inA],
      ] as const) {
        const { best, nearer } = others.beside(text, { except: other, fold, near })
        put(`margin ${side}`, near - best)
        put(`rank ${side}`, Math.min(nearer, RANK_MAX))
        put(`crowd ${side}`, own.beside(text, { except: text, fold, near }).best)
      }
    },
  }
}

type Known = Readonly<{ key: string; text: PairText; fold: number | null }>

/** Merges equal texts; the fold is null when pairs of several folds have the text. */
function distinctOf(known: readonly KnownText[]): Known[] {
  const distinct = new Map<string, Known>()
  for (const { text, fold } of known) {
    const key = keyOf(text)
    const former = distinct.get(key)
    if (!former) distinct.set(key, { key, text, fold })
    else if (former.fold !== fold) distinct.set(key, { ...former, fold: null })
  }
  return [...distinct.values()]
}

function keyOf(text: PairText): string {
  return text.words.join(' ')
}

function openIndex(known: readonly Known[], vectorOf: (text: PairText) => ReadonlyMap<string, number>) {
  const postings = new Map<string, { at: number; weight: number }[]>()
  for (const [at, { text }] of known.entries()) {
    for (const [piece, weight] of vectorOf(text)) {
      const list = postings.get(piece)
      if (list) list.push({ at, weight })
      else postings.set(piece, [{ at, weight }])
    }
  }
  const commonMin = Math.max(COMMON_COUNT_MIN, known.length * COMMON_SHARE_MAX)
  const nearnessOf = keptPer((text: PairText) => {
    const sums = new Float64Array(known.length)
    for (const [piece, weight] of vectorOf(text)) {
      const list = postings.get(piece) ?? []
      if (list.length > commonMin) continue
      for (const posting of list) sums[posting.at] = (sums[posting.at] as number) + weight * posting.weight
    }
    return sums
  })
  return {
    /** The greatest nearness of any known text except `except`, and the number of texts nearer than `near`. */
    beside(text: PairText, { except, fold, near }: { except: PairText; fold: number | null; near: number }) {
      const key = keyOf(except)
      let [best, nearer] = [0, 0]
      const nearnesses = nearnessOf(text)
      for (let at = 0; at < nearnesses.length; at++) {
        const nearness = nearnesses[at] as number
        if (nearness <= best && nearness <= near) continue
        const other = known[at] as Known
        if (other.key === key || (fold !== null && other.fold === fold)) continue
        if (nearness > best) best = nearness
        if (nearness > near) nearer += 1
      }
      return { best, nearer }
    },
  }
}

function readPieces({ distinct }: PairText): ReadonlySet<string> {
  const pieces = new Set<string>(distinct)
  for (const word of distinct) {
    const bounded = `<${word}>`
    for (let at = 0; at + PIECE_LENGTH <= bounded.length; at++) pieces.add(pieceOf(bounded, at))
  }
  return pieces
}
/** A mark that begins no word separates pieces from words. */
function pieceOf(word: string, at: number): string {
  return `#${word.slice(at, at + PIECE_LENGTH)}`
}

function unitVector(pieces: ReadonlySet<string>, rarity: (piece: string) => number): ReadonlyMap<string, number> {
  const squares = { words: 0, pieces: 0 }
  for (const piece of pieces) squares[kindOf(piece)] += rarity(piece) ** 2
  const scaled = [...pieces].map(
    (piece) => [piece, rarity(piece) / Math.sqrt(2 * (squares[kindOf(piece)] || 1))] as const,
  )
  return new Map(scaled)
}

function kindOf(piece: string): 'words' | 'pieces' {
  return piece.startsWith('#') ? 'pieces' : 'words'
}

function product(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const [piece, weight] of a) sum += weight * (b.get(piece) ?? 0)
  return sum
}
