import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBooks } from './bc3.ts'
import { type Book, mutate, rewriteBooks } from './books.ts'

/** Splits at every separator, which suffices for the files of this test; CHANGE first alters the text. */
const READER = `
  const [file, charset] = process.argv.slice(-2)
  let text = charset === 'cp850'
    ? require('fs').readFileSync(file, 'latin1').replaceAll('\\xa0', 'á')
    : new TextDecoder(charset).decode(require('fs').readFileSync(file))
  CHANGE
  const concepts = [], decompositions = []
  for (const record of text.replace('\\x1a', '').split('~').slice(1)) {
    const [letter, code, ...fields] = record.split('|')
    if (letter === 'C') concepts.push({ code, unit: fields[0], summary: fields[1], prices: fields[2].split('\\\\') })
    if (letter !== 'D') continue
    const values = fields[0].split('\\\\'), lines = []
    for (let i = 0; i + 2 < values.length; i += 3) {
      lines.push({ code: values[i], factor: values[i + 1] || null, yield: values[i + 2] || null })
    }
    decompositions.push({ code, lines })
  }
  console.log(JSON.stringify({ concepts, decompositions }))
`
const BANK = String.raw`~V|Ours|FIEBDC-3/2016\20112026|ours|\|850|
~C|W|m2|Fábrica|2.50\3|201126|0|
~C|B|u|Brick|0.25|201126|3|
~D|W|B\\10\|
`

const folder = mkdtempDisposableSync(join(tmpdir(), 'bc3-judge-'))
let books: readonly Book[]
beforeAll(async () => {
  const bytes = Buffer.from(BANK.replaceAll('á', '\xa0').replaceAll('\n', '\r\n'), 'latin1')
  books = await rewriteBooks([{ name: 'bank.bc3', bytes }], folder.path)
})
afterAll(() => folder.remove())

async function runJudge(change: string) {
  const file = join(folder.path, 'reader.cjs')
  writeFileSync(file, READER.replace('CHANGE', change))
  return await readBooks(`${process.execPath} ${file}`, books, folder.path)
}

test('a reader that finds everything in every charset passes, and notices mutations', async () => {
  const { verdict, says, details } = await runJudge('')
  expect(details).toBe('')
  expect([verdict, says]).toEqual([
    'passed',
    '3 files, 6 concepts, 3 lines of recipes, 0 differences; a planted price and a planted yield are found',
  ])
})

test('content missing in a written file is a difference, named with file and charset', async () => {
  const lost = await runJudge(`if (charset === 'utf-8') text = text.replace('|0.25|', '|0.26|')`)
  expect([lost.verdict, lost.details]).toEqual(['failed', 'bank.bc3 in utf-8: B price 1: 0.26, expected 0.25'])
})

test("a difference that the original file shows too is the reader's own interpretation", async () => {
  const { verdict, says } = await runJudge(`text = text.replace('|0.25|', '|0.26|')`)
  expect([verdict, says]).toEqual(['passed', expect.stringContaining('0 differences, 3 as in the file before;')])
})

test("a reader's failure is a fault only when it reads the original", async () => {
  const gaveUp = await runJudge(`if (charset === 'utf-8') throw new Error('cannot')`)
  expect(gaveUp.verdict).toBe('failed')
  expect(gaveUp.details).toMatch(/^bank\.bc3 in utf-8: the reader ended with 1: /)
})

test('a reader that reads neither originals nor written files has not judged', async () => {
  const { verdict, says } = await runJudge(`throw new Error('cannot')`)
  expect([verdict, says]).toEqual(['failed', 'the check is blind: another price is not noticed'])
})

test.each([
  ['price', `text = text.replace(/7\\.25/, '2.50')`],
  ['yield', `text = text.replace(/\\\\\\\\7\\.25/, '\\\\\\\\10')`],
])('a reader that misses a changed %s has not judged', async (what, change) => {
  const { verdict, says } = await runJudge(change)
  expect([verdict, says]).toEqual(['failed', `the check is blind: another ${what} is not noticed`])
})

test('a mutation changes one price or one yield', () => {
  const [book] = books as [Book]
  const to = join(folder.path, 'planted.bc3')
  const linesChanged = (what: 'price' | 'yield') => {
    mutate(book, what, to)
    const before = readFileSync(book.path, 'latin1').split('\r\n')
    return readFileSync(to, 'latin1')
      .split('\r\n')
      .filter((line, i) => line !== before[i])
  }
  expect(linesChanged('price')).toEqual([expect.stringMatching(/^~C\|W\|m2\|[^|]*\|7\.25\\3\|/)])
  expect(linesChanged('yield')).toEqual(['~D|W|B\\\\7.25\\|'])
})
