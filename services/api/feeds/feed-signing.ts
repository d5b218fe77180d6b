import type { VersionOf } from '@catalog/api/http/cache.ts'
import { feedsVersion } from '@catalog/api/http/catalog-version.ts'
import type { ApiContext } from '@catalog/api/http/context.ts'
import type { FeedState } from '@catalog/core/changes/protocol.ts'
import type { FeedKeys, Signer } from '@catalog/core/changes/signature.ts'
import { HOUR_MS, MINUTE_MS } from '@catalog/core/time.ts'
import { generationBeganMs } from '@catalog/store/catalog/generation.ts'
import type { CatalogVersion } from '@catalog/store/catalog/queries.ts'
import { openSigner, readFeedKeys, warnUnsigned } from '@catalog/store/feed-keys.ts'

/** The keys by which this process signs state.json; null where it has none. */
export type FeedSigning = () => Promise<Readonly<{ signer: NonNullable<Signer>; keys: FeedKeys }> | null>

/** A rotation shows in all processes after so long at most. */
const KEYS_AGE_MAX_MS = MINUTE_MS

/**
 * Reads the keys once, and again beside the requests. So the process signs on while the store is away, and nobody waits for
 * the store but the first. Reads them at once, for a store that goes away before the first request.
 */
export function feedSigning({
  store,
  isAway,
  now,
}: Pick<ApiContext, 'store' | 'isAway'> & { now: () => Date }): FeedSigning {
  let known: Awaited<ReturnType<FeedSigning>> = null
  let readMs = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    readMs = now().getTime()
    const signer = await openSigner(store, now())
    if (signer !== null) known = { signer, keys: await readFeedKeys(store) }
  }

  const current: FeedSigning = async () => {
    const ageMs = now().getTime() - readMs
    if (!isAway() && (ageMs < 0 || ageMs >= KEYS_AGE_MAX_MS)) {
      reading ??= read()
        .catch((error: unknown) => {
          // A failure leaves the keys as they were.
          if (known === null) warnUnsigned(error)
        })
        .finally(() => {
          reading = undefined
        })
    }
    if (known === null) await reading
    return known
  }
  void current()
  return current
}

const hourMs = (now: Date) => Math.floor(now.getTime() / HOUR_MS) * HOUR_MS

/**
 * When state.json is said to be made: the newest of its last change, the begin of its generation and the begin of the present
 * hour. So all processes send the same bytes, an idle poll stays a 304 within the hour, and a flip to a replayed build shows
 * nowhere. Runs as of a later hour do not count: who stopped such a copy would have longer.
 */
export function generatedMs({ gen, updatedUs }: Pick<FeedState, 'gen' | 'updatedUs'>, now: Date): number {
  const began = hourMs(now)
  const changes = [Number((updatedUs ?? 0n) / 1_000n), generationBeganMs(gen)].filter((ms) => ms < began + HOUR_MS)
  return Math.max(began, ...changes)
}

/** The version of state.json, which changes with the feeds and by the hour. */
export function stateVersion(now: () => Date): VersionOf {
  return Object.assign((version: CatalogVersion) => `${feedsVersion(version)} ${hourMs(now())}`, {
    changedMs: (version: CatalogVersion) => Math.max(hourMs(now()), feedsVersion.changedMs?.(version) ?? 0),
  })
}
