import { readFileSync } from 'node:fs'
import { rowsOf } from '@catalog/research/files/tab-separated.ts'

/** One question of a builder. `right` answers it fully, `near` is useful; both are empty where nothing is stocked. */
export type BuilderQuestion = Readonly<{
  id: string
  split: 'dev' | 'test'
  /** ISO 3166 code of the market in which it is asked; null for all. */
  market: string | null
  lang: string
  kind: string
  /** How it is asked: words, jargon, norm, brand, size, pack, sentence, typo or regional. */
  form: string
  question: string
  /** Keys of the sample's products. */
  right: readonly string[]
  near: readonly string[]
}>

/** A line of a bill; `right` is empty where nothing of the market is right. */
export type BuilderLine = Readonly<{
  bill: string
  market: string
  currency: string
  line: number
  description: string
  unit: string | null
  quantity: number
  right: readonly string[]
}>

/** The 300 questions, in file order. Throws for a row with another number of columns. */
export function builderQuestions(): readonly BuilderQuestion[] {
  return cellsOf('builders.tsv').map(([id, split, market, lang, kind, form, question, right, near]) => ({
    id: id as string,
    split: split as BuilderQuestion['split'],
    market: market || null,
    lang: lang as string,
    kind: kind as string,
    form: form as string,
    question: question as string,
    right: keysIn(right),
    near: keysIn(near),
  }))
}

/** The lines of the ten bills, in file order. Throws for a row with another number of columns. */
export function builderLines(): readonly BuilderLine[] {
  return cellsOf('bills.tsv').map(([bill, market, currency, line, description, unit, quantity, right]) => ({
    bill: bill as string,
    market: market as string,
    currency: currency as string,
    line: Number(line),
    description: description as string,
    unit: unit || null,
    quantity: Number(quantity),
    right: keysIn(right),
  }))
}

const keysIn = (list: string | undefined) => (list ? list.split(',').map((key) => key.trim()) : [])

function cellsOf(file: string): (readonly string[])[] {
  const [head = '', ...lines] = readFileSync(new URL(file, import.meta.url), 'utf8').split('\n')
  return rowsOf(lines.join('\n'), { file, columns: head.split('\t') }).map(({ cells }) => cells)
}
