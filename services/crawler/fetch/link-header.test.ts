import { expect, test } from 'vitest'
import { nextLinkOf } from './link-header.ts'

test.each([
  ['<https://a.example/p?page=2>; rel="next"', 'https://a.example/p?page=2'],
  [
    '<https://a.example/p>; rel="prev", <https://a.example/p?page_info=x%2C>; rel="next"',
    'https://a.example/p?page_info=x%2C',
  ],
  ['</p?page=3>; title="a, b"; rel=next', '/p?page=3'],
  ['</p>; rel="last next"', '/p'],
  [['</a>; rel="prev"', '</b>; rel="next"'], '/b'],
  ['</p>; rel="prev"', null],
  ['next', null],
  [undefined, null],
])('given the header %j, when its next link is read, then it is %j', (header, expected) => {
  expect(nextLinkOf(header)).toBe(expected)
})
