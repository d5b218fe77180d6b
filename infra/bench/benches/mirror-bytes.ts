import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MeteredProxy, meteredProxy } from '@catalog/bench/harness/proxy.ts'
import type { Figure } from '@catalog/bench/harness/report.ts'
import { startOurs } from '@catalog/bench/harness/servers.ts'
import { sequencerInto } from '@catalog/bench/workload/items.ts'
import { DAY_MS } from '@catalog/core/time.ts'
import { type Mirror, nextPauseMs, openMirror } from '@catalog/mirror/mirror.ts'
import { takeSnapshot } from '@catalog/snapshot/snapshot.ts'
import { feedState } from '@catalog/stack/servers/command.ts'
import { untilHolds } from '@catalog/stack/servers/machine.ts'
import { startPostgres } from '@catalog/stack/servers/postgres.ts'
import { openStore } from '@catalog/store/db.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'

/** The size of a catalog that one trade association keeps. */
const ITEMS = 1_100
const CHANGED = 11
const POLL_PAUSE_MS = 20
const SHOWN_TIMEOUT_MS = 10_000

/**
 * Measures a mirror of a small catalog on the wire. `kB of bodies` counts the bodies of answers as they are coded, by
 * Content-Length. `kB on the wire` counts all bytes of HTTP/1.1 in both directions: lines, headers and bodies; TLS and
 * TCP add their own. A kilobyte has 1,000 bytes.
 */
export async function measureTraffic(say: (line: string) => void): Promise<Figure[]> {
  await using running = new AsyncDisposableStack()
  const folder = running.use(mkdtempDisposableSync(join(tmpdir(), 'catalog-bench-'))).path
  const server = running.use(await startPostgres({ jit: 'off' }))
  const store = running.use(await openStore({ kind: 'postgres', connection: { url: server.url } }))
  await migrate(store)
  const sequencer = sequencerInto(store, ITEMS)
  await sequencer.night(0, ITEMS)
  const snapshots = join(folder, 'snapshots')
  await takeSnapshot({ store, folder: snapshots, licence: null, now: () => new Date() })
  const ours = running.use(await startOurs(server.url, { SNAPSHOT_DIR: snapshots })).origin
  const wire = running.use(await meteredProxy(ours))
  const counted = countingFetch()
  const mirrorOf = (scope: string) => {
    const options = { url: `${wire.origin}/v1`, scope, into: join(folder, 'copies'), fetch: counted.fetch }
    return running.use(openMirror(options))
  }
  const costOf = (mirror: Mirror) => measureCost(mirror, { wire, bodyBytes: counted.bodyBytes })
  const [all, region] = [mirrorOf('items'), mirrorOf('region/ES')]
  await untilShown(ours, { head: ITEMS, mark: ITEMS })
  const bootstrap = await costOf(all)
  const regionBootstrap = await costOf(region)
  await sequencer.night(1, CHANGED)
  await untilShown(ours, { head: ITEMS + CHANGED, mark: ITEMS + CHANGED })
  const changes = await costOf(all)
  const idle = await costOf(all)
  const pollsPerDay = idlePolls(DAY_MS)
  say(`an idle poll costs ${idle.bytes} bytes, and a day has ${pollsPerDay} of them`)
  return [
    ...figuresOf(`${CHANGED} changes of ${ITEMS} items, in sync before`, changes, { bodies: 4 }),
    ...figuresOf(`a new mirror of ${ITEMS} items`, bootstrap, { requests: 5, wire: 100 }),
    ...figuresOf(`a new mirror of a region of ${ITEMS} items`, regionBootstrap, { requests: 5, wire: 100 }),
    { stage: 'an idle day of --follow', figure: pollsPerDay, unit: 'requests', max: null },
    { stage: 'an idle day of --follow', figure: kilobytes(idle.bytes * pollsPerDay), unit: 'kB on the wire', max: 100 },
  ]
}

type Cost = Readonly<{ requests: number; bodyBytes: number; bytes: number }>

function figuresOf(
  stage: string,
  { requests, bodyBytes, bytes }: Cost,
  max: Readonly<{ requests?: number; bodies?: number; wire?: number }>,
): Figure[] {
  return [
    { stage, figure: requests, unit: 'requests', max: max.requests ?? null },
    { stage, figure: kilobytes(bodyBytes), unit: 'kB of bodies', max: max.bodies ?? null },
    { stage, figure: kilobytes(bytes), unit: 'kB on the wire', max: max.wire ?? null },
  ]
}

/** Polls of a follower in so long without a change, at its default pace. */
function idlePolls(lengthMs: number): number {
  let polls = 0
  for (let pauseMs = null, atMs = 0; atMs < lengthMs; polls++) {
    pauseMs = nextPauseMs(pauseMs, 0)
    atMs += pauseMs
  }
  return polls
}

const kilobytes = (bytes: number) => Math.round(bytes / 10) / 100

/** fetch, and the sum of Content-Length of its answers. */
function countingFetch() {
  let bodyBytes = 0
  return {
    bodyBytes: () => bodyBytes,
    async fetch(...request: Parameters<typeof fetch>): Promise<Response> {
      const response = await fetch(...request)
      bodyBytes += Number(response.headers.get('content-length') ?? 0)
      return response
    },
  }
}

async function measureCost(
  mirror: Mirror,
  { wire, bodyBytes }: { wire: MeteredProxy; bodyBytes: () => number },
): Promise<Cost> {
  const now = () => ({ bodyBytes: bodyBytes(), bytes: wire.receivedBytes() + wire.sentBytes() })
  const before = now()
  const { requests } = await mirror.sync()
  const after = now()
  return { requests, bodyBytes: after.bodyBytes - before.bodyBytes, bytes: after.bytes - before.bytes }
}

/** Numbers of the newest change and of the newest mark, which has a digest. */
export type FeedPosition = Readonly<{ head: number; mark: number }>

/** Waits for the API, which polls its store: measure a mirror only when the API shows everything. */
export const untilShown = (origin: string, { head, mark }: FeedPosition): Promise<void> =>
  untilHolds(
    `the API shows ${head}, ${mark}`,
    async () => {
      const { scopes, digest } = await feedState(`${origin}/v1`)
      return scopes.items.head === head && digest?.mark === mark
    },
    { timeoutMs: SHOWN_TIMEOUT_MS, pollMs: POLL_PAUSE_MS },
  )
