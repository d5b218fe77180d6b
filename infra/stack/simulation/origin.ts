import { feedReader } from '@catalog/api/feeds/feed-reader.ts'
import { documentCache } from '@catalog/api/http/cache.ts'
import { watchCatalog } from '@catalog/api/http/catalog-version.ts'
import { digestJson } from '@catalog/core/changes/digest-document.ts'
import { sha256Hex } from '@catalog/core/digest.ts'
import type { Answer, Downloads, RequestOptions } from '@catalog/mirror/downloads.ts'
import { MirrorError } from '@catalog/mirror/mirror-error.ts'
import { openReplica } from '@catalog/replica/follow/replica.ts'
import { readDigest } from '@catalog/replica/read/feeds.ts'
import type { FeedLine } from '@catalog/stack/model/verdict.ts'
import type { Store } from '@catalog/store/db.ts'
import type { SimulatedProcess } from './scheduler.ts'

/** The feeds as the API answers them, for readers and mirrors of a simulated network. */

export const BASE_URL = 'https://catalog.example/v1'
const CACHE_BYTES = 1_000_000

/** The API's feeds over a store; `bytes` of a document below /v1/feeds/, or null where it has none. */
export type Origin = Readonly<{
  bytesOf: (path: string) => Promise<Buffer | null>
  since: (scope: string, since: number) => Promise<readonly FeedLine[]>
}>

export function openOrigin(store: Store, now: () => Date): Origin {
  const pace = { waitMaxMs: Number.POSITIVE_INFINITY, retryAfterMs: 0 }
  const { version, read, catchUp } = watchCatalog({
    store,
    replica: openReplica({ store, folder: null, ...pace }),
    now,
  })
  const cache = documentCache({ catalogVersion: version, bytesMax: CACHE_BYTES, now })
  const reader = feedReader({
    store,
    read,
    catchUp,
    cache,
    catalogVersion: version,
    baseUrl: BASE_URL,
    signing: async () => null,
    now,
  })
  return {
    async bytesOf(path) {
      if (path === 'state.json') return (await reader.state()).bytes
      if (path === 'items.atom') return (await reader.subscription({ scope: 'items', form: 'atom' })).bytes
      if (/^region\/[A-Z]+$/.test(path)) return (await reader.subscription({ scope: path, form: 'atom' })).bytes
      const [, gen = '', scope = '', seq = ''] = /^digest\/(\w+)\/(.+)\/(\d+)\.json$/.exec(path) ?? []
      if (seq === '') return null
      await version.get()
      const digest = read((tables) => readDigest(tables, { gen, scope, seq: BigInt(seq) }))
      return digest === undefined ? null : Buffer.from(digestJson({ gen, scope, seq: BigInt(seq), ...digest }))
    },
    async since(name, since) {
      const scope = await reader.scope(name, ({ head }) => BigInt(since) <= head)
      if (scope.head <= BigInt(since)) return []
      const { bytes } = await reader.since({ scope, form: 'ndjson', query: { since } })
      return bytes
        .toString()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as FeedLine)
    },
  }
}

/** A mirror's way to an origin: it fails, and a cache on it answers with what it had. */
export function downloadsThrough(process: SimulatedProcess, origin: Origin, cache: Map<string, Buffer>): Downloads {
  let requests = 0
  return {
    requests: () => requests,
    async get(url: string, { isFresh = false, validators = {} }: RequestOptions = {}): Promise<Answer> {
      const path = url.slice(`${BASE_URL}/feeds/`.length)
      let bytes: Buffer | null
      try {
        const held = await process.call({
          kind: 'request',
          label: `GET ${path}`,
          execute: (fault) => (fault?.kind === 'again' && !isFresh ? (cache.get(path) ?? null) : null),
        })
        bytes = held ?? (await origin.bytesOf(path))
        await process.call({ kind: 'request', label: `answer of ${path}`, execute: () => null })
      } catch (cause) {
        throw new MirrorError(`GET ${url}: ${(cause as Error).message}`, { kind: 'unreachable', cause })
      }
      requests++
      if (bytes === null) return { kind: 'absent', status: 404 }
      cache.set(path, bytes)
      const etag = sha256Hex(bytes)
      if (validators['if-none-match'] === etag) return { kind: 'unchanged' }
      return { kind: 'found', bytes, type: '', validators: { 'if-none-match': etag } }
    },
  }
}
