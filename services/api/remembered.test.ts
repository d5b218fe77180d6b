import { expect, test } from 'vitest'
import { rememberAtMost } from './remembered.ts'

test('what was put in first is forgotten first, and whoever keeps it is told', () => {
  const forgotten: string[] = []
  const names = rememberAtMost<string>(2, (name) => forgotten.push(name))
  for (const name of ['a', 'b', 'c', 'd']) names.add(name, name.toUpperCase())
  expect(['a', 'b', 'c', 'd'].map(names.get)).toEqual([undefined, undefined, 'C', 'D'])
  expect(forgotten).toEqual(['A', 'B'])
})
