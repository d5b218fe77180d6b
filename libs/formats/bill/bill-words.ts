import { readDataFile } from '@catalog/core/data-file.ts'
import { foldText } from '@catalog/core/text.ts'

/** What a column of a bill holds. */
export const HEADING_KEYS = [
  ...(['text', 'unit', 'quantity', 'price', 'amount', 'code'] as const),
  ...(['region', 'kind', 'vendor', 'more', 'measure'] as const),
] as const
export type HeadingKey = (typeof HEADING_KEYS)[number]

type Lists = Readonly<Record<'sums' | 'surcharges' | 'titles' | 'chapters', string>>
const WORDS = readDataFile(import.meta.url, 'bill-words.yaml') as Lists & { headings: Record<HeadingKey, string> }
const listed = (words: string): readonly string[] => words.split(/,\s+/).map(wordsOf)

/** "VR. UNIT (NRs)" → "vr unit nrs" */
export const wordsOf = (text: string): string =>
  foldText(text.slice(0, 200))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Scripts without blanks between words. */
const UNSPACED = /[\u0e00-\u0eff\u3040-\u9fff]/

/** The column that a heading names, and how good a name of it this is; 0 is best. */
export type Heading = Readonly<{ key: HeadingKey; rank: number }>

/** A word of two columns heads the one that is listed first. */
const HEADINGS: ReadonlyMap<string, Heading> = new Map(
  HEADING_KEYS.flatMap((key) =>
    listed(WORDS.headings[key]).map((words, rank) => [words, { key, rank }] as const),
  ).reverse(),
)
const UNSPACED_HEADINGS = [...HEADINGS].filter(([words]) => UNSPACED.test(words))

/** Characters of a heading; a longer cell is a text. */
const HEADING_CHARS_MAX = 60
/** Shorter words head a column only alone: "u", "me". */
const PART_CHARS_MIN = 3
const PART_WORDS_MAX = 4
/** A name inside a heading is worse than any whole one. */
const PART_RANK = 1_000

/** The column that a cell heads: by the whole of it without brackets, else by the longest name in it; null for another text. */
export function headingOf(cell: string): Heading | null {
  if (cell === '' || cell.length > HEADING_CHARS_MAX) return null
  const words = wordsOf(cell.replace(/\([^)]*\)|\[[^\]]*\]/g, ' '))
  const apart = words.split(' ')
  const whole = HEADINGS.get(words)
  if (whole !== undefined) return whole
  for (let count = Math.min(PART_WORDS_MAX, apart.length - 1); count > 0; count--)
    for (let from = 0; from + count <= apart.length; from++) {
      const part = apart.slice(from, from + count).join(' ')
      const found = part.length < PART_CHARS_MIN ? undefined : HEADINGS.get(part)
      if (found !== undefined) return { ...found, rank: found.rank + PART_RANK }
    }
  return UNSPACED.test(words) ? (UNSPACED_HEADINGS.find(([name]) => words.includes(name))?.[1] ?? null) : null
}

const startsWith = (list: keyof Lists) => {
  const names = listed(WORDS[list])
  return (text: string) => {
    const words = `${wordsOf(text)} `
    return names.some((name) => words.startsWith(UNSPACED.test(name) ? name : `${name} `))
  }
}
export const isSumLabel = startsWith('sums')
export const isTitle = startsWith('titles')
export const isChapterKind = startsWith('chapters')
/** Whether a label names a tax, overhead or another share of the lines. */
export const isSurcharge = startsWith('surcharges')
