import { expect, test } from 'vitest'
import { compare } from './compare.ts'
import { readDocument } from './read-document.ts'
import { DOCUMENTS, judgePlatform, wronglyParkedShare } from './shops.ts'
import { BadTruth, platformOf, readTruth, type SavedDocument } from './truth.ts'

const place = { name: 'table.yaml', folder: '/nowhere' }
const list = (rows: string) => `
platform: Lists
origin: none
currency: EUR
documents:
  - name: list
    file: prices.csv
    text: "sku;name;price\\nA;Brick;1.50\\nB;;2.00\\n"
${rows}`
const documentOf = (rows: string) => platformOf(list(rows), place).documents[0] as SavedDocument
const judged = async (rows: string) => {
  const document = documentOf(rows)
  return compare(document, await readDocument(document))
}
const RIGHT =
  '    recorded: [{ sku: A, name: Brick, price: 150, currency: EUR }]\n    parked: [{ reason: NO_NAME, sku: B }]'

test.each(readTruth(DOCUMENTS).map((platform) => [platform.name, platform] as const))(
  'given the documents of %s, when a crawl reads them, then every record is as the table of truth says',
  async (_name, platform) => {
    const { counts, faults } = await judgePlatform(platform)
    expect(faults).toEqual([])
    expect(counts.right).toBeGreaterThan(0)
  },
)

test('given a table that is right, when it is compared, then nothing is a fault', async () => {
  expect(await judged(RIGHT)).toEqual({
    counts: { right: 1, wrong: 0, lost: 0, rightlyParked: 1, wronglyParked: 0, missed: 0 },
    faults: [],
  })
})

test.each([
  ['another price', RIGHT.replace('150', '151'), { wrong: 1 }, "wrong: A: price is '150', expected '151'"],
  ['another name', RIGHT.replace('Brick', 'Block'), { wrong: 1 }, "wrong: A: name is 'Brick', expected 'Block'"],
  [
    'a record that no price may come from',
    '    parked: [{ reason: NO_NAME }]',
    { wrong: 1 },
    "wrong: recorded A 'Brick' at 150 EUR: the table has no such record",
  ],
  [
    'a record that is not there',
    RIGHT.replace('recorded: [', 'recorded: [{ sku: C, price: 1, currency: EUR }, '),
    { lost: 1 },
    'lost: C',
  ],
  [
    'a record that is parked',
    RIGHT.replace('recorded: [', 'recorded: [{ sku: B, price: 200, currency: EUR }, ').replace(
      'reason: NO_NAME, sku: B',
      'reason: NO_PRICE',
    ),
    { wronglyParked: 1, missed: 1 },
    'wrongly parked: B: NO_NAME, the name is blank',
  ],
])('given %s, when it is compared, then the fault is counted and named', async (_what, rows, counted, sentence) => {
  const { counts, faults } = await judged(rows)
  expect(counts).toMatchObject({ ...counted })
  expect(faults).toContainEqual(sentence)
})

test('given a folder that is not there, when its tables are read, then a sentence names it', () => {
  expect(() => readTruth('/nowhere')).toThrow('/nowhere: expected a folder with tables of truth (*.yaml)')
})

test('given one of two records wrongly parked, when the share is taken, then it is a half', () => {
  expect(wronglyParkedShare({ right: 1, wrong: 0, lost: 0, rightlyParked: 9, wronglyParked: 1, missed: 0 })).toBe(0.5)
})

test.each([
  [list('    recorded: [{ sku: A }]'), 'table.yaml: documents.0.recorded.0.price'],
  [list('    surplus: 1'), 'table.yaml: documents.0: Unrecognized key'],
  ['platform: [', 'table.yaml: expected YAML'],
  [list('  - { name: next, of: nothing }'), "table.yaml: next: of 'nothing': expected the name of a document above it"],
  [list('  - { name: next, of: list, replace: { Block: x } }'), "replace 'Block': expected a text of the document"],
  [list('  - { name: next, file: none.html }'), "file 'none.html': expected a readable file in /nowhere"],
])('given a table with an error, when it is read, then a sentence names place and expectation', (text, sentence) => {
  expect(() => platformOf(text, place)).toThrow(BadTruth)
  expect(() => platformOf(text, place)).toThrow(sentence)
})
