import { expect, test } from 'vitest'
import { feedsOf } from './page-feeds.ts'

const AT = 'https://shop.example/de/'

test('feeds of a page are its alternates, then the links whose path says so', () => {
  const html = `<link rel="alternate" type="application/rss+xml" href="/feed/#top">
    <link rel="alternate" type="application/rss+xml" href="/comments/feed/">
    <link rel="alternate" hreflang="en" href="/en/">
    <link rel="alternate" type="application/xml" href="/google.php?id=1">
    <a href="/export/merchant.xml.gz">Feed</a><a href="/products/bird-feed">Bird feed</a>
    <a href="/sitemap_products.xml">Map</a><a href="/feed/">Again</a>`
  expect(feedsOf(html, AT)).toEqual({
    feeds: [
      'https://shop.example/feed/',
      'https://shop.example/google.php?id=1',
      'https://shop.example/export/merchant.xml.gz',
    ],
    restApi: null,
  })
})

test('the API of WordPress stands where the page says', () => {
  const html = '<link rel="https://api.w.org/" href="https://shop.example/store/wp-json/">'
  expect(feedsOf(html, AT)).toEqual({ feeds: [], restApi: 'https://shop.example/store/wp-json/' })
})

test('addresses of other hosts, and what is no address, are left out', () => {
  const html = `<link rel="https://api.w.org/" href="http://169.254.169.254/">
    <link rel="alternate" type="application/atom+xml" href="https://feeds.example/shop">
    <a href="javascript:feed.xml">x</a><a href="https://other.example/feed.xml">y</a>`
  expect(feedsOf(html, AT)).toEqual({ feeds: [], restApi: null })
})

test('a page lists at most twenty feeds of each kind', () => {
  const html = Array.from({ length: 1_000 }, (_, n) => `<a href="/${n}.xml">${n}</a>`).join('')
  expect(feedsOf(html, AT).feeds).toHaveLength(20)
})
