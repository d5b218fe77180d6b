import { answerOrder } from '@catalog/bench/harness/worker.ts'
import { openKafkaLog } from '@catalog/log/kafka/kafka.ts'
import { PROJECTIONS } from '@catalog/projector/projections.ts'
import { drain } from '@catalog/projector/pump.ts'
import { foldThreadsOf, openFoldThread } from '@catalog/projector/replay/fold-thread.ts'
import { replay } from '@catalog/projector/replay/replay.ts'
import type { ReplayDeps } from '@catalog/projector/replay/replay-deps.ts'
import { peakResidentBytes } from '@catalog/runtime/heap.ts'
import { openExactBuild } from '@catalog/search/exact/exact.ts'
import { openStore } from '@catalog/store/db.ts'

/** A process of the bench that replays like `catalog replay`. Messages: {@link ReplayOrder} in, {@link Replayed} out. */
export type ReplayOrder = Readonly<{ brokers: string; url: string; partitions: number }>

/** Result of a replay, and the peak memory of its process. */
export type Replayed = Readonly<{ records: number; foldMs: number; rssBytes: number; heapBytes: number }>

/** Period of memory samples: a batch takes longer. */
const SAMPLE_MS = 50

async function work({ brokers, url, partitions }: ReplayOrder): Promise<Replayed> {
  await using store = await openStore({ kind: 'postgres', connection: { url } })
  await using log = await openKafkaLog({ brokers, observationPartitions: partitions })
  let heapBytes = 0
  const deps: ReplayDeps = {
    store,
    log,
    logOn: async () => log,
    indexBeside: (_build, store) => openExactBuild({ store, embedder: null, now: () => performance.now() }),
    openThreads: (readModels) =>
      Array.from({ length: foldThreadsOf() }, () =>
        openFoldThread(new URL(import.meta.resolve('@catalog/cli/shared/fold.worker.ts')), {
          env: { KAFKA_BROKERS: brokers, KAFKA_TOPIC_PREFIX: '' },
          url,
          readModels,
        }),
      ),
    dropIndex: async () => {},
    embedder: null,
    async catchUp() {
      await drain({ store, log, projections: PROJECTIONS })
    },
    now: () => new Date(),
    holder: 'bench',
  }
  const looking = setInterval(() => {
    heapBytes = Math.max(heapBytes, process.memoryUsage().heapUsed)
  }, SAMPLE_MS)
  const { records, foldMs } = await replay(deps)
  clearInterval(looking)
  return { records, foldMs, rssBytes: peakResidentBytes(), heapBytes }
}

answerOrder(work)
