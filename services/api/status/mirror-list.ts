import { answers, MirrorsResponse } from '@catalog/api/contract/contract.ts'
import { type CachedRead, cachedRead } from '@catalog/api/http/cached-read.ts'
import type { V1 } from '@catalog/api/http/context.ts'
import { documentOf, JSON_TYPE, sendOnce } from '@catalog/api/http/documents.ts'
import type { Store } from '@catalog/store/db.ts'
import { type MirrorsSeen, readMirrorsSeen } from '@catalog/store/mirror-list.ts'

/** All callers share one list for this time. */
const LIST_AGE_MAX_MS = 5_000
/** Caches keep a list for this time. */
const CACHE_SECONDS = 60

/** The list of mirrors, which goes on while the store is away: that is when readers need it. */
export function openMirrorList({
  store,
  urls,
  now,
}: Readonly<{ store: Store; urls: readonly string[]; now: () => Date }>): CachedRead<MirrorsResponse> {
  let known: MirrorsSeen | undefined
  const read = async (): Promise<MirrorsResponse> => {
    if (urls.length > 0) known = await readMirrorsSeen(store).catch(() => known)
    return { checked_at: known?.checked_at ?? null, mirrors: urls.map((url) => shown(url, known, now())) }
  }
  return cachedRead(read, { ageMaxMs: LIST_AGE_MAX_MS, now })
}

function shown(url: string, seen: MirrorsSeen | undefined, now: Date): MirrorsResponse['mirrors'][number] {
  const mirror = seen?.mirrors.find((known) => known.url === url)
  const { lag_changes: changes = null, behind_since: since = null } = mirror ?? {}
  const behind = since === null ? 0 : Math.max(0, Math.floor((now.getTime() - Date.parse(since)) / 1000))
  return {
    url,
    gen: mirror?.gen ?? null,
    scopes: [...(mirror?.scopes ?? [])],
    lag: { changes, seconds: changes === null ? null : behind },
    digest: mirror?.digest ?? null,
    last_seen_at: mirror?.last_seen_at ?? null,
    last_error: mirror?.last_error ?? null,
  }
}

/** Additive: GET /mirrors, which answers while the database does not. */
export function mirrorListRoute(v1: V1, { mirrors }: { mirrors: CachedRead<MirrorsResponse> }): void {
  v1.get(
    '/mirrors',
    {
      config: { bucket: 'archive', answersUncounted: true },
      schema: {
        operationId: 'getMirrors',
        summary: 'List the mirrors of the catalog',
        description:
          'The mirrors that the operator names, as one process of the service last saw them: which feeds each holds, how ' +
          'far it is behind, and whether its root is ours. The list helps to choose a mirror, and proves nothing. It goes on ' +
          'while the database is away, and counts only in the bucket of archives.',
        tags: ['Copies'],
        response: answers('The mirrors', { 'application/json': MirrorsResponse }),
      },
    },
    async (request, reply) => {
      const headers = { 'content-type': JSON_TYPE, 'cache-control': `max-age=${CACHE_SECONDS}` }
      return sendOnce(request, reply, documentOf(JSON.stringify(await mirrors.get()), headers))
    },
  )
}
