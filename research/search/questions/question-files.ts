import { readFileSync } from 'node:fs'
import { rowsOf } from '@catalog/research/files/tab-separated.ts'

/**
 * One question of a builder. `right` answers it fully, `near` is useful. Where only `near` has keys, the thing is stocked in
 * another size, grade or pack; where none has, it is not stocked.
 */
export type BuilderQuestion = Readonly<{
  id: string
  split: 'dev' | 'test'
  /** ISO 3166 code of the market in which it is asked; null for all. */
  market: string | null
  lang: string
  kind: string
  /** How it is asked: words, jargon, norm, brand, size, pack, sentence, typo, regional, neighbour, absent or everyday. */
  form: string
  question: string
  /** Keys of the stock: products of the sample, or a vendor's references. */
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

/** Sets of questions by the stock that they are asked of; `builders` and `sample` share the sample market, and no stock answers `everyday`. */
export const QUESTION_SETS = ['builders', 'sample', 'sinapi', 'cwicr', 'everyday'] as const
export type QuestionSet = (typeof QUESTION_SETS)[number]

/** The questions of a set, in file order. Throws for a row with another number of columns. */
export function builderQuestions(set: QuestionSet = 'builders'): readonly BuilderQuestion[] {
  return cellsOf(`${set}.tsv`).map(([id, split, market, lang, kind, form, question, right, near]) => ({
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

/** Sets of bills, both of the sample market: in the words of the catalog, and as estimators abbreviate them. */
export const BILL_SETS = ['bills', 'estimators'] as const
export type BillSet = (typeof BILL_SETS)[number]

/** The lines of the bills of a set, in file order. Throws for a row with another number of columns. */
export function builderLines(set: BillSet = 'bills'): readonly BuilderLine[] {
  return cellsOf(`${set}.tsv`).map(([bill, market, currency, line, description, unit, quantity, right]) => ({
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
