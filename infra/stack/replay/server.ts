import { setTimeout as delay } from 'node:timers/promises'
import { buildApi } from '@catalog/api/server.ts'
import { limitsOf } from '@catalog/cli/access/rate-limits.ts'
import { instant } from '@catalog/core/time.ts'
import { openTableLog } from '@catalog/log/table.ts'
import { digestNewestMark } from '@catalog/projector/digests.ts'
import { feedIndex } from '@catalog/projector/search-feeder.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { listed, liveThreeWeeks } from '@catalog/stack/path/history.ts'
import { openPath, type Path } from '@catalog/stack/path/path.ts'
import { type CommandOptions, feedState, startServing, UNLIMITED } from '@catalog/stack/servers/command.ts'
import { memoryReplica } from '@catalog/stack/store/replica.ts'
import { observation } from '@catalog/stack/testing/events.ts'
import { openStore, type Store } from '@catalog/store/db.ts'
import { openEmbedded } from '@catalog/store/embedded/embedded.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import { embedder, exactOn } from './path.ts'
import { type Answer, askAgain, type Place } from './readers.ts'

/** `catalog serve` in a process of its own, and the data path that this process drives on the same store. */
export type ReplayServer = AsyncDisposable & {
  /** Without /v1. */
  readonly base: string
  readonly path: Path
  /** Opens another process's view of the same store. */
  readonly openStore: () => Promise<Store>
  /** For commands beside it. */
  readonly options: CommandOptions
}

/** On the database at `url`, or for null on an embedded store that the server owns. */
export async function openReplayServer(url: string | null): Promise<ReplayServer> {
  const stack = new AsyncDisposableStack()
  const { base, options } = stack.use(await startServing(url))
  const open = async () => {
    if (url !== null) return openStore({ kind: 'postgres', connection: { url } })
    return (await openEmbedded({ dir: options.data })).store
  }
  const store = await open()
  await migrate(store)
  const log = await openTableLog(store, { observationPartitions: 6 })
  const path = stack.use(await openPath({ parts: { store, log } }))
  return {
    base: base.replace(/\/v1$/, ''),
    path,
    openStore: open,
    options,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** The same API as a fresh process serves it, with empty caches. */
export async function askAnew(
  { base, path: { store } }: ReplayServer,
  places: readonly Place[],
): Promise<readonly { place: Place; answer: Answer }[]> {
  const index = exactOn(store)
  await using replica = memoryReplica(store)
  const api = buildApi({
    store,
    replica,
    index,
    embedder,
    limits: limitsOf(readEnvironment(UNLIMITED)),
    publicBaseUrl: base,
    trustedProxies: [],
    now: () => new Date(),
  })
  try {
    const address = await api.listen({ port: 0, host: '127.0.0.1' })
    const answers: { place: Place; answer: Answer }[] = []
    for (const place of places) answers.push({ place, answer: await askAgain(address, place) })
    return answers
  } finally {
    await api.close()
  }
}

const SHOWN_POLL_MS = 20
/** Gives more than one page of changes; each page closes an archive. */
const WEEKS = 15

/** Three weeks with every kind of event, and enough more to close the feeds' first page; digested and indexed. */
export async function liveLong(path: Path): Promise<void> {
  await liveThreeWeeks(path)
  for (let week = 3; week < WEEKS; week++) await movingWeek(path, week)
  await digestNewestMark(path.store)
  await feedIndex({ store: path.store, index: exactOn(path.store), embedder })
}

/** A week in which every price moves. */
export async function movingWeek(path: Path, week: number): Promise<void> {
  await path.append(movingLists(week))
  await path.run(instant(new Date(Date.UTC(2026, 0, 2 + 7 * week))))
}

const movingLists = (week: number) =>
  listed(week).map((event) =>
    event.type === 'ObservationRecorded'
      ? observation({
          vendor: event.source.name,
          ref: event.vendor_ref,
          name: event.name,
          unit: event.unit,
          cents: event.price.cents + 3 * week,
          crawl: event.crawl_id,
          at: event.observed_at,
          more: { gtin: event.gtin },
        })
      : event,
  )

/** A few requests of each kind that readers of the API, of the feeds, and agents make. */
export async function placesOf({ base, path: { store } }: ReplayServer): Promise<readonly Place[]> {
  const ids = (
    await store.query<{ id: string }>(`select item_id as id from items where state = 'active' order by 1`)
  ).map(({ id }) => id)
  const sources = (await store.query<{ id: string }>(`select source_id as id from sources order by 1`)).map(
    ({ id }) => id,
  )
  const [feed] = await store.query<{ gen: string; mark: bigint }>(
    `select value as gen, (select max(seq) from digests) as mark from meta where key = 'gen'`,
  )
  // A publication and its digest show a quarter of a second after their commit at the latest.
  while ((await feedState(`${base}/v1`)).digest?.mark !== Number(feed?.mark)) await delay(SHOWN_POLL_MS)
  const signedUp = await fetch(`${base}/v1/keys/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'builder@example.org' }),
  })
  const { key } = (await signedUp.json()) as { key: string }
  const paths = [
    ...[1, 2, 5, 20, 50, 100].flatMap((limit) => [
      `items?limit=${limit}`,
      `items?limit=${limit}&region=ES`,
      ...sources.map((id) => `items?limit=${limit}&source=${id}`),
      `items?limit=${limit}&q=brick`,
    ]),
    ...ids.flatMap((id) => [`items/${id}`, `items/${id}?price_region=ES`, `items/${id}/history`, `items/${id}/basis`]),
    ...['ceramic brick', 'brick type 7', 'ceramic'].map((q) => `search?q=${encodeURIComponent(q)}`),
    ...['region=ES', ...sources.map((id) => `source=${id}`), 'q=brick', 'currency=EUR', 'unit=kg'].map(
      (filter) => `items?limit=100&${filter}&updated_since={past}`,
    ),
    ...ids.flatMap((id) => [
      `items/${id}/history?limit=1000&from={past}`,
      `items/${id}/history?limit=1000&to={future}&price_region=ES`,
    ]),
    'sources',
    ...sources.map((id) => `sources/${id}`),
    'categories',
    'feeds/items.atom',
    'feeds/items.rss',
    'feeds/region/es',
    'feeds/state.json',
    `feeds/archive/${feed?.gen}/items/0.atom`,
    `feeds/archive/${feed?.gen}/items/0.rss`,
    `feeds/archive/${feed?.gen}/region/es/0.atom`,
    `feeds/digest/${feed?.gen}/items/${feed?.mark}.json`,
    `feeds/items.atom?since=0&limit=1000`,
  ]
  return [
    ...paths.map((path) => ({ path: `/v1/${path}` })),
    { path: '/v1/feeds/items.atom?since=0&limit=100', accept: 'application/x-ndjson' },
    ...ids.slice(0, 10).map((id) => ({ path: '/api/mcp', tool: 'get_item', asked: { id }, key })),
  ]
}
