import { PAGE_DEPTH_MAX } from '@catalog/formats/pages/page.ts'
import { expect, test } from 'vitest'
import { linksOf, PAGE_LINKS_MAX } from './page-links.ts'

const base = 'https://shop.example/bricks/?page=1'

test('lists links to pages of the same host, each once and absolute', () => {
  const html = `<a href="/p/1">1</a><a href="2#top">2</a><A HREF='https://shop.example/p/1#reviews'>1</A>
    <a href="https://other.example/">o</a><a href="mailto:a@b.example">m</a><a href="javascript:void(0)">j</a>
    <a href="/cart" rel="nofollow ugc">c</a><a href="http://[">x</a><a name=top>t</a><area href="/p/3?a=1&amp;b=2">`
  expect(linksOf(html, base)).toEqual({
    canonical: null,
    next: null,
    hrefs: ['https://shop.example/p/1', 'https://shop.example/bricks/2', 'https://shop.example/p/3?a=1&b=2'],
    noindex: false,
    nofollow: false,
    isCut: false,
  })
})

test('finds the canonical address and the next page', () => {
  const html = '<base href="/de/"><link rel="canonical" href="bricks"><a rel="next" href="?page=2">more</a>'
  expect(linksOf(html, base)).toMatchObject({
    canonical: 'https://shop.example/de/bricks',
    next: 'https://shop.example/de/?page=2',
  })
})

test.each([
  ['<meta name="robots" content="NOINDEX, follow">', { noindex: true, nofollow: false }],
  ['<meta name="ROBOTS" content="none">', { noindex: true, nofollow: true }],
  ['<meta name="catalog" content="nofollow">', { noindex: false, nofollow: true }],
  ['<meta name="otherbot" content="noindex,nofollow">', { noindex: false, nofollow: false }],
])('reads robot rules: %s', (html, expected) => {
  expect(linksOf(html, base, ['catalog'])).toMatchObject(expected)
})

test('reports a page with too many links or too deep nesting', () => {
  const many = Array.from({ length: PAGE_LINKS_MAX + 1 }, (_, i) => `<a href="/p/${i}">x</a>`).join('')
  const links = linksOf(many, base)
  expect([links.hrefs.length, links.isCut]).toEqual([PAGE_LINKS_MAX, true])
  const deep = `<a href="/p/1">x</a>${'<b>'.repeat(PAGE_DEPTH_MAX + 1)}`
  expect(linksOf(deep, base)).toMatchObject({ hrefs: ['https://shop.example/p/1'], isCut: true })
})
