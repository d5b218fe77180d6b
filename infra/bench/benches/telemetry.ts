import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type LoadGenerator, startLoadGenerator } from '@catalog/bench/harness/load-generator.ts'
import type { Bench, Brevity, Comparison } from '@catalog/bench/harness/report.ts'
import { startOurs } from '@catalog/bench/harness/servers.ts'
import { perThousand, type RequestPlan, repeated, unrepeated } from '@catalog/bench/harness/throughput.ts'
import { makeItems } from '@catalog/bench/workload/items.ts'
import { freePort } from '@catalog/stack/servers/machine.ts'
import { startPostgres } from '@catalog/stack/servers/postgres.ts'

/** `--items N` sets the number of items. */
export const telemetryBench: Bench = {
  title: 'reads of the API with metrics, and with traces, beside itself with neither',
  async run(say, { isBrief = false, items: [items = 0] = [isBrief ? BRIEF_ITEMS : ITEMS] } = {}) {
    await using running = new AsyncDisposableStack()
    const server = running.use(await startPostgres(SERVER_SETTINGS))
    say(`${items} items with their prices are being made ...`)
    const url = await makeItems({ url: server.url, database: 'catalog', items, prices: true })
    const [port, collector] = [await freePort(), running.use(await startCollector())]
    const origins: Origins = {
      none: running.use(await startOurs(url)).origin,
      metrics: running.use(await startOurs(url, { METRICS_PORT: String(port) })).origin,
      traces: running.use(await startOurs(url, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint })).origin,
    }
    using scrapes = startScrapes(`http://127.0.0.1:${port}/metrics`)
    const ids = await idsOf(origins.none)
    const load = running.use(startLoadGenerator())
    const passes = isBrief ? 1 : PASSES
    const paths = Array.from({ length: passes }, (_, pass) =>
      ids.filter((_id, at) => at % passes === pass).map((id) => `/v1/items/${id}`),
    )
    const compare = comparing(load, { origins, isBrief, say })
    const rows = [
      ...(await compare('an item, first', paths, (origin, paths) => unrepeated({ origin, paths }))),
      ...(await compare('an item, again', paths, (origin, [path = '']) => repeated({ origin, path }))),
    ]
    if (scrapes.count() === 0) throw new Error('no scrape was answered, expected one a second')
    if (collector.bytes() === 0) throw new Error('the collector got no span, expected those of all reads')
    return rows
  },
}

const ITEMS = 100_000
const BRIEF_ITEMS = 3_000
const PAGE_ITEMS = 100
/** Rounds beyond those of a measurement: the cost is less than the noise of one. */
const PASSES = 7
const RATIO_MAX = 1.03
/** Fifteen times as often as Prometheus by default. */
const SCRAPE_EVERY_MS = 1_000
const SERVER_SETTINGS = { shared_buffers: '1GB', max_wal_size: '8GB', wal_level: 'minimal', max_wal_senders: '0' }

type Origins = Readonly<Record<'none' | 'metrics' | 'traces', string>>
type Measured = Readonly<Record<keyof Origins, number>>

/**
 * Compares the servers once for each list of paths. The median of the ratios counts, because a pass meets one state of the
 * machine.
 */
const comparing =
  (load: LoadGenerator, { origins, isBrief, say }: Brevity & { origins: Origins; say: (line: string) => void }) =>
  async (
    stage: string,
    passes: readonly (readonly string[])[],
    planOf: (origin: string, paths: readonly string[]) => RequestPlan,
  ): Promise<Comparison[]> => {
    const measured: Measured[] = []
    for (const paths of passes) {
      const plans = {
        none: planOf(origins.none, paths),
        metrics: planOf(origins.metrics, paths),
        traces: planOf(origins.traces, paths),
      }
      measured.push(await perThousand(load, plans, { isBrief }))
    }
    return (['metrics', 'traces'] as const).map((name) => {
      const ratioOf = (pass: Measured) => pass[name] / pass.none
      const sorted = measured.toSorted((a, b) => ratioOf(a) - ratioOf(b))
      say(`${stage}, with ${name}: ${sorted.map((pass) => ratioOf(pass).toFixed(3)).join(' ')}`)
      const { none: besideMs, [name]: oursMs } = sorted[sorted.length >> 1] as Measured
      return { stage: `1,000 times ${stage}, ${name}`, beside: 'no telemetry', oursMs, besideMs, ratioMax: RATIO_MAX }
    })
  }

/** Takes spans unread: a collector works on a machine of its own. */
async function startCollector() {
  let bytes = 0
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => (bytes += chunk.length))
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytes: () => bytes,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function startScrapes(address: string) {
  let count = 0
  const scrape = async () => {
    const { ok } = await fetch(address)
    if (ok) count++
  }
  // The first comes at once, for a bench that is brief.
  void scrape()
  const timer = setInterval(() => void scrape().catch(() => {}), SCRAPE_EVERY_MS)
  return { count: () => count, [Symbol.dispose]: () => clearInterval(timer) }
}

async function idsOf(origin: string): Promise<string[]> {
  const ids: string[] = []
  for (let next = ''; ; ) {
    const response = await fetch(`${origin}/v1/items?limit=${PAGE_ITEMS}${next}`)
    const { items, cursor } = (await response.json()) as { items: { id: string }[]; cursor: string | null }
    ids.push(...items.map(({ id }) => id))
    if (cursor === null) return ids
    next = `&cursor=${cursor}`
  }
}
