import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HttpMetrics } from '@catalog/api/http-metrics.ts'
import type { Context } from '@catalog/cli/shared/context.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { type AgedPosition, agedPositions } from '@catalog/operations/log-positions.ts'
import { openLogger } from '@catalog/runtime/run.ts'
import { VERSION } from '@catalog/runtime/version.ts'
import { countWaitingMail } from '@catalog/store/accounts/mail.ts'
import { readLastBackup } from '@catalog/store/backup/backup.ts'
import { readBuilding, readBuildingPositions } from '@catalog/store/builds/builds.ts'
import { deadLetterGroups, readSeq, readWriteRefusal } from '@catalog/store/builds/status.ts'
import { readVerified } from '@catalog/store/builds/verify.ts'
import { FOLDED_LOG, readMeta } from '@catalog/store/checkpoints.ts'
import { readJobRuns } from '@catalog/store/jobs.ts'
import { readLeases } from '@catalog/store/lease.ts'
import { readCrawlSummary } from '@catalog/store/vendor/crawls.ts'
import { lastFinishedRun } from '@catalog/store/vendor/runs.ts'
import { readWork } from '@catalog/store/work.ts'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { watchEventLoop } from './event-loop.ts'
import { openHttpMetrics } from './http-metrics.ts'
/** Without their prefix `catalog_`: base units, as Prometheus asks. It takes the labels `job` and `instance` for itself. */
import METRICS from './metrics.json' with { type: 'json' }

/** Groups of dead letters that are counted apart; there are some ten reasons, each of some sources. */
const DEAD_LETTER_GROUPS_MAX = 1_000
/** A part that answers later counts as away, so that a scrape ends before Prometheus gives up. */
const PART_ANSWER_MS = 4_000

/**
 * Does work that stays, and logs its begin, its end and a blocked event loop. Where METRICS_PORT names a port, `/metrics`,
 * `/healthz` and `/readyz` answer there meanwhile. The figures are those of the whole catalog and of this process;
 * `component` names what it does. Work that serves counts its requests in `http`.
 */
export async function observed<T>(
  { catalog, env }: Context,
  component: string,
  work: (http?: HttpMetrics) => Promise<T>,
): Promise<T> {
  const { METRICS_HOST: host, METRICS_PORT: port, LOG_LEVEL: level } = env
  const logger = openLogger(level, component)
  logger.info({ version: VERSION, mode: catalog.mode }, `${component} begins`)
  using _watch = watchEventLoop(logger)
  try {
    if (port === undefined) return await work()
    await using server = await serveMetrics(catalog, { component, host, port })
    return await work(server.http)
  } finally {
    logger.info(`${component} ends`)
  }
}

type MetricsServer = AsyncDisposable & Readonly<{ port: number; http: HttpMetrics }>

export async function serveMetrics(
  catalog: Catalog,
  { component, host, port }: { component: string; host: string; port: number },
): Promise<MetricsServer> {
  const { read, http } = openMetrics(catalog, component)
  const server = createServer((request, response) => {
    void answer(request, response, { catalog, read }).catch((error: Error) =>
      send(response, 500, { type: 'text/plain', body: `${error.message}\n` }),
    )
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve)).catch(
    (cause: Error) => {
      const found = `METRICS_HOST=${host} METRICS_PORT=${port} takes no listener: expected a free port of this machine`
      throw new Error(found, { cause })
    },
  )
  return {
    port: (server.address() as AddressInfo).port,
    http,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(
  { url, method }: IncomingMessage,
  response: ServerResponse,
  { catalog, read }: { catalog: Catalog; read: () => Promise<{ type: string; body: string }> },
): Promise<void> {
  const text = (body: string) => ({ type: 'text/plain; charset=utf-8', body: `${body}\n` })
  if (method !== 'GET' && method !== 'HEAD') return send(response, 405, text('expected GET'))
  switch (url?.split('?')[0]) {
    case '/metrics':
      return send(response, 200, await read())
    case '/healthz':
      return send(response, 200, text('ok'))
    case '/readyz': {
      const [status, said] = await within(readWriteRefusal(catalog.store)).then(
        (refusal) => [200, refusal === undefined ? 'ok' : 'degraded: the store takes no writes'] as const,
        () => [503, 'the store does not answer'] as const,
      )
      return send(response, status, text(said))
    }
    default:
      return send(response, 404, text('expected /metrics, /healthz or /readyz'))
  }
}

function send(response: ServerResponse, status: number, { type, body }: { type: string; body: string }): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
}

/** Rejects for a part that does not answer in time. */
async function within<T>(work: Promise<T>): Promise<T> {
  const timeout = AbortSignal.timeout(PART_ANSWER_MS)
  const late = new Promise<never>((_, reject) =>
    timeout.addEventListener('abort', () => reject(new Error(`no answer within ${PART_ANSWER_MS} ms`))),
  )
  return Promise.race([work, late])
}

type Sample = readonly [value: number, labels?: Readonly<Record<string, string>>]
const secondsOf = (at: string): number => Date.parse(at) / 1_000

/** All metrics of a process: the figures of the catalog by their names without prefix, its requests, and what it takes. */
export function openRegistry(component: string) {
  const registry = new Registry()
  registry.setDefaultLabels({ component })
  collectDefaultMetrics({ register: registry })
  const http = openHttpMetrics(registry)
  const build = new Gauge({
    name: 'catalog_build_info',
    help: '1 for the version of this process',
    labelNames: ['version'],
    registers: [registry],
  })
  build.set({ version: VERSION }, 1)
  const gauges = new Map(
    Object.entries(METRICS).map(([name, { help, labels }]) => [
      name,
      new Gauge({ name: `catalog_${name}`, help, labelNames: [...labels], registers: [registry] }),
    ]),
  )
  return { registry, gauges, http }
}

/** Reads the metrics in the format of Prometheus. A part that is away has `up` 0, and its figures are absent. */
function openMetrics(
  catalog: Catalog,
  component: string,
): { http: HttpMetrics; read: () => Promise<{ type: string; body: string }> } {
  const { registry, gauges, http } = openRegistry(component)
  const read = async () => {
    for (const gauge of gauges.values()) {
      gauge.reset()
      // Without labels it would say 0 for what nobody knows.
      gauge.remove({})
    }
    const set = (name: keyof typeof METRICS, samples: readonly Sample[]) => {
      for (const [value, labels = {}] of samples) gauges.get(name)?.set({ ...labels }, value)
    }
    await Promise.all(
      PARTS.map(async ([part, readPart]) => {
        const samples = await within(readPart(catalog)).catch(() => undefined)
        set('part_up', [[samples === undefined ? 0 : 1, { part }]])
        for (const [name, found] of Object.entries(samples ?? {})) set(name as keyof typeof METRICS, found)
      }),
    )
    return { type: registry.contentType, body: await registry.metrics() }
  }
  return { http, read }
}

type Samples = Partial<Record<keyof typeof METRICS, readonly Sample[]>>

const PARTS: readonly (readonly [part: string, read: (catalog: Catalog) => Promise<Samples>])[] = [
  ['store', readStore],
  ['log', readLog],
  ['index', readIndex],
]

async function readStore({ store, spending }: Catalog): Promise<Samples> {
  const [refusal, seq, letters, crawls, jobs, last, verified, leases, works, mail, spent, saved] = await Promise.all([
    readWriteRefusal(store),
    readSeq(store),
    deadLetterGroups(store, DEAD_LETTER_GROUPS_MAX),
    readCrawlSummary(store, { limit: 0 }),
    readJobRuns(store),
    lastFinishedRun(store),
    readVerified(store),
    readLeases(store),
    readWork(store),
    countWaitingMail(store),
    spending?.(),
    readLastBackup(store),
  ])
  const live = works.filter(({ stale }) => !stale)
  const byReason = Map.groupBy(letters, ({ reason }) => reason)
  return {
    part_up: [[refusal === undefined ? 1 : 0, { part: 'store' }]],
    changes_seq: [[Number(seq)]],
    dead_letters: [...byReason].map(([reason, groups]) => [groups.reduce((n, { count }) => n + count, 0), { reason }]),
    sources: [[crawls.sources]],
    sources_failing: [[crawls.failing]],
    crawls_held: [[crawls.held]],
    run_timestamp_seconds: last === undefined ? [] : [[secondsOf(last.asOf)]],
    job_end_timestamp_seconds: jobs.map(({ job, ended_at }) => [secondsOf(ended_at), { name: job }]),
    job_failed: jobs.map(({ job, outcome }) => [outcome === 'failed' ? 1 : 0, { name: job }]),
    verified_timestamp_seconds: verified === null ? [] : [[secondsOf(verified.at)]],
    verified_ok: verified === null ? [] : [[verified.ok ? 1 : 0]],
    backup_timestamp_seconds: saved === undefined ? [] : [[secondsOf(saved.at)]],
    mail_waiting: [[mail.waiting]],
    mail_failing: [[mail.failing]],
    embedder_tokens: spent === undefined ? [] : [[Number(spent.tokens)]],
    embedder_tokens_max: spent?.tokensMax == null ? [] : [[spent.tokensMax]],
    work_done: live.map(({ name: lease, stage, done }) => [done, { lease, stage }]),
    work_total: live.flatMap(({ name: lease, stage, total }) => (total === null ? [] : [[total, { lease, stage }]])),
    leader: leases.map(({ name, holder }) => [1, { lease: name, holder }]),
  }
}

async function readLog(catalog: Catalog): Promise<Samples> {
  const [positions, identity, folded] = await Promise.all([
    agedPositions(catalog),
    catalog.log.identity(),
    readMeta(catalog.store, FOLDED_LOG),
  ])
  const samples = (figure: (position: AgedPosition) => number | null): Sample[] =>
    positions.flatMap((position) => {
      const value = figure(position)
      const { name: projection, topic, partition } = position
      return value === null ? [] : [[value, { projection, topic, partition: String(partition) }] as const]
    })
  return {
    log_applied_records: samples(({ next }) => next),
    log_lag_records: samples(({ lag }) => lag),
    log_lag_seconds: samples(({ lag_seconds: seconds }) => seconds),
    log_replaced: [[folded === undefined || folded === identity ? 0 : 1]],
    ...(await readReplay(catalog, positions)),
  }
}

/** Where the tables stand that a replay builds beside the served ones, against the ends of the log. */
async function readReplay({ store }: Catalog, served: readonly AgedPosition[]): Promise<Samples> {
  const building = await readBuilding(store)
  if (building === undefined) return {}
  const folded = await readBuildingPositions(store, { schema: store.schema, build: building.build })
  return {
    replay_paused: [[building.paused ? 1 : 0]],
    replay_lag_records: served.map(({ name, topic, partition, end }) => {
      const at = folded.find(
        (place) => place.projection === name && place.topic === topic && place.partition === partition,
      )
      return [Number(end) - Number(at?.next ?? 0), { projection: name, topic, partition: String(partition) }]
    }),
  }
}

async function readIndex({ index }: Catalog): Promise<Samples> {
  const { seq, documents } = await index.state()
  const labels = { adapter: index.adapter }
  return { index_seq: [[Number(seq), labels]], index_documents: [[documents, labels]] }
}
