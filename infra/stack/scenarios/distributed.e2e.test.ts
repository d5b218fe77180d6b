import { randomBytes } from 'node:crypto'
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { itemIdOf, sourceIdOf, vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { LONE_GOODS, writeLists } from '@catalog/stack/path/lists.ts'
import { answerOf, type CommandOptions, freePort, type Running, startCatalog } from '@catalog/stack/servers/command.ts'
import { emptyDatabase, sharedServer, unavailable } from '@catalog/stack/servers/servers.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** The final state that readers and operators see, which must not depend on the parts in use. */
type Outcome = Readonly<{
  roots: { catalog: string; vendor: string }
  seq: number
  counts: Record<string, number>
  items: readonly unknown[]
  searches: Record<string, readonly string[]>
  feed: readonly string[]
}>

const missing = unavailable('kafka') ?? unavailable('elasticsearch') ?? unavailable('postgres')
const folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-distributed-'))
afterAll(() => folder.remove())

/** Decisions are made while the scenario runs, so its last run lies as far ahead as a run may (10 minutes). */
const LAST_RUN_MS = Math.floor(Date.now() / 1000) * 1000 + 9 * 60_000
const runAt = (daysBefore: number) => instant(new Date(LAST_RUN_MS - daysBefore * DAY_MS))
const QUERIES = ['cement', 'ceramic brick', 'tile adhesive type 35', 'plywood', 'qwertz']

const lists = writeLists(join(folder.path, 'lists'))
/** The items that the vendors of one good found. */
const loneItems = LONE_GOODS.map(({ vendor }) =>
  itemIdOf(vendorSkuIdOf(sourceIdOf({ name: vendor, region: 'ES' }), '1'), 0),
)

/** Crawls, decisions, a retraction, a merge and three runs; then reads the API. */
async function live(options: CommandOptions): Promise<Outcome> {
  const answer = <T>(...args: string[]) => answerOf(args, options) as Promise<T>
  const crawl = (paths: readonly string[], daysBefore: number) =>
    answer<{ inputs: { crawl_id: string }[] }>(
      'crawl',
      ...paths,
      '--observed-at',
      runAt(daysBefore).slice(0, 10),
      '--mapping',
      lists.mapping,
      // Its columns name the vendors with their regions.
      '--new-sources',
    )

  await crawl([lists.first, lists.second, lists.lone], 21)
  await answer('aggregate', '--as-of', runAt(20))
  await crawl([lists.third], 14)
  const wrong = await crawl([lists.first], 12)
  await answer('aggregate', '--as-of', runAt(7))
  await answer('trust', 'Obras del Sur', '90', '--reason', 'their list was checked')
  for (const { crawl_id } of wrong.inputs) await answer('retract', '--crawl', crawl_id, '--reason', 'an old list')
  await answer('review', 'merge', ...loneItems, '--reason', 'one product')
  await answer('aggregate', '--as-of', runAt(0))
  const verified = await answer<{ ok: boolean }>('verify')
  expect(verified.ok).toBe(true)
  return read(options)
}

/** Reads everything through the public API of a separate process. */
async function read(options: CommandOptions): Promise<Outcome> {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  await using server = startCatalog(['serve', '--port', String(port), '--json'], {
    ...options,
    env: { ...options.env, RATE_LIMIT_ANON_PER_MIN: '10000', RATE_LIMIT_SEARCH_PER_MIN: '10000' },
  })
  await server.firstLine
  const get = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${base}${path}`)
    expect(response.status, path).toBe(200)
    return (await response.json()) as T
  }
  const { roots, seq, counts } = await indexed(options)
  const items: unknown[] = []
  for (let after = ''; ; ) {
    const page = await get<{ items: unknown[]; cursor: string | null }>(`/v1/items?limit=100${after}`)
    items.push(...page.items)
    if (page.cursor === null) break
    after = `&cursor=${encodeURIComponent(page.cursor)}`
  }
  const searches: Record<string, string[]> = {}
  for (const query of QUERIES) {
    const found = await get<{ results: { id: string }[] }>(`/v1/search?limit=10&q=${encodeURIComponent(query)}`)
    searches[query] = found.results.map(({ id }) => id)
  }
  const atom = await (await fetch(`${base}/v1/feeds/items.atom`)).text()
  const feed = [...atom.matchAll(/<title>([^<]*)<\/title>/g)].map(([, title]) => title as string)
  server.kill('SIGTERM')
  expect((await server.finished).code).toBe(0)
  return { roots, seq, counts, items, searches, feed }
}

type Status = Pick<Outcome, 'roots' | 'seq' | 'counts'> & { projections: { name: string; lag: number }[] }

/** The status once the index holds every change; in embedded mode a command feeds it before it ends. */
async function indexed(options: CommandOptions): Promise<Status> {
  for (const deadlineMs = Date.now() + INDEXED_MS; ; ) {
    const status = (await answerOf(['status'], options)) as Status
    if (status.projections.every(({ lag }) => lag === 0)) return status
    if (Date.now() > deadlineMs) throw new Error(`expected no lag: ${JSON.stringify(status.projections)}`)
  }
}
const INDEXED_MS = 120_000
/** Some thirty commands, each in a process of its own. */
const DISTRIBUTED_MS_MAX = 600_000

describe.skipIf(missing !== null)(missing ?? 'on Kafka, PostgreSQL and Elasticsearch', () => {
  let servers: Record<string, string>
  beforeAll(async () => {
    servers = {
      DATABASE_URL: await emptyDatabase(),
      KAFKA_BROKERS: await sharedServer('kafka'),
      ELASTICSEARCH_URL: await sharedServer('elasticsearch'),
    }
  })

  test(
    'everything equals the embedded defaults: roots, items, searches and feed',
    async () => {
      const embedded = await live({ data: join(folder.path, 'embedded') })
      expect(embedded.items.length).toBeGreaterThan(200)
      expect(embedded.searches.cement?.length).toBeGreaterThan(5)

      const options: CommandOptions = {
        data: join(folder.path, 'distributed'),
        env: { ...servers, KAFKA_TOPIC_PREFIX: `e2e-${randomBytes(4).toString('hex')}.` },
      }
      const projectors: Running[] = [startCatalog(['project'], options), startCatalog(['project'], options)]
      try {
        const distributed = await live(options)
        expect(distributed.roots).toEqual(embedded.roots)
        expect(distributed).toEqual(embedded)
        // Replays everything beside the projectors; its index takes over in Elasticsearch.
        const replayed = (await answerOf(['replay'], options)) as { build: number; roots: Outcome['roots'] }
        expect(replayed).toMatchObject({ build: 2, roots: embedded.roots })
        expect(await answerOf(['replay', '--retire'], options)).toEqual({ retired: [1] })
        expect(await read(options)).toEqual(embedded)
      } finally {
        for (const projector of projectors) projector.kill('SIGTERM')
        const ended = await Promise.all(projectors.map(({ finished }) => finished))
        expect(ended.map(({ code }) => code)).toEqual([0, 0])
        // A consumer group that is not ready yet is joined again, and a busy machine blocks event loops; nothing worse is expected.
        const said = ended.flatMap(({ stderr }) => stderr.split('\n').filter(Boolean))
        expect(said.filter((line) => !/failed and is retried|event loop was blocked/.test(line))).toEqual([])
      }
    },
    DISTRIBUTED_MS_MAX,
  )
})
