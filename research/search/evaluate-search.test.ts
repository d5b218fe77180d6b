import { writeFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Embedder } from '@catalog/embed/embed.ts'
import { listening } from '@catalog/stack/testing/cli.ts'
import { describe, expect, test } from 'vitest'
import { evaluateSearching, parseIndex, parseQueries, placesOf, rankingOf } from './evaluate-search.ts'

/** Only knows whether a text is about plates or bricks. */
const embedder: Embedder = {
  model: 'test',
  dims: 4,
  fingerprint: 'test',
  embed: async (texts) =>
    texts.map((text) =>
      Float32Array.of(
        ...(/plat|placa/i.test(text) ? [1, 0, 0, 0] : /brick|ladrillo/i.test(text) ? [0, 1, 0, 0] : [0, 0, 1, 0]),
      ),
    ),
}

async function evaluated(index: string, queries: string) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'evaluate-'))
  const flags = { index: join(folder.path, 'index.tsv'), queries: join(folder.path, 'queries.tsv'), part: 'test' }
  writeFileSync(flags.index, index)
  writeFileSync(flags.queries, queries)
  const { heard, terminal } = listening({ json: false })
  await evaluateSearching(terminal, embedder, flags)
  return { ...heard, answer: heard.answers[0] }
}

const INDEX = 'a\tPlaca de yeso 13 mm\nb\tPlaca de yeso 15 mm\nc\tLadrillo hueco\n'

test('answers two files with the figures of the ranking only', async () => {
  const { answer } = await evaluated(INDEX, 'plate 15\tb\nbrick\tc\nplate\ta,b\n')
  expect(answer).toEqual({ queries: 3, r1: 1, r10: 1, ndcg10: 1, mrr10: 1 })
})

test('texts of one score share the middle of their places', async () => {
  const { answer } = await evaluated(INDEX, 'plate\tb\n')
  expect(answer).toEqual({ queries: 1, r1: 0, r10: 1, ndcg10: 0.7565, mrr10: 0.6667 })
})

test('ranks a query that the API would refuse, and says so', async () => {
  const { answer, text } = await evaluated(INDEX, 'plate 15\tb\nsushi\tc\n')
  expect(answer).toMatchObject({ queries: 2, r1: 0.5 })
  expect(text).toContain("to 1 of the queries the API answers 'vector_no_match'")
})

test('an id that the index does not have is noted and never found', async () => {
  const { answer, notes } = await evaluated(INDEX, 'brick\tc\nplate 13\tx\n')
  expect(answer).toMatchObject({ r1: 0.5, r10: 0.5, mrr10: 0.5 })
  expect(notes).toEqual([expect.stringMatching(/queries\.tsv:2, column 2: 'x' is no id of .*index\.tsv/)])
})

test('refuses one file without the other, and an unknown part', async () => {
  const { terminal } = listening()
  await expect(evaluateSearching(terminal, embedder, { index: 'i.tsv', part: 'test' })).rejects.toThrow(
    'belong together',
  )
  await expect(evaluateSearching(terminal, embedder, { part: 'all' })).rejects.toThrow(
    "--part 'all': expected test or dev",
  )
})

describe('files', () => {
  test('have two columns and any line ends, and an id may have several texts', () => {
    expect(parseIndex('\ufeff1\tone \r\n\r\n1\tuno\r\n', 'i.tsv')).toEqual([
      { id: '1', text: 'one' },
      { id: '1', text: 'uno' },
    ])
    expect(parseQueries('one, two\t1, 2,1\n', 'q.tsv')).toMatchObject([{ query: 'one, two', relevant: ['1', '2'] }])
  })

  test.each([
    ['1\tone\ntwo\n', "i.tsv:2: 'two': 1 columns; expected 2 with tabs between: id, text"],
    ['1\tone\tuno\n', 'i.tsv:1: .*3 columns'],
    ['1\tone\n\n2\t \n', 'i.tsv:3, column 2: empty'],
    ['', 'i.tsv: expected lines of an id'],
  ])('of malformed texts are refused with the line: %j', (content, message) => {
    expect(() => parseIndex(content, 'i.tsv')).toThrow(new RegExp(message))
  })

  test.each([
    ['one\n', 'q.tsv:1: '],
    ['one\t1\ntwo\t1,,2\n', 'q.tsv:2, column 2, id 2: empty'],
    ['\t1\n', 'q.tsv:1, column 1: empty'],
  ])('of malformed queries are refused with the line: %j', (content, message) => {
    expect(() => parseQueries(content, 'q.tsv')).toThrow(message)
  })
})

describe('figures', () => {
  test('count an id of several texts at its best place', () => {
    const results = [3, 2, 2, 1].map((score, i) => ({ id: ['x', 'a', 'b', 'x'][i] as string, score }))
    expect(placesOf(results, new Set(['x']))).toEqual([0])
    expect(placesOf(results, new Set(['a']))).toEqual([1.5])
    expect(placesOf(results, new Set(['a', 'b']))).toEqual([1, 1])
  })

  test('are 0 without queries, and count the first ten places only', () => {
    expect(rankingOf([])).toEqual({ queries: 0, r1: 0, r10: 0, ndcg10: 0, mrr10: 0 })
    expect(rankingOf([{ relevant: 1, places: [10] }])).toMatchObject({ r10: 0, ndcg10: 0, mrr10: 0 })
    expect(rankingOf([{ relevant: 2, places: [9] }])).toEqual({
      queries: 1,
      r1: 0,
      r10: 1,
      mrr10: 0.1,
      ndcg10: Math.round((1 / Math.log2(11) / (1 + 1 / Math.log2(3))) * 10_000) / 10_000,
    })
  })
})
