import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Catalog, openCatalog } from '@catalog/cli/shared/wire.ts'
import { listening } from '@catalog/cli/testing.ts'
import { published } from '@catalog/core/events/testing.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { testDataDir } from '@catalog/store/testing.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { matchFile } from './match.ts'

let folder: string
let catalog: Catalog
beforeAll(async () => {
  folder = await testDataDir()
  catalog = await openCatalog(readEnvironment({ CATALOG_DATA: folder, LOG_LEVEL: 'silent' }))
  const items = ['Portland cement', '=Sand 0/4', 'Cable 3x1.5 mm2', 'Cable 3x2.5 mm2'].map((name, i) =>
    published({ id: `ci_${String(i).padStart(20, '0')}`, name, cents: 100 + i }),
  )
  await catalog.log.append(
    TOPICS.items,
    items.map((event) => ({ key: event.item_id, value: JSON.stringify(event) })),
  )
  await catalog.catchUp()
})
afterAll(async () => {
  await catalog[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

function fileOf(name: string, text: string): string {
  mkdirSync(join(folder, 'lists'), { recursive: true })
  writeFileSync(join(folder, 'lists', name), text)
  return join(folder, 'lists', name)
}

test('matches and prices a list line by line, and escapes formulas in the CSV', async () => {
  const list = fileOf(
    'list.csv',
    'Descripción;Cant.;Ud\nportland cement;2;t\ncable 3x1.5;;\nsand 0/4;3;kg\nqwxz vbnm;1;u\nsand;2;bag\n',
  )
  const out = join(folder, 'matched.csv')
  const { heard, terminal } = listening()
  expect(await matchFile(catalog, terminal, list, { out })).toBe(true)
  const [answer] = heard.answers as { matched: number; unmatched: number; lines: Record<string, unknown>[] }[]
  expect(answer).toMatchObject({
    matched: 3,
    ambiguous: 1,
    unmatched: 1,
    broken: [],
    priced: 2,
    costs: [{ cents: 200_303, currency: 'EUR' }],
  })
  expect(answer?.lines.map(({ position, cost }) => [position, cost])).toEqual([
    ['list.csv line 2', { cents: 200_000, currency: 'EUR' }],
    ['list.csv line 3', null],
    ['list.csv line 4', { cents: 303, currency: 'EUR' }],
    ['list.csv line 5', null],
    ['list.csv line 6', null],
  ])
  const written = readFileSync(out, 'utf8').split('\r\n')
  expect([written.length, written[3]]).toEqual([7, expect.stringContaining(",'=Sand 0/4,")])
  // An undecided line has candidates, and no item, price or cost.
  expect(written[5]).toMatch(/^list\.csv line 6,sand,2,bag,ambiguous,,,,,,,,,ci_\S+/)
})

test('names unreadable lines and fails', async () => {
  const { heard, terminal } = listening()
  const list = fileOf('bad.csv', 'item,qty\ncement,many\ncement,2\n')
  expect(await matchFile(catalog, terminal, list, {})).toBe(false)
  expect(heard.answers[0]).toMatchObject({ broken: [{ position: 'bad.csv line 2', reason: 'BAD_QUANTITY' }] })
})

test.each([
  ['no.csv', null, {}, /no such file/],
  ['none.csv', 'a,b\n1,2\n', {}, /none\.csv: no column for the text/],
  ['far.csv', 'item,region\ncement,XX\n', {}, /far\.csv line 2: region: expected one of ES/],
  ['okay.csv', 'item\ncement\n', { region: 'XX' }, /--region: expected one of ES/],
  ['okay.csv', 'item\ncement\n', { alternatives: '99' }, /--alternatives: expected an integer from 0 to 10/],
  ['okay.csv', 'item\ncement\n', { format: 'pdf' }, /--format 'pdf': expected csv or xlsx/],
])('%s %j %j is refused with its name', async (name, text, flags, says) => {
  const path = text === null ? join(folder, name) : fileOf(name, text)
  await expect(matchFile(catalog, listening().terminal, path, flags)).rejects.toThrow(says)
})
