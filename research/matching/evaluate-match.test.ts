import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listening } from '@catalog/stack/testing/cli.ts'
import { describe, expect, test } from 'vitest'
import { chooseThreshold, evaluateMatch, figuresAt, readPairs } from './evaluate-match.ts'

function inFolder() {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'evaluate-match-'))
  return {
    file: (name: string, text: string) => {
      const path = join(folder.path, name)
      writeFileSync(path, text)
      return path
    },
    [Symbol.dispose]: () => folder.remove(),
  }
}

const line = (left: string, right: string, label: number) => `COL title VAL ${left}\tCOL name VAL ${right}\t${label}`

describe('a file of pairs', () => {
  test('may have any columns, others on each side, empty ones, and the words COL and VAL in a text', async () => {
    using folder = inFolder()
    const path = folder.file(
      'pairs.txt',
      'COL product name VAL lt COL smith COL price VAL  \tCOL t VAL a VAL b COL m VAL c\t1\r\n\nCOL t VAL x\tCOL t VAL \t0\n',
    )
    const [first, second] = await readPairs(path)
    expect(first?.isMatch).toBe(true)
    expect([...(first?.left ?? [])]).toEqual([
      ['product name', 'lt COL smith'],
      ['price', ''],
    ])
    expect([...(first?.right ?? [])]).toEqual([
      ['t', 'a VAL b'],
      ['m', 'c'],
    ])
    expect(second).toMatchObject({ isMatch: false })
  })

  test.each([
    ['COL t VAL x\tCOL t VAL y', "pairs.txt:2: 'COL t VAL x\tCOL t VAL y': 2 columns; expected 3"],
    ['COL t VAL x\tCOL t VAL y\tyes', "pairs.txt:2: label 'yes'; expected 0 or 1"],
    ['title x\tCOL t VAL y\t1', "pairs.txt:2: record 'title x'; expected it to begin with 'COL name VAL'"],
  ])('is refused with file, line and expectation: %s', async (broken, message) => {
    using folder = inFolder()
    const path = folder.file('pairs.txt', `${line('a', 'b', 1)}\n${broken}\n`)
    await expect(readPairs(path)).rejects.toThrow(message)
  })

  test('is refused when it is empty or missing', async () => {
    using folder = inFolder()
    await expect(readPairs(folder.file('pairs.txt', '\n'))).rejects.toThrow('pairs.txt: no pairs; expected')
    await expect(readPairs('/nowhere/pairs.txt')).rejects.toThrow('/nowhere/pairs.txt: cannot be read')
  })
})

describe('a threshold', () => {
  test('lies where F1 is best, between two scores', () => {
    const judged = [0.9, 0.8, 0.7, 0.3, 0.2, 0.1].map((score) => ({ score, isMatch: score > 0.5 }))
    expect(chooseThreshold(judged)).toBeCloseTo(0.5)
  })

  test('takes equal scores together or not at all', () => {
    const judged = [
      { score: 0.5, isMatch: true },
      { score: 0.5, isMatch: false },
      { score: 0.5, isMatch: false },
      { score: 0.5, isMatch: false },
      { score: 0.1, isMatch: true },
    ]
    expect(chooseThreshold(judged)).toBeCloseTo(0.05)
  })

  test('gives precision, recall and F1 in percent', () => {
    const judged = [0.9, 0.8, 0.4, 0.3].map((score, at) => ({ score, isMatch: at !== 1 && at !== 3 }))
    expect(figuresAt(judged, 0.5)).toEqual({ precision: 50, recall: 50, f1: 50 })
    expect(figuresAt(judged, 0.95)).toEqual({ precision: 0, recall: 0, f1: 0 })
  })
})

describe('eval match', () => {
  /** Names of the same size and of another, in other words. */
  const pairs = (from: number, until: number) =>
    Array.from({ length: until - from }, (_, at) => {
      const [thing, size] = [`thing${from + at}x`, 10 + ((from + at) % 7)]
      return [
        line(`${thing} ${size} mm steel`, `steel ${thing} ${size}mm`, 1),
        line(`${thing} ${size} mm steel`, `steel ${thing} ${size + 1}mm`, 0),
        line(`${thing} ${size} mm steel`, `other${at} brass ${size}mm`, 0),
      ].join('\n')
    }).join('\n')

  test('learns from the first file, chooses on the second and judges the third', async () => {
    using folder = inFolder()
    const { heard, terminal } = listening()
    await evaluateMatch(terminal, {
      train: folder.file('train', pairs(0, 60)),
      valid: folder.file('valid', pairs(60, 80)),
      test: folder.file('test', pairs(80, 110)),
    })
    const [figures] = heard.answers as [Record<string, number>]
    expect(Object.keys(figures)).toEqual(['precision', 'recall', 'f1', 'threshold', 'seconds'])
    expect(figures.f1).toBeGreaterThan(90)
    expect(heard.text).toContain('on the valid file')
    expect(heard.notes[0]).toBe('learning from 180 pairs, 60 of them matches')
    expect(heard.notes.at(-1)).toBe('grown 750 of 750 trees')
  })

  test('refuses a training file with labels of one kind', async () => {
    using folder = inFolder()
    const file = folder.file('train', line('a', 'b', 1))
    const { terminal } = listening()
    await expect(evaluateMatch(terminal, { train: file, valid: file, test: file })).rejects.toThrow(
      'train: 1 of 1 pairs have label 1; expected some of each label',
    )
  })

  test('refuses some of the files without the others', async () => {
    const { terminal } = listening()
    await expect(evaluateMatch(terminal, { train: 'x', out: 'y' })).rejects.toThrow('--train --out: expected --train')
  })
})
