import type { PageParts } from '@catalog/api/page-parts.ts'
import { html, type Markup } from '@catalog/pages/markup.ts'
import { type CatalogReader, nothingThere, type PageFailure } from './catalog-reader.ts'

/**
 * The addresses of all pages for search engines (sitemaps.org): an index, a list of the few, and lists of items by the
 * first letters of their ids, so that a new item moves no other one into another list.
 */

/** A list may have 50,000 addresses; short ones are written fast. */
const LIST_ITEMS_MAX = 50_000
const LIST_ITEMS_WANTED = 5_000
/** What ids are made of after `ci_`. */
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz234567']

/** Search results and comparisons are without end, and the console is for its people. */
export const robotsText = (origin: string): string =>
  `User-agent: *\nDisallow: /console\nDisallow: /search\nDisallow: /compare\n\nSitemap: ${origin}/sitemap.xml\n`

export async function sitemapIndex(read: CatalogReader, origin: string): Promise<Markup> {
  const { total } = await read.items({ limit: 1, include: 'total' })
  const lists = ['pages', ...prefixesFor(total?.count ?? 0).map((prefix) => `items-${prefix}`)]
  const entries = lists.map((list) => html`<sitemap><loc>${origin}/sitemaps/${list}.xml</loc></sitemap>`)
  return `${XML}<sitemapindex ${NAMESPACE}>${entries.join('\n')}</sitemapindex>\n`
}

/** The beginnings of ids, each of so few items that its list is short. */
export function prefixesFor(items: number): readonly string[] {
  let prefixes: readonly string[] = LETTERS
  while (items / prefixes.length > LIST_ITEMS_WANTED)
    prefixes = prefixes.flatMap((prefix) => LETTERS.map((letter) => prefix + letter))
  return prefixes
}

/** One list of the index. Throws {@link PageFailure} for a name that the index cannot have. */
export async function sitemapList(
  name: string,
  { read, origin, itemsByPrefix }: Pick<PageParts, 'origin' | 'itemsByPrefix'> & { read: CatalogReader },
): Promise<Markup> {
  if (name === 'pages.xml') return listOf(origin, await pageAddresses(read))
  const prefix = /^items-([a-z2-7]{1,5})\.xml$/.exec(name)?.[1]
  if (prefix === undefined) throw nothingThere()
  const items = itemsByPrefix({ prefix: `ci_${prefix}`, max: LIST_ITEMS_MAX })
  return listOf(
    origin,
    items.map(({ item_id, updated_at }) => ({ path: `/items/${item_id}`, changed: updated_at })),
  )
}

type Address = Readonly<{ path: string; changed?: string }>

async function pageAddresses(read: CatalogReader): Promise<Address[]> {
  const [{ categories }, sources] = await Promise.all([read.categoryTree(), sourceIds(read)])
  type Node = (typeof categories)[number]
  const below = (nodes: readonly Node[]): string[] => nodes.flatMap(({ id, children }) => [id, ...below(children)])
  const own = ['/', '/categories', '/changes', '/bill', '/sources', '/docs', '/plans']
  return [...own, ...below(categories).map((id) => `/categories/${id}`), ...sources.map((id) => `/sources/${id}`)].map(
    (path) => ({ path }),
  )
}

async function sourceIds(read: CatalogReader): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await read.sources({ limit: 100, cursor })
    ids.push(...page.sources.map(({ id }) => id))
    if (page.cursor === null || ids.length >= LIST_ITEMS_MAX / 2) return ids
    cursor = page.cursor
  }
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

function listOf(origin: string, addresses: readonly Address[]): Markup {
  const entries = addresses.map(
    ({ path, changed }) =>
      html`<url><loc>${origin}${path}</loc>!${changed === undefined ? '' : html`<lastmod>${changed}</lastmod>`}</url>`,
  )
  return `${XML}<urlset ${NAMESPACE}>${entries.join('\n')}</urlset>\n`
}
