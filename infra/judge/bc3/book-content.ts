import { type Bc3Charset, encodableText } from '@catalog/formats/bc3/charset.ts'
import type { Bc3Entry } from '@catalog/formats/bc3/entries.ts'

/** Content of a BC3 file: concepts and recipes by their codes without `#`; the last of several counts. */
export type BookContent = Readonly<{
  concepts: ReadonlyMap<string, ConceptContent>
  decompositions: ReadonlyMap<string, readonly LineContent[]>
}>
export type ConceptContent = Readonly<{ unit: string; summary: string; prices: readonly NumberContent[] }>
export type LineContent = Readonly<{ code: string; factor: NumberContent; yield: NumberContent }>
/** Null for a missing number. Compared by value, because most readers use floats. */
export type NumberContent = string | number | null

/** Output of a reader: {@link BookContent} as JSON, and its limitations. */
export type ReaderAnswer = Readonly<{
  concepts: readonly (Readonly<{ code: string }> & ConceptContent)[]
  decompositions: readonly Readonly<{ code: string; lines: readonly LineContent[] }>[]
  /** The reader's values for missing numbers; null when left out. */
  blank?: Readonly<{ price?: number; factor?: number; yield?: number }>
  /** Prices of a concept that the reader reads; all when left out. */
  pricesMax?: number
}>

export function parseAnswer(text: string): ReaderAnswer {
  const answer = JSON.parse(text) as Partial<ReaderAnswer>
  if (!Array.isArray(answer.concepts) || !Array.isArray(answer.decompositions)) {
    throw new Error(`${text.slice(0, TEXT_CHARS_MAX)}: expected { concepts: […], decompositions: […] }`)
  }
  return answer as ReaderAnswer
}
const TEXT_CHARS_MAX = 80

/**
 * The content that a reader must find, limited to the characters of the charset. ~D replaces lines and ~Y appends them.
 */
export function contentOfEntries(batches: readonly (readonly Bc3Entry[])[], charset: Bc3Charset): BookContent {
  const toCharset = (text: string) => encodableText(text, charset).text
  const concepts = new Map<string, ConceptContent>()
  const decompositions = new Map<string, readonly LineContent[]>()
  for (const entry of batches.flat()) {
    if (entry.letter === 'C') {
      const { unit, summary, prices } = entry
      concepts.set(bareCode(toCharset(entry.code)), {
        unit: toCharset(unit),
        summary: toCharset(summary),
        prices: prices.map((price) => (price === '' ? null : price)),
      })
    } else if (entry.letter === 'D' || entry.letter === 'Y') {
      const code = bareCode(toCharset(entry.code))
      const before = entry.letter === 'Y' ? (decompositions.get(code) ?? []) : []
      decompositions.set(code, [...before, ...entry.lines.map((line) => ({ ...line, code: toCharset(line.code) }))])
    }
  }
  return { concepts, decompositions }
}

function contentOfReader({ concepts, decompositions }: ReaderAnswer): BookContent {
  return {
    concepts: new Map(concepts.map((concept) => [bareCode(concept.code), concept])),
    decompositions: new Map(decompositions.map(({ code, lines }) => [bareCode(code), lines])),
  }
}

/** A code with `#` or `##` and the bare code name one concept. */
const bareCode = (code: string) => code.trim().replace(/#{1,2}$/, '')

/** The reader's differences, one sentence each; empty when it finds the same. Lines without a code are ignored. */
export function differences(
  expected: BookContent,
  answer: ReaderAnswer,
): { found: readonly string[]; concepts: number; lines: number } {
  const readerContent = contentOfReader(answer)
  const { blank = {}, pricesMax = Number.POSITIVE_INFINITY } = answer
  const found: string[] = []
  let lines = 0
  const same = (what: string, ours: unknown, theirs: unknown) => {
    if (ours !== theirs) found.push(`${what}: ${JSON.stringify(theirs)}, expected ${JSON.stringify(ours)}`)
  }
  const sameNumber = (
    what: string,
    ours: NumberContent | undefined,
    theirs: NumberContent | undefined,
    none = NOTHING,
  ) => {
    same(what, numberOf(ours) ?? none, numberOf(theirs) ?? none)
  }
  for (const [code, { unit, summary, prices }] of expected.concepts) {
    const theirs = readerContent.concepts.get(code)
    if (theirs === undefined) {
      found.push(`${code}: not there`)
      continue
    }
    same(`${code} unit`, oneLine(unit), oneLine(theirs.unit))
    same(`${code} summary`, oneLine(summary), oneLine(theirs.summary))
    for (let i = 0; i < Math.min(pricesMax, Math.max(prices.length, theirs.prices.length)); i++) {
      sameNumber(`${code} price ${i + 1}`, prices[i], theirs.prices[i], blank.price)
    }
  }
  for (const code of readerContent.concepts.keys())
    if (!expected.concepts.has(code)) found.push(`${code}: nobody wrote it`)
  for (const code of new Set([...expected.decompositions.keys(), ...readerContent.decompositions.keys()])) {
    const [ours, theirs] = [expected, readerContent].map(({ decompositions }) =>
      (decompositions.get(code) ?? []).filter((line) => line.code !== ''),
    ) as [LineContent[], LineContent[]]
    lines += ours.length
    same(`${code} lines`, ours.length, theirs.length)
    for (let i = 0; i < Math.min(ours.length, theirs.length); i++) {
      const [our, their] = [ours[i] as LineContent, theirs[i] as LineContent]
      same(`${code} line ${i + 1}`, bareCode(our.code), bareCode(their.code))
      sameNumber(`${code} line ${i + 1} factor`, our.factor, their.factor, blank.factor)
      sameNumber(`${code} line ${i + 1} yield`, our.yield, their.yield, blank.yield)
    }
  }
  return { found, concepts: expected.concepts.size, lines }
}

const NOTHING = null as number | null
const numberOf = (text: NumberContent | undefined) => (text === null || text === undefined ? null : Number(text))
/** Readers remove line ends from texts, some with surrounding blanks. */
const oneLine = (text: string) =>
  text
    .replace(/\s*[\r\n]\s*/g, '')
    .replace(/\s+/g, ' ')
    .trim()
