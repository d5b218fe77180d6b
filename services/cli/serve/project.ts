import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '@catalog/cli/shared/context.ts'
import { digestNewestMark } from '@catalog/projector/digests.ts'
import { PROJECTIONS } from '@catalog/projector/projections.ts'
import { follow, Halt } from '@catalog/projector/pump.ts'
import { followChanges } from '@catalog/projector/search-feeder.ts'
import { licenceOf } from '@catalog/runtime/env.ts'
import { atMostOnceAMinute, openLogger, retryForever, runConcurrently } from '@catalog/runtime/run.ts'
import { freezeEditions } from '@catalog/store/history/editions.ts'

/** A run ends once a night, and its digest takes seconds. */
const DIGEST_POLL_MS = 1_000
/** After an outage the projector applies again within 5 s: it must not wait as long as the outage lasted. */
const RETRY_WAIT_MS_MAX = 2_000

/**
 * `catalog project`: follows the log, feeds the index and makes the digests. It retries while the store fails; a Halt
 * ends the process.
 */
export async function project({ catalog, env, signal }: Context): Promise<void> {
  const logger = openLogger(env.LOG_LEVEL, 'project')
  const { store, log, index, embedder } = catalog
  const keepTrying = (signal: AbortSignal, name: string, work: () => Promise<void>) =>
    retryForever(work, {
      signal,
      waitMsMax: RETRY_WAIT_MS_MAX,
      isFatal: (error) => error instanceof Halt,
      onRetry: atMostOnceAMinute((err, waitMs) => logger.warn({ err, waitMs }, `${name} failed and is retried`)),
    })
  // A Halt of the projection also stops the feeding of the index: the process ends, and its store with it.
  await runConcurrently(signal, (signal) => [
    keepTrying(signal, 'projection', () => follow({ store, log, projections: PROJECTIONS, signal })),
    keepTrying(signal, 'index', () =>
      followChanges({
        store,
        index,
        embedder,
        signal,
        onWait: atMostOnceAMinute((err, waitMs) =>
          logger.warn({ err, waitMs }, 'the index waits for the embeddings provider'),
        ),
      }),
    ),
    keepTrying(signal, 'digest', async () => {
      while (!signal.aborted) {
        // Before the digest, whose row tells readers that something is new.
        await freezeEditions(store, { licence: licenceOf(env), signal })
        const made = await digestNewestMark(store, signal)
        if (!made) await delay(DIGEST_POLL_MS, undefined, { signal }).catch(() => {})
      }
    }),
  ])
}
