import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startLoadGenerator } from '@catalog/bench/harness/load-generator.ts'
import { type MeteredProxy, meteredProxy } from '@catalog/bench/harness/proxy.ts'
import { type Bench, type Comparison, type Figure, quantile, speedup } from '@catalog/bench/harness/report.ts'
import { installPeers, startOurs, startPeer } from '@catalog/bench/harness/servers.ts'
import { perThousand, repeated } from '@catalog/bench/harness/throughput.ts'
import { type Sequencer, sequencerInto } from '@catalog/bench/workload/items.ts'
import { type Mirror, openMirror, type SyncReport } from '@catalog/mirror/mirror.ts'
import { takeSnapshot } from '@catalog/snapshot/snapshot.ts'
import type { FeedState } from '@catalog/stack/servers/command.ts'
import { startPostgres } from '@catalog/stack/servers/postgres.ts'
import { catalogRoot } from '@catalog/store/builds/status.ts'
import { openStore, type Store } from '@catalog/store/db.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import { type FeedPosition, measureTraffic, untilShown } from './mirror-bytes.ts'
import { SERVER_SETTINGS } from './project.ts'

export const mirrorBench: Bench = {
  title: 'a mirror that catches up with a night and one that begins, commit to feed, and 304s beside fastify',
  async run(say, { isBrief = false } = {}) {
    const sizes = isBrief ? BRIEF : WHOLE
    const { items, changed } = sizes
    installPeers(say)
    await using running = new AsyncDisposableStack()
    const folder = running.use(mkdtempDisposableSync(join(tmpdir(), 'catalog-bench-'))).path
    const server = running.use(await startPostgres(SERVER_SETTINGS))
    const store = running.use(await openStore({ kind: 'postgres', connection: { url: server.url } }))
    await migrate(store)
    const sequencer = sequencerInto(store, items)
    say(`${items} items are being published ...`)
    await sequencer.night(0, items)
    const snapshots = join(folder, 'snapshots')
    const { snapshot } = await takeSnapshot({ store, folder: snapshots, licence: null, now: () => new Date() })
    say(`a snapshot of ${snapshot.count} items has ${megabytes(snapshot.bytes)} MB`)
    const ours = running.use(await startOurs(server.url, { SNAPSHOT_DIR: snapshots })).origin
    const wire = running.use(await meteredProxy(ours))
    const follower = (name: string) =>
      running.use(openMirror({ url: `${wire.origin}/v1`, scope: 'items', into: join(folder, name) }))
    const catchUp = (mirror: Mirror) => measureCatchUp(mirror, { store, items, ours, wire, say })

    const mirror = follower('in-sync')
    const bootstrap = await catchUp(mirror)
    if (bootstrap.began !== 'snapshot') throw new Error(`a new mirror began from ${bootstrap.began}, expected snapshot`)
    say(`${changed} items change in a night ...`)
    await sequencer.night(1, changed)
    const night = await catchUp(mirror)
    const late = await catchUp(follower('late'))

    const visible = await commitToFeed({ origin: ours, sequencer, publications: sizes.publications, say })
    // The end of a run lets the mirror prove itself once more.
    await sequencer.night(LAST_NIGHT, 0)
    await catchUp(mirror)

    const caught = `${changed} changes of ${items} items, in sync before`
    return [
      ...(await measureTraffic(say)),
      { stage: caught, figure: night.requests, unit: 'requests', max: 45 },
      { stage: caught, figure: night.megabytes, unit: 'MB on the wire', max: 5 },
      { stage: caught, figure: night.seconds, unit: 's', max: null },
      ...figuresOf(`a new mirror of ${items} items`, bootstrap),
      ...figuresOf(`a new mirror, and ${changed} changes since the snapshot`, late),
      { stage: 'commit to feed, median', figure: visible.p50Ms, unit: 'ms', max: null },
      { stage: 'commit to feed, 99 of 100', figure: visible.p99Ms, unit: 'ms', max: 2_000 },
      ...(await compareNotModified({ ours, url: server.url, isBrief })),
    ]
  },
}

/** Brings a mirror up to the head and proves it equal to the store. Returns the cost in requests, traffic and time. */
async function measureCatchUp(
  mirror: Mirror,
  {
    store,
    items,
    ours,
    wire,
    say,
  }: { store: Store; items: number; ours: string; wire: MeteredProxy; say: (line: string) => void },
) {
  await untilShown(ours, await feedPosition(store))
  const [begun, bytesBefore] = [performance.now(), wire.receivedBytes()]
  const synced = await mirror.sync()
  const seconds = (performance.now() - begun) / 1000
  await requireEqual(store, { synced, items })
  const { requests, applied, restart: began } = synced
  const megabytesReceived = megabytes(wire.receivedBytes() - bytesBefore)
  const how = began === null ? 'in sync before' : `begun from ${began}`
  say(`${how}: ${applied} changes, ${requests} requests, ${megabytesReceived} MB, ${seconds.toFixed(1)} s`)
  return { requests, megabytes: megabytesReceived, seconds: Math.round(seconds * 10) / 10, began }
}

/** 304 for the state and the Atom feed beside fastify's hello. */
async function compareNotModified({
  ours,
  url,
  isBrief,
}: {
  ours: string
  url: string
  isBrief: boolean
}): Promise<Comparison[]> {
  await using running = new AsyncDisposableStack()
  const hello = running.use(await startPeer('hello.js', { url })).origin
  const load = running.use(startLoadGenerator())
  const notModified = async (path: string) => ({
    origin: ours,
    path,
    headers: await conditionalHeaders(`${ours}${path}`),
    status: 304,
  })
  const plans = {
    state: repeated(await notModified('/v1/feeds/state.json')),
    atom: repeated(await notModified('/v1/feeds/items.atom')),
    hello: repeated({ origin: hello, path: '/' }),
  }
  const ms = await perThousand(load, plans, { isBrief })
  const comparison = (path: string, oursMs: number): Comparison => ({
    stage: `1,000 times 304 to a caller with ${path}`,
    beside: 'fastify, hello',
    oursMs,
    besideMs: ms.hello,
    ratioMax: speedup(0.9),
  })
  return [comparison('state.json', ms.state), comparison('items.atom', ms.atom)]
}

const WHOLE = { items: 200_000, changed: 20_000, publications: 400 }
const BRIEF = { items: 2_000, changed: 200, publications: 10 }
/** Later than the day of the single publications. */
const LAST_NIGHT = 31

const megabytes = (bytes: number) => Math.round(bytes / 1e4) / 100

function figuresOf(
  stage: string,
  { requests, megabytes, seconds }: { requests: number; megabytes: number; seconds: number },
): Figure[] {
  return [
    { stage, figure: requests, unit: 'requests', max: null },
    { stage, figure: megabytes, unit: 'MB on the wire', max: null },
    { stage, figure: seconds, unit: 's', max: null },
  ]
}

async function feedPosition(store: Store): Promise<FeedPosition> {
  const [row] = await store.query<FeedPosition>(
    `select (select rseq from scope_heads where scope = 'items')::int as head, (select max(seq) from run_marks)::int as mark`,
  )
  return row as FeedPosition
}

/**
 * Throws unless the copy is at the origin's head and proved at the newest mark. If that is the head, its root must
 * equal the tables'.
 */
async function requireEqual(
  store: Store,
  { synced: { state }, items }: { synced: SyncReport; items: number },
): Promise<void> {
  const { proved, seq, count } = state
  const { head, mark } = await feedPosition(store)
  if (seq !== head) throw new Error(`the mirror is at ${seq}, expected ${head}`)
  if (count !== items) throw new Error(`the mirror has ${count} items, expected ${items}`)
  if (proved?.seq !== mark) throw new Error(`the mirror was proved at ${proved?.seq}, expected ${mark}`)
  if (head !== mark) return
  const root = await catalogRoot(store)
  if (proved.root !== root) throw new Error(`the mirror has root ${proved.root}, expected ${root}`)
}

/** Between two polls; each is a 304 until something is published. */
const POLL_PAUSE_MS = 10
/** A prime: publications then hit every phase of the API's polling. */
const PAUSE_MS = 137
const VISIBLE_TIMEOUT_MS = 10_000

/**
 * Measures many publications, each from its commit to a poll of state.json that shows it and began after the commit.
 * Throws if one does not show.
 */
async function commitToFeed({
  origin,
  sequencer,
  publications,
  say,
}: {
  origin: string
  sequencer: Sequencer
  publications: number
  say: (line: string) => void
}): Promise<{ p50Ms: number; p99Ms: number }> {
  const url = `${origin}/v1/feeds/state.json`
  let etag = '""'
  let shown = 0
  const poll = async () => {
    const response = await fetch(url, { headers: { 'if-none-match': etag } })
    const text = await response.text()
    if (response.status === 304) return
    if (response.status !== 200) throw new Error(`${url}: expected 200 or 304, found ${response.status} ${text}`)
    etag = response.headers.get('etag') ?? '""'
    shown = (JSON.parse(text) as FeedState).scopes.items.head
  }
  const takenMs: number[] = []
  for (let n = 0; n < publications; n++) {
    const seq = await sequencer.single(n)
    const committedMs = performance.now()
    for (;;) {
      await poll()
      const ms = performance.now() - committedMs
      if (shown >= seq) {
        takenMs.push(ms)
        break
      }
      if (ms > VISIBLE_TIMEOUT_MS) throw new Error(`change ${seq} is not shown after ${VISIBLE_TIMEOUT_MS} ms`)
      await delay(POLL_PAUSE_MS)
    }
    await delay(n % PAUSE_MS)
  }
  const visible = { p50Ms: Math.round(quantile(takenMs, 0.5)), p99Ms: Math.round(quantile(takenMs, 0.99)) }
  say(`${publications} publications: shown after ${visible.p50Ms} ms (median), ${visible.p99Ms} ms (99 of 100)`)
  return visible
}

/** Headers of a caller that has the present version. */
async function conditionalHeaders(url: string): Promise<Record<string, string>> {
  const response = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
  await response.arrayBuffer()
  const etag = response.headers.get('etag')
  if (response.status !== 200 || etag === null) throw new Error(`${url}: expected 200 with an ETag`)
  return { 'if-none-match': etag }
}
