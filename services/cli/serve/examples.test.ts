import { expect, test } from 'vitest'
import { readyText } from './examples.ts'

test.each([
  ['ES', []],
  ['ES', ['AR', 'ES', null]],
  ['IT-25', ['IT-25', null]],
  ['EU', ['IT']],
])('an API that answers shows requests of %s where the sources are of %j', (region, regions) => {
  const text = readyText('http://a.example', regions)
  expect(text).toMatch(/^Open http:\/\/a.example\/ in a browser.\n.*ready at http:\/\/a.example\/v1\n/)
  expect(text.match(/(?<=[=/])[A-Z]{2}(-\d+)?(?=[&?'])/g)).toEqual(Array.from({ length: 5 }, () => region))
})
