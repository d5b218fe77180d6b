import { readFile } from 'node:fs/promises'
import { PRODUCT } from '@catalog/crawler/fetch/fetcher.ts'
import { readRobotsTag } from '@catalog/crawler/fetch/robots-tag.ts'
import { matchesGlob } from '@catalog/crawler/sources/globs.ts'
import { PAGE_BYTES_MAX, pageText } from '@catalog/formats/pages/page.ts'
import { linksOf, PAGE_LINKS_MAX, type PageLinks } from '@catalog/formats/pages/page-links.ts'
import { formatOfName } from '@catalog/formats/format.ts'
import type { Body, Bringer, Brought } from './frontier.ts'

/** The pages of a shop, as its sitemaps name them or as its links lead to them. */

/** What an operator says of the addresses of a shop: empty is every one, and `exclude` comes before both. */
export type Globs = Readonly<{ include: readonly string[]; exclude: readonly string[]; follow?: readonly string[] }>

/** Addresses that wait for the fetcher's turns at once; more would not come sooner. */
const IN_FLIGHT_MAX = 8
/** Links to these are not asked for: no prices stand there that we can read. */
const NO_PAGE =
  /\.(pdf|docx?|jpe?g|png|gif|webp|avif|svg|ico|bmp|tiff?|mp[34]|webm|mov|avi|css|m?js|woff2?|ttf|eot|exe|dmg|apk|dwg|dxf|ifc|rfa)$/i

/** Pages that are documents, in any order. */
export async function gatherPages(urls: readonly string[], globs: Globs, bringer: Bringer): Promise<void> {
  const queue: Page[] = urls.map((url) => ({ url, isDocument: true, isWalked: false }))
  const place = { globs, isOurs: () => true, follow: () => {} }
  await gatherAll(queue, { bringer, take: (page) => gatherPage(page, place, bringer) })
}

/**
 * The pages of a site by their links, breadth first from the entry point: those that match `include` are documents, the
 * links of those that match `follow` are followed, and of any page that is followed its rel=next is. Never leaves the
 * origin to which the entry point leads.
 */
export async function gatherSite(entry: Globs & Readonly<{ url: string }>, bringer: Bringer): Promise<void> {
  if (!bringer.admit(entry.url)) return
  const isDocument = (url: URL) => matchesEvery(entry.include, url)
  const isEntryDocument = isIncluded(entry, new URL(entry.url))
  const queue: Page[] = [{ url: entry.url, isDocument: isEntryDocument, isWalked: true }]
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
        const isWalked = url.href === next?.href || matchesEvery(entry.follow ?? [], url)
        const page = { url: url.href, isDocument: isDocument(url), isWalked }
        if ((page.isDocument || page.isWalked) && bringer.admit(page.url)) queue.push(page)
      }
      if (links.cut)
        bringer.cut('LINKS_CUT', `${from.href}: expected at most ${PAGE_LINKS_MAX} links, and no deeper nesting`)
    },
  }
  await gatherAll(queue, {
    bringer,
    async take(page) {
      const brought = await gatherPage(page, place, bringer)
      if (page.url !== entry.url) return brought
      if (brought.status === 'gone') bringer.cut('GONE', brought.sentence)
      if (brought.status === 'missed') bringer.cutAlready()
      return brought
    },
  })
}

type Page = Readonly<{ url: string; isDocument: boolean; isWalked: boolean /** It was put off once. */; isLast?: true }>
/** Where pages are looked for. */
type Place = Readonly<{
  globs: Globs
  /** Of the address where the redirects of a page led. */
  isOurs: (url: URL) => boolean
  follow: (links: PageLinks, from: URL) => void
}>

async function gatherPage(page: Page, { globs, isOurs, follow }: Place, bringer: Bringer): Promise<Brought> {
  const brought = await bringer.bring(page.url, { bytesMax: PAGE_BYTES_MAX, isPutOff: page.isLast !== true })
  if (brought.status !== 'came') return brought
  const { body } = brought
  const url = new URL(body.url)
  const isMoved = url.href !== page.url
  const format = formatOf(body)
  // Shops send those who look for a product that is gone to the page of its kind, or to the first of all.
  const isAnother = isMoved && (matchesAny(globs.exclude, url) || !bringer.arrive(url.href))
  if (format === undefined || !isOurs(url) || isAnother) {
    await bringer.leave(body, { isSettled: true })
    return brought
  }
  const tag = readRobotsTag(body.robotsTag, PRODUCT)
  let isIndexed = !tag.noindex
  let isWalked = false
  if (format === 'html') {
    const text = pageText(await readFile(body.file), { charset: body.charset ?? undefined })
    const links = linksOf(text, body.url, [PRODUCT])
    isIndexed &&= !links.noindex
    isWalked = page.isWalked && !tag.nofollow && !links.nofollow
    if (isWalked) follow(links, url)
  }
  const isDocument = page.isDocument && isIndexed && (!isMoved || matchesEvery(globs.include, url))
  const expectsOffer = globs.include.length > 0
  if (isDocument) await bringer.keep(body, { kept: 'document', format, expectsOffer })
  else if (isWalked) await bringer.keep(body, { kept: 'walked', format })
  else await bringer.leave(body, { isSettled: true })
  return brought
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
  { bringer, take }: { bringer: Bringer; take: (page: Page) => Promise<Brought> },
): Promise<void> {
  const underWay = new Set<Promise<void>>()
  let at = 0
  async function takeNext(): Promise<void> {
    const page = queue[at++] as Page
    const { status } = await take(page)
    if (status === 'later') queue.push({ ...page, isLast: true })
  }
  try {
    while (at < queue.length || underWay.size > 0) {
      while (at < queue.length && underWay.size < IN_FLIGHT_MAX) {
        const taking = takeNext().finally(() => {
          underWay.delete(taking)
          bringer.progress(queue.length - at + underWay.size)
        })
        underWay.add(taking)
      }
      await Promise.race(underWay)
    }
  } finally {
    await Promise.allSettled(underWay)
  }
}
