import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HOUR_MS } from '@catalog/core/time.ts'
import { openDownloads } from '@catalog/mirror/downloads.ts'
import type { Fallback } from '@catalog/mirror/mirror.ts'
import { JsonFields, jsonOf } from '@catalog/mirror/origin-state.ts'
import { openFetch } from '@catalog/runtime/fetch.ts'

/** The mirrors that an origin listed last, kept beside the copies for the time when it does not answer. */

/** Name of the list in the folder of the copies. */
const LIST = 'mirrors.json'
const MIRRORS_MAX = 20
const LIST_BYTES_MAX = 262_144
const LIST_EVERY_MS = HOUR_MS
/** Of each listed mirror: another one may answer. */
const ATTEMPTS_MAX = 2

/** A listed mirror: how many changes it lacked when its origin saw it last; null where that is not known. */
type Listed = Readonly<{ url: string; scopes: readonly string[]; lag: number | null }>

export type MirrorList = Fallback &
  Readonly<{
    /** Asks the origin for its list, at most once an hour, and keeps it. An origin of plain files has none. Never throws. */
    remember: (signal: AbortSignal) => Promise<void>
  }>

/** `allowed`: networks beside the public internet that a listed mirror may be in. */
export function openMirrorList({
  url,
  into,
  allowed,
}: Readonly<{ url: string; into: string; allowed: readonly string[] }>): MirrorList {
  const file = join(into, LIST)
  const origin = openDownloads({ limits: { attempts: 1, bytesMax: LIST_BYTES_MAX } })
  let askedMs = Number.NEGATIVE_INFINITY
  return {
    // The origin chose these addresses, so they are guarded as those of any other stranger.
    downloads: openDownloads({ fetch: openFetch({ allowed }) as typeof fetch, limits: { attempts: ATTEMPTS_MAX } }),
    addresses: (scope) =>
      listIn(file, url)
        .filter(({ scopes }) => scopes.includes(scope))
        .toSorted((a, b) => (a.lag ?? Number.POSITIVE_INFINITY) - (b.lag ?? Number.POSITIVE_INFINITY))
        .map((mirror) => mirror.url),
    async remember(signal) {
      if (performance.now() - askedMs < LIST_EVERY_MS) return
      askedMs = performance.now()
      try {
        const address = `${url.replace(/\/$/, '')}/mirrors`
        const answer = await origin.get(address, { signal })
        if (answer.kind !== 'found') return
        const mirrors = mirrorsOf(jsonOf(answer.bytes, address), address)
        await writeFile(file, JSON.stringify({ origin: url, mirrors }))
      } catch {
        // An earlier list stays: the copies are in sync without it.
      }
    },
  }
}

/** Throws a MirrorError for another document. */
function mirrorsOf(document: unknown, place: string): Listed[] {
  return new JsonFields(document, place)
    .list('mirrors')
    .slice(0, MIRRORS_MAX)
    .map((value, i) => {
      const mirror = new JsonFields(value, `${place}: mirror ${i}`)
      const lag = mirror.optional('lag')
      return {
        url: mirror.text('url'),
        scopes: mirror.list('scopes').map(String),
        lag: lag?.has('changes') ? lag.wholeNumber('changes') : null,
      }
    })
    .filter(({ url }) => ['http:', 'https:'].includes(URL.parse(url)?.protocol ?? ''))
}

/** The kept list of this origin; empty where there is none that can be read. */
function listIn(file: string, origin: string): readonly Listed[] {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as { origin: string; mirrors: readonly Listed[] }
    return kept.origin === origin ? kept.mirrors : []
  } catch {
    return []
  }
}
