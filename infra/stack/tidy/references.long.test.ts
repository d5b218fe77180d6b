import { expect, test } from 'vitest'
import { REFERENCES, withList } from './references.ts'
import { documentText } from './tree.ts'

test.each(Object.keys(REFERENCES))('%s lists what the code has: npx node infra/stack/docs.ts writes it', (path) => {
  expect(documentText(path)).toBe(withList(path))
})

test('every command and variable has a description', () => {
  const lists = Object.values(REFERENCES).map((list) => list())
  const lines = lists.join('\n').split('\n')
  expect(lines).toEqual(expect.arrayContaining([expect.stringMatching(/`up /), expect.stringMatching(/`PORT`/)]))
  expect(lines.filter((line) => /(: | \| {2}\|)$/.test(line))).toEqual([])
})
