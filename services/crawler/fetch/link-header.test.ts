import { expect, test } from 'vitest'
import { nextLinkOf, nextPageOf } from './link-header.ts'

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

test.each<[string, Record<string, string>, string | null]>([
  ['/p', { 'x-wp-totalpages': '3' }, '/p?page=2'],
  ['/p?page=2&per_page=9', { 'x-total-pages': '3' }, '/p?page=3&per_page=9'],
  ['/p?page=3', { 'x-wp-totalpages': '3' }, null],
  ['/p', { 'x-wp-totalpages': '1' }, null],
  ['/p', { 'x-wp-totalpages': 'many' }, null],
  ['/p?page=all', { 'x-wp-totalpages': '3' }, null],
  ['/p?offset=10', { 'x-wp-totalpages': '3' }, null],
  ['/p?page=2', { 'x-wp-totalpages': '3', link: '</p?page=9>; rel="next"' }, '/p?page=9'],
  ['/p', {}, null],
])('given the answer of %s with %j, when its next page is read, then it is %j', (path, headers, expected) => {
  const next = nextPageOf(headers, new URL(path, 'https://a.example'))
  expect(next?.replace('https://a.example', '') ?? null).toBe(expected)
})
