import { sha256Hex } from '@catalog/core/digest.ts'
import { fileSource } from '@catalog/crawler/ingest/inputs.ts'
import { BadGzip, gunzipped } from '@catalog/formats/bytes/gzip.ts'
import type { BrokenRecord } from '@catalog/formats/bytes/record.ts'
import { headOf, rootOf } from '@catalog/formats/bytes/sniff.ts'
import { readSitemap, SITEMAP_BYTES_MAX } from '@catalog/formats/links/sitemap.ts'
import type { Body, Frontier } from './frontier.ts'
import { type Globs, gatherPages, isIncluded } from './gather-pages.ts'

/** Sitemaps of one crawl; shops with a million products have some thousands. */
const SITEMAPS_MAX = 5_000
/** The reader stops an overlong sitemap at the protocol's limit and reports that. */
const BODY_BYTES_MAX = 2 * SITEMAP_BYTES_MAX

/**
 * Fetches the pages that a sitemap or the sitemaps of an index name. Leaves out pages with a lastmod before `since`.
 * Fetches each sitemap once, without conditions; a page that is gone is no problem.
 */
export async function gatherSitemap(
  {
    url,
    first,
    ...globs
  }: Globs & Readonly<{ url: string /** The sitemap's body, where it was fetched already. */; first?: Body }>,
  { since, frontier }: Readonly<{ since: Date | null; frontier: Frontier }>,
): Promise<void> {
  const sitemaps = [url]
  const pages: string[] = []
  const known = new Set(sitemaps)
  for (let at = 0; at < sitemaps.length && (at === 0 || frontier.hasRoom()); at++) {
    const body = at === 0 && first !== undefined ? first : await sitemapAt(sitemaps[at] as string, frontier)
    if (body === null) continue
    await frontier.keep(body, { kept: 'walked', format: null })
    for await (const found of foundIn(body, frontier)) {
      if (found.kind === 'sitemap') {
        if (known.has(found.url)) continue
        if (known.size >= SITEMAPS_MAX) {
          frontier.reportIncomplete(
            'SITEMAPS_MAX',
            `${body.name}: expected at most ${SITEMAPS_MAX} sitemaps of one source`,
          )
          break
        }
        known.add(found.url)
        sitemaps.push(found.url)
      } else if (isIncluded(globs, new URL(found.url))) {
        const isUnchanged = since !== null && found.lastmod !== null && new Date(found.lastmod) < since
        if (isUnchanged) frontier.markPartial()
        else if (frontier.admit(found.url)) pages.push(found.url)
      }
    }
    frontier.reportProgress(sitemaps.length - at - 1 + pages.length)
  }
  await gatherPages(shuffled(pages), globs, frontier)
}

/**
 * A fixed pseudorandom order. Neighbours in a sitemap are of one kind and fail together, and after three failures in a
 * row the fetcher pauses the host.
 */
function shuffled(urls: readonly string[]): readonly string[] {
  const keyed = urls.map((url) => [sha256Hex(url).slice(0, 12), url] as const)
  return keyed.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, url]) => url)
}

async function sitemapAt(url: string, frontier: Frontier): Promise<Body | null> {
  const outcome = await frontier.fetch(url, { bytesMax: BODY_BYTES_MAX })
  if (outcome.status === 'fetched') return outcome.body
  if (outcome.status === 'gone') frontier.reportIncomplete('GONE', outcome.sentence)
  else frontier.markIncomplete()
  return null
}

type Found = Readonly<{ kind: 'url' | 'sitemap'; url: string; lastmod: string | null }>

/** Reports broken entries once for each reason. */
async function* foundIn({ file, name, url }: Body, frontier: Frontier): AsyncGenerator<Found, void, undefined> {
  const broken = new Map<string, { first: BrokenRecord; count: number }>()
  try {
    for await (const batch of readSitemap(gunzipped(fileSource({ path: file, name })), { url })) {
      for (const one of batch) {
        if (!('reason' in one)) yield one
        else if (one.endsFile) frontier.reportIncomplete(one.reason, `${name}: ${one.detail}`)
        else
          broken.set(one.reason, {
            first: broken.get(one.reason)?.first ?? one,
            count: (broken.get(one.reason)?.count ?? 0) + 1,
          })
      }
    }
  } catch (error) {
    if (!(error instanceof BadGzip)) throw error
    frontier.reportIncomplete(error.reason, `${error.message}, expected a sitemap`)
  }
  for (const [reason, { first, count }] of broken) {
    frontier.report(reason, `${count} ${count === 1 ? 'entry' : 'entries'}: ${first.position}: ${first.detail}`)
  }
}

/** Whether a body, plain or in gzip, has the root element of a sitemap. */
export async function isSitemap({ file, name }: Body): Promise<boolean> {
  try {
    return ROOTS.has(rootOf(await headOf(gunzipped(fileSource({ path: file, name })))))
  } catch (error) {
    if (!(error instanceof BadGzip)) throw error
    return false
  }
}
const ROOTS: ReadonlySet<string> = new Set(['urlset', 'sitemapindex'])
