import { describe, expect, test } from 'vitest'
import { MUTANTS, requireTexts } from './find.ts'

describe('the planted faults', () => {
  test('stand in the code as it is, each once', () => {
    requireTexts(MUTANTS)
  })

  test('are at least 25, each with a name of its own', () => {
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length)
    expect(MUTANTS.length).toBeGreaterThanOrEqual(25)
  })

  test('are refused when their text is gone or stands twice', () => {
    const mutant = { name: 'one', breaks: '', edits: [{ file: 'a.ts', before: 'x', after: 'y' }] }
    for (const text of ['', 'x x']) expect(() => requireTexts([mutant], () => text)).toThrow('expected once')
    requireTexts([mutant], () => 'an x')
  })
})
