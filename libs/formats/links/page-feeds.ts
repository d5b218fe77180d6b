import { PageTooDeep, walkPage, webAddress } from '@catalog/formats/pages/page.ts'

/** What a page names for machines, on its own host. All addresses are absolute, without fragments. */
export type PageFeeds = Readonly<{
  /** Feeds, each once: alternates of a feed's type first, then links whose path says so. */
  feeds: readonly string[]
  /** Root of the API of WordPress, by its `rel=https://api.w.org/`; null without one. */
  restApi: string | null
}>

/** Feeds kept of one page, of each of the two kinds of link. */
const FEEDS_MAX = 20
const FEED_TYPE = /^(?:application|text)\/(?:rss\+|atom\+)?xml\b/i
/** A path that says so: `/feed.xml`, `/google/merchant.xml.gz`, `/feed/`. */
const FEED_PATH = /(?:\.(?:xml|rss|atom)(?:\.gz)?|\/(?:feed|rss|atom)\/?)$/i
/** Sitemaps, and the comments of a blog, are no feeds of products. */
const NO_PRODUCTS = /sitemap|\/comments\//i

/** The feeds and the API that a page fetched from `baseUrl` names; what stands beyond a too deep nesting is left out. */
export function feedsOf(html: string, baseUrl: string): PageFeeds {
  const { host } = new URL(baseUrl)
  const alternates = new Set<string>()
  const linked = new Set<string>()
  let restApi: string | null = null
  try {
    walkPage(html, {
      open(name, { href, rel = '', type = '' }) {
        if (href === undefined || (name !== 'link' && name !== 'a')) return
        const url = webAddress(href, baseUrl)
        if (url === null || new URL(url).host !== host) return
        const { pathname } = new URL(url)
        const rels = rel.toLowerCase().split(/\s+/)
        if (rels.includes('https://api.w.org/')) restApi ??= url
        else if (NO_PRODUCTS.test(pathname)) return
        else if (rels.includes('alternate') && FEED_TYPE.test(type)) addTo(alternates, url)
        else if (name === 'a' && FEED_PATH.test(pathname)) addTo(linked, url)
      },
    })
  } catch (error) {
    if (!(error instanceof PageTooDeep)) throw error
  }
  return { feeds: [...new Set([...alternates, ...linked])], restApi }
}

function addTo(urls: Set<string>, url: string): void {
  if (urls.size < FEEDS_MAX) urls.add(url)
}
