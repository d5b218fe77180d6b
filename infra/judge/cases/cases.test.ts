import { mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readCases } from './case-folder.ts'
import { readCase } from './cases.ts'
import { compare } from './compare.ts'
import { Truths } from './truth.ts'

const CASE = `# 01 Lists

Command:

\`\`\`
npx catalog crawl ../shared/data/cases/01/list.csv --source "Case 01" --region US --currency USD --observed-at 2026-11-20 --preview --json
\`\`\`
`
const LIST = 'sku;name;unit;price\nA;Brick;1000 pcs;1.50\nB;;u;2.00\n'

/** The verdict on the list by a row of truth. */
async function verdictOf(row: string) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'cases-'))
  mkdirSync(join(folder.path, '01'))
  writeFileSync(join(folder.path, '01', 'case.md'), CASE)
  writeFileSync(join(folder.path, '01', 'list.csv'), LIST)
  const [one] = readCases(folder.path)
  const [truth] = Truths.parse(parse(`[{ case: '01', ${row} }]`))
  if (one === undefined || truth === undefined) throw new Error('expected a case')
  return compare(truth, await readCase(one))
}

test.each([
  ['its fact and its reason', 'recorded: { A: 0.0015 USD per 1 u on 2026-11-20 }, parked: { B: NO_NAME }', 'right'],
  ['a fact that may be parked', 'recorded: { A: 1.5 USD, B: 2 USD }, may_refuse: true', 'refused'],
  ['a fact that is parked', 'recorded: { A: 1.5 USD, B: 2 USD }', 'wrong'],
  ['another amount', 'recorded: { A: 1.51 USD }', 'wrong'],
  ['another unit', 'recorded: { A: 1.5 USD per 1 u }', 'wrong'],
  ['another currency', 'recorded: { A: 1.5 EUR }', 'wrong'],
  ['another day', 'recorded: { A: 1.5 USD on 2026-11-21 }', 'wrong'],
  ['no price at all', 'may_refuse: true', 'wrong'],
  ['another reason', 'recorded: { A: 1.5 USD }, parked: { B: NO_PRICE }', 'wrong'],
  ['a refusal of the file', 'recorded: { A: 1.5 USD }, refused: NO_CURRENCY', 'wrong'],
])('given a truth of %s, when the file is crawled, then the verdict says so', async (_what, row, verdict) => {
  expect(await verdictOf(row)).toMatchObject({ verdict })
})
