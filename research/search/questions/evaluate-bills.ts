import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { itemsOfStore } from '@catalog/api/bills/line-items.ts'
import { matchLines } from '@catalog/api/bills/match.ts'
import { LINES_MAX, type MatchRequest, type MatchResponse } from '@catalog/api/contract/contract.ts'
import { openFinder } from '@catalog/api/search/finder.ts'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import { LINE_CHARS_MAX } from '@catalog/formats/bill/bill.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { rowsOf } from '@catalog/research/files/tab-separated.ts'
import { type KeyedItem, keyedItems } from './product-keys.ts'
import { type BillSet, type BuilderLine, builderLines } from './question-files.ts'

type MatchedLine = MatchResponse['lines'][number]

/** How one line of a bill was decided. */
export type AnsweredLine = Readonly<{
  line: BuilderLine
  /** right, wrong: the line is decided; open: a person chooses, and finds the right item among those shown or not. */
  verdict: 'right' | 'wrong' | 'open, right shown' | 'open, right missing' | 'left, rightly' | 'open, not stocked'
  /** The cost of a line that is not decided is a fault, and so is one in another currency. */
  hasFalseCost: boolean
  status: MatchedLine['status']
  /** The decided item, or those to choose from. */
  shown: readonly string[]
}>

/** Counts of lines. */
export type BillFigures = Readonly<{
  lines: number
  stocked: number
  right: number
  /** Share of the stocked lines, 0 to 1. */
  rightShare: number
  wrong: number
  open: number
  falseCosts: number
}>

export type BillFlags = Readonly<{ part: 'dev' | 'test' | 'all'; set: BillSet; coded?: readonly string[] }>

/**
 * `npm run evaluate -- bills`: matches bills with the catalog, and prints every line that is not right. `coded` are files of lines
 * whose codes the catalog holds as references: the code is the truth, and the line is matched by its text.
 */
export async function evaluateBills(
  terminal: Terminal,
  catalog: Catalog,
  { part, set, coded }: BillFlags,
): Promise<void> {
  const items = await (coded === undefined ? keyedItems(catalog.store) : keyedItems(catalog.store, (_, ref) => ref))
  const known = new Set([...items.values()].flatMap(({ products }) => [...products]))
  const asked = coded === undefined ? linesOf(set, part) : coded.flatMap((file) => codedLines(file, known))
  const find = openFinder(catalog)
  const answered: AnsweredLine[] = []
  for (const [, lines] of Map.groupBy(asked, ({ bill }) => bill)) {
    const request = {
      region: lines[0]?.market as MatchRequest['region'],
      lines: lines.map(({ description, unit, quantity }) => ({ text: description, unit, quantity })),
    }
    const answer = await matchLines({ items: itemsOfStore(catalog.store), find, now: catalog.now }, request)
    answered.push(...answer.lines.map((matched, i) => judgedLine(lines[i] as BuilderLine, matched, items)))
  }
  const all = billFiguresOf(answered)
  const markets = [...Map.groupBy(answered, ({ line }) => line.market)].map(([market, group]) => ({
    of: market,
    ...billFiguresOf(group),
  }))
  const misses = answered.filter(({ verdict }) => verdict !== 'right' && verdict !== 'left, rightly')
  terminal.answer({ ...all, markets, misses }, () =>
    [...misses.map(lineText), table([{ of: 'all', ...all }, ...markets])].join('\n'),
  )
}

/** The first bill of each market chooses settings, the second judges them. */
function linesOf(set: BillSet, part: 'dev' | 'test' | 'all'): readonly BuilderLine[] {
  const isDev = ({ bill }: BuilderLine) => Number(bill.slice(1)) % 2 === 1
  return builderLines(set).filter((line) => part === 'all' || isDev(line) === (part === 'dev'))
}

/** The different lines of a file that the catalog's references tell the truth of, in chunks of a request. Throws for an unreadable file. */
function codedLines(file: string, known: ReadonlySet<string>): readonly BuilderLine[] {
  const [head = '', ...rows] = readFileSync(file, 'utf8').split('\n')
  const columns = head.trim().split('\t')
  const lines = rowsOf(rows.join('\n'), { file, columns }).map(({ cells }) => {
    const at = (column: string) => (cells[columns.indexOf(column)] ?? '').trim()
    return {
      code: at('code'),
      system: at('system'),
      description: at('description').slice(0, LINE_CHARS_MAX),
      unit: at('unit') || null,
    }
  })
  const different = new Map(lines.map((line) => [JSON.stringify(line), line]))
  return [...different.values()]
    .filter(({ code, system }) => known.has(code) && !OWN.test(system))
    .map(({ code, system: _, ...line }, i) => ({
      ...line,
      bill: `${basename(file)} ${Math.floor(i / LINES_MAX)}`,
      market: 'BR',
      currency: 'BRL',
      line: i + 1,
      quantity: 1,
      right: [code],
    }))
}

/** Codes that the estimator made up. */
const OWN = /^pr[oó]prio/i

/** Judges the answer of one line by the products of its items. Pure. */
export function judgedLine(
  line: BuilderLine,
  { status, item, cost, alternatives }: MatchedLine,
  items: ReadonlyMap<string, KeyedItem>,
): AnsweredLine {
  const isRight = (id: string) => line.right.some((key) => items.get(id)?.products.has(key))
  const shown = [...(item === null ? [] : [item]), ...alternatives.map((alternative) => alternative.item)]
  const ids = status === 'matched' ? shown.slice(0, 1) : shown.slice(0, SHOWN)
  return {
    line,
    verdict: verdictOf(
      status,
      line,
      ids.some(({ id }) => isRight(id)),
    ),
    hasFalseCost: cost !== null && (status !== 'matched' || cost.currency !== line.currency),
    status,
    shown: ids.map(({ name }) => name),
  }
}
/** Candidates of an undecided line. */
const SHOWN = 3

function verdictOf(status: MatchedLine['status'], { right }: BuilderLine, isShown: boolean): AnsweredLine['verdict'] {
  if (status === 'matched') return isShown ? 'right' : 'wrong'
  if (right.length > 0) return isShown ? 'open, right shown' : 'open, right missing'
  return status === 'unmatched' ? 'left, rightly' : 'open, not stocked'
}

export function billFiguresOf(answered: readonly AnsweredLine[]): BillFigures {
  const count = (of: (answer: AnsweredLine) => boolean) => answered.filter(of).length
  const stocked = count(({ line }) => line.right.length > 0)
  const right = count(({ verdict }) => verdict === 'right')
  return {
    lines: answered.length,
    stocked,
    right,
    rightShare: Math.round((1000 * right) / Math.max(1, stocked)) / 1000,
    wrong: count(({ verdict }) => verdict === 'wrong'),
    open: count(({ verdict }) => verdict.startsWith('open')),
    falseCosts: count(({ hasFalseCost }) => hasFalseCost),
  }
}

function lineText({ line, verdict, shown }: AnsweredLine): string {
  const { bill, market, description, unit, quantity, right } = line
  const text = `${bill}.${line.line} ${market} '${description}' ${quantity} ${unit ?? ''}: ${verdict}`
  return `${text}\n  wanted ${right.join(', ') || 'nothing'}\n  shown  ${shown.join(' | ') || 'nothing'}`
}
