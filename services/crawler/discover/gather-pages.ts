import { readFile } from 'node:fs/promises'
import { PRODUCT } from '@catalog/crawler/fetch/fetcher.ts'
import { readRobotsTag } from '@catalog/crawler/fetch/robots-tag.ts'
import { matchesGlob } from '@catalog/crawler/sources/globs.ts'
import { formatOfName } from '@catalog/formats/format.ts'
import { PAGE_BYTES_MAX, pageText } from '@catalog/formats/pages/page.ts'
import { linksOf, PAGE_LINKS_MAX, type PageLinks } from '@catalog/formats/pages/page-links.ts'
import type { Body, FetchOutcome, Frontier } from './frontier.ts'

/** The pages of a shop, as its sitemaps name them or as its links lead to them. */

/** What an operator says of the addresses of a shop: empty is every one, and `exclude` comes before both. */
export type Globs = Readonly<{ include: readonly string[]; exclude: readonly string[]; follow?: readonly string[] }>

/** Addresses that wait for the fetcher's turns at once; more would not come sooner. */
const IN_FLIGHT_MAX = 8
/** Links to these are not asked for: no prices stand there that we can read. */
const NO_PAGE =
  /\.(pdf|docx?|jpe?g|png|gif|webp|avif|svg|ico|bmp|tiff?|mp[34]|webm|mov|avi|css|m?js|woff2?|ttf|eot|exe|dmg|apk|dwg|dxf|ifc|rfa)$/i

/** Pages that are documents, in any order. */
export async function gatherPages(urls: readonly string[], globs: Globs, frontier: Frontier): Promise<void> {
  const queue: Page[] = urls.map((url) => ({ url, isDocument: true, isFollowed: false }))
  const place = { globs, isOurs: () => true, follow: () => {} }
  await gatherAll(queue, { frontier, take: (page) => gatherPage(page, place, frontier) })
}

/**
 * The pages of a site by their links, breadth first from the entry point: those that match `include` are documents, the
 * links of those that match `follow` are followed, and of any page that is followed its rel=next is. Never leaves the
 * origin to which the entry point leads.
 */
export async function gatherSite(entry: Globs & Readonly<{ url: string }>, frontier: Frontier): Promise<void> {
  if (!frontier.admit(entry.url)) return
  const isDocument = (url: URL) => matchesEvery(entry.include, url)
  const isEntryDocument = isIncluded(entry, new URL(entry.url))
  const queue: Page[] = [{ url: entry.url, isDocument: isEntryDocument, isFollowed: true }]
  let origin: string | null = null

  const place: Place = {
    globs: entry,
    isOurs(url) {
      origin ??= url.origin
      return url.origin === origin
    },
    follow(links, from) {
      const next = links.next === null ? null : secured(links.next, from)
      for (const href of next === null ? links.hrefs : [next.href, ...links.hrefs]) {
        const url = secured(href, from)
        if (url.origin !== origin || !isPage(url) || matchesAny(entry.exclude, url)) continue
        const isFollowed = url.href === next?.href || matchesEvery(entry.follow ?? [], url)
        const page = { url: url.href, isDocument: isDocument(url), isFollowed }
        if ((page.isDocument || page.isFollowed) && frontier.admit(page.url)) queue.push(page)
      }
      if (links.cut)
        frontier.reportIncomplete(
          'LINKS_CUT',
          `${from.href}: expected at most ${PAGE_LINKS_MAX} links, and no deeper nesting`,
        )
    },
  }
  await gatherAll(queue, {
    frontier,
    async take(page) {
      const outcome = await gatherPage(page, place, frontier)
      if (page.url !== entry.url) return outcome
      if (outcome.status === 'gone') frontier.reportIncomplete('GONE', outcome.sentence)
      if (outcome.status === 'missed') frontier.markIncomplete()
      return outcome
    },
  })
}

type Page = Readonly<{
  url: string
  isDocument: boolean
  isFollowed: boolean /** It was put off once. */
  isLast?: true
}>
/** Where pages are looked for. */
type Place = Readonly<{
  globs: Globs
  /** Of the address where the redirects of a page led. */
  isOurs: (url: URL) => boolean
  follow: (links: PageLinks, from: URL) => void
}>

async function gatherPage(page: Page, { globs, isOurs, follow }: Place, frontier: Frontier): Promise<FetchOutcome> {
  const outcome = await frontier.fetch(page.url, { bytesMax: PAGE_BYTES_MAX, isDeferrable: page.isLast !== true })
  if (outcome.status !== 'fetched') return outcome
  const { body } = outcome
  const url = new URL(body.url)
  const isMoved = url.href !== page.url
  const format = formatOf(body)
  // Shops send those who look for a product that is gone to the page of its kind, or to the first of all.
  const isAnother = isMoved && (matchesAny(globs.exclude, url) || !frontier.redirectedTo(url.href))
  if (format === undefined || !isOurs(url) || isAnother) {
    await frontier.discard(body, { isSettled: true })
    return outcome
  }
  const tag = readRobotsTag(body.robotsTag, PRODUCT)
  let isIndexed = !tag.noindex
  let isFollowed = false
  if (format === 'html') {
    const text = pageText(await readFile(body.file), { charset: body.charset ?? undefined })
    const links = linksOf(text, body.url, [PRODUCT])
    isIndexed &&= !links.noindex
    isFollowed = page.isFollowed && !tag.nofollow && !links.nofollow
    if (isFollowed) follow(links, url)
  }
  const isDocument = page.isDocument && isIndexed && (!isMoved || matchesEvery(globs.include, url))
  const expectsOffer = globs.include.length > 0
  if (isDocument) await frontier.keep(body, { kept: 'document', format, expectsOffer })
  else if (isFollowed) await frontier.keep(body, { kept: 'walked', format })
  else await frontier.discard(body, { isSettled: true })
  return outcome
}

/** Null: as its bytes say. Undefined for what has no records to read: images, programs, documents for people. */
function formatOf({ contentType, url }: Body): 'html' | null | undefined {
  if (contentType === null || HTML.has(contentType)) return 'html'
  const isReadable = READABLE.test(contentType) || formatOfName(new URL(url).pathname) !== null
  return isReadable ? null : undefined
}
const HTML: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml'])
const READABLE =
  /[/+](xml|json|jsonl|x-ndjson|csv|tab-separated-values)$|spreadsheetml|^application\/(zip|gzip|x-gzip)$/

/** Whether an address may be one of a page, by the end of its path. */
const isPage = (url: URL) => !NO_PAGE.test(url.pathname)
const matchesAny = (globs: readonly string[], url: URL) => globs.some((glob) => matchesGlob(glob, url))
const matchesEvery = (globs: readonly string[], url: URL) => globs.length === 0 || matchesAny(globs, url)
/** Whether an address is one of a document. */
export const isIncluded = ({ include, exclude }: Globs, url: URL) =>
  isPage(url) && !matchesAny(exclude, url) && matchesEvery(include, url)

/** Shops behind a proxy write http:// for what is only served by https. */
export function secured(address: string, from: URL): URL {
  const url = new URL(address, from)
  if (from.protocol === 'https:' && url.host === from.host) url.protocol = 'https:'
  return url
}

/**
 * Takes what waits, and what is added meanwhile, some at once; what is put off comes once more at the end. The first error
 * ends it when the others came to rest.
 */
async function gatherAll(
  queue: Page[],
  { frontier, take }: { frontier: Frontier; take: (page: Page) => Promise<FetchOutcome> },
): Promise<void> {
  const underWay = new Set<Promise<void>>()
  let at = 0
  async function takeNext(): Promise<void> {
    const page = queue[at++] as Page
    const { status } = await take(page)
    if (status === 'deferred') queue.push({ ...page, isLast: true })
  }
  try {
    while (at < queue.length || underWay.size > 0) {
      while (at < queue.length && underWay.size < IN_FLIGHT_MAX) {
        const taking = takeNext().finally(() => {
          underWay.delete(taking)
          frontier.reportProgress(queue.length - at + underWay.size)
        })
        underWay.add(taking)
      }
      await Promise.race(underWay)
    }
  } finally {
    await Promise.allSettled(underWay)
  }
}
