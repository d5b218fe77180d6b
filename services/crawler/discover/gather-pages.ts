import { readFile } from 'node:fs/promises'
import { PRODUCT } from '@catalog/crawler/fetch/fetcher.ts'
import { readRobotsTag } from '@catalog/crawler/fetch/robots-tag.ts'
import { matchesGlob } from '@catalog/crawler/sources/globs.ts'
import { formatOfName } from '@catalog/formats/format.ts'
import { linksOf, PAGE_LINKS_MAX, type PageLinks } from '@catalog/formats/links/page-links.ts'
import { PAGE_BYTES_MAX, pageText } from '@catalog/formats/pages/page.ts'
import type { Body, FetchOutcome, Frontier } from './frontier.ts'

/** Fetches the pages of a shop that sitemaps name or links lead to. */

/** The operator's rules for addresses. An empty list allows every address, and `exclude` comes first. */
export type Globs = Readonly<{ include: readonly string[]; exclude: readonly string[]; follow?: readonly string[] }>

/** Addresses that wait for the fetcher at once. More would not arrive sooner. */
const IN_FLIGHT_MAX = 8
/** Extensions of links that have no prices that this crawler can read. */
const NO_PAGE =
  /\.(pdf|docx?|jpe?g|png|gif|webp|avif|svg|ico|bmp|tiff?|mp[34]|webm|mov|avi|css|m?js|woff2?|ttf|eot|exe|dmg|apk|dwg|dxf|ifc|rfa)$/i

/** Fetches pages as documents, in any order. */
export async function gatherPages(urls: readonly string[], globs: Globs, frontier: Frontier): Promise<void> {
  const queue: Page[] = urls.map((url) => ({ url, isDocument: true, isFollowed: false }))
  const place = { globs, isOurs: () => true, follow: () => {} }
  await gatherAll(queue, { frontier, take: (page) => gatherPage(page, place, frontier) })
}

/**
 * Fetches a site breadth first from its entry point. Pages that match `include` are documents. The crawl follows the
 * links of pages that match `follow`, and rel=next of every followed page. It never leaves the origin that the entry
 * point leads to.
 */
export async function gatherSite(entry: Globs & Readonly<{ url: string }>, frontier: Frontier): Promise<void> {
  if (!frontier.admit(entry.url)) return
  const isDocument = (url: URL) => matchesEvery(entry.include, url)
  const isEntryDocument = isIncluded(entry, new URL(entry.url))
  const queue: Page[] = [{ url: entry.url, isEntry: true, isDocument: isEntryDocument, isFollowed: true }]
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
      if (links.isCut)
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
      if (page.isEntry !== true) return outcome
      if (outcome.status === 'gone') frontier.reportIncomplete('GONE', outcome.sentence)
      if (outcome.status === 'missed') frontier.markIncomplete()
      return outcome
    },
  })
}

type Page = Readonly<{
  url: string
  /** An operator named it. */
  isEntry?: true
  isDocument: boolean
  isFollowed: boolean /** It was deferred once. */
  isLast?: true
}>
/** The rules for the pages of one entry point. */
type Place = Readonly<{
  globs: Globs
  /** Whether the address after redirects belongs to the source. */
  isOurs: (url: URL) => boolean
  follow: (links: PageLinks, from: URL) => void
}>

async function gatherPage(page: Page, { globs, isOurs, follow }: Place, frontier: Frontier): Promise<FetchOutcome> {
  const isDeferrable = page.isLast !== true
  const outcome = await frontier.fetch(page.url, {
    bytesMax: PAGE_BYTES_MAX,
    isDeferrable,
    isLink: page.isEntry !== true,
  })
  if (outcome.status !== 'fetched') return outcome
  const { body } = outcome
  const url = new URL(body.url)
  const isMoved = url.href !== page.url
  const format = formatOf(body)
  // Many shops redirect a removed product to its category or to the front page.
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

/** Null: detect the format from the bytes. Undefined: an image, a program or a text without records. */
function formatOf({ contentType, url }: Body): 'html' | null | undefined {
  if (contentType === null || HTML_TYPES.has(contentType)) return 'html'
  const isReadable = READABLE.test(contentType) || formatOfName(new URL(url).pathname) !== null
  return isReadable ? null : undefined
}
/** Types of pages for people. */
export const HTML_TYPES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml'])
const READABLE =
  /[/+](xml|json|jsonl|x-ndjson|csv|tab-separated-values)$|spreadsheetml|^application\/(zip|gzip|x-gzip)$/

/** Whether the path of an address may belong to a page. */
const isPage = (url: URL) => !NO_PAGE.test(url.pathname)
const matchesAny = (globs: readonly string[], url: URL) => globs.some((glob) => matchesGlob(glob, url))
const matchesEvery = (globs: readonly string[], url: URL) => globs.length === 0 || matchesAny(globs, url)
/** Whether an address belongs to a document. */
export const isIncluded = ({ include, exclude }: Globs, url: URL) =>
  isPage(url) && !matchesAny(exclude, url) && matchesEvery(include, url)

/** Resolves a link, over https where its page came from the same host over https: some proxies write http. */
export function secured(address: string, from: URL): URL {
  const url = new URL(address, from)
  if (from.protocol === 'https:' && url.host === from.host) url.protocol = 'https:'
  return url
}

/**
 * Takes the pages of a growing queue, several at once, and deferred pages once more at the end. Throws the first error
 * after the others in progress have ended.
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
