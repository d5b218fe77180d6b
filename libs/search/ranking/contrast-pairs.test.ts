import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { decideLine } from './bill-of-materials.ts'

/** Written from real lists before the vocabularies were: lines, and items that exclude or may be them. */
const PAIRS = readFileSync(new URL('contrast-pairs.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((row) => {
    const [expected = '', set = '', language = '', line = '', unit = '', item = ''] = row.split('\t')
    return { expected, set, language, line, unit, item }
  })

/** The decision where search is sure of the item, which is sold by the unit of the line. */
function statusOf(text: string, name: string, unit: string): string {
  const candidates = [{ itemId: name, names: [name], unit, score: 1.6, cos: 0.95 }]
  return decideLine({ text, unit }, { candidates, margin: 0.5 }).status
}

const apart = PAIRS.filter(({ expected }) => expected === 'apart')
const alike = PAIRS.filter(({ expected }) => expected === 'alike')

test('the pairs are many, in six languages', () => {
  expect(apart.length).toBeGreaterThan(300)
  expect(alike.length).toBeGreaterThan(100)
  expect([...new Set(apart.map(({ language }) => language))].sort()).toEqual(['de', 'en', 'es', 'fr', 'it', 'pt'])
})

test.each([...Map.groupBy(apart, ({ set }) => set)])('%s: what excludes a line is never matched', (_, pairs) => {
  const matched = pairs.filter(
    ({ line, item, unit }) => statusOf(line, item, unit) === 'matched' || statusOf(item, line, unit) === 'matched',
  )
  expect(matched).toEqual([])
})

test('the same thing in other words can be matched', () => {
  const refused = alike.filter(
    ({ line, item, unit }) => statusOf(line, item, unit) !== 'matched' || statusOf(item, line, unit) !== 'matched',
  )
  expect(refused).toEqual([])
})
