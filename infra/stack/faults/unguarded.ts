import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { randomOf } from '@catalog/core/random.ts'
import { type AppliedRow, openHistory } from '@catalog/stack/faults/system/history.ts'
import type { Servers } from '@catalog/stack/faults/system/servers.ts'
import { streamForever } from '@catalog/stack/faults/system/stream.ts'
import { supervise } from '@catalog/stack/faults/system/supervisor.ts'
import type { System } from '@catalog/stack/faults/system/system.ts'
import { untilHolds } from '@catalog/stack/servers/waiting.ts'
import { Kafka, logLevel } from 'kafkajs'
import { appliedOnce } from './model.ts'
import { type Plan, planText } from './plan.ts'

/** Faults that need no process of the catalog but a projector. */
export const UNGUARDED_FAULTS: ReadonlySet<string> = new Set([
  ...['kill-projector', 'kill-at-commit', 'freeze-projector', 'postgres-crash', 'lost-commit', 'resets', 'half-open'],
  ...['partition', 'slow-network', 'broker-away', 'rolling-restart'],
])

export type UnguardedReport = Readonly<{
  seed: number
  faults: readonly string[]
  acknowledged: number
  lost: readonly string[]
  doubled: readonly string[]
  /** Observations that the tables have, though no append of them was acknowledged. */
  uncertain: number
}>

type UnguardedOptions = Readonly<{
  plan: Plan
  batch: number
  historyFile: string
  openServers: () => Promise<Servers>
  say: (line: string) => void
}>

const PARTITIONS = 6
const WORKER = join(import.meta.dirname, 'unguarded-worker.ts')
/** A consumer that was cut off comes back after its session and the waits of its retries. */
const QUIET = { timeoutMs: 90_000, pollMs: 500 }

/**
 * The same plan, clients and model, against two consumers and a producer of kafkajs at its defaults in place of the catalog's
 * log and projectors. The appends of the harness go by that producer.
 */
export async function runUnguarded(options: UnguardedOptions): Promise<UnguardedReport> {
  const { plan, batch, historyFile, say } = options
  say(planText(plan))
  await using running = new AsyncDisposableStack()
  const folder = running.use(mkdtempDisposableSync(join(tmpdir(), 'catalog-unguarded-')))
  const servers = running.use(await options.openServers())
  const { store } = servers.database
  await store().query('create table public.applied (vendor text, name text, at text, cents int)')
  writeFileSync(historyFile, '')
  const history = openHistory(historyFile)
  const { topic, log } = await openDefaults(servers, running)
  const command = { data: folder.path, program: WORKER }
  const args = [servers.env.DATABASE_URL as string, servers.log.brokers, topic]
  const projectors = [1, 2].map((n) => running.use(supervise(`projector ${n}`, args, { command, setClock: undefined })))
  // A new group begins at the end of the log: earlier records would be lost without any fault.
  const haveJoined = async () => projectors.every((worker) => worker.output().includes('joined'))
  await untilHolds('both consumers are in their group', haveJoined, QUIET)
  const beganMs = performance.now()
  const nowMs = () => performance.now() - beganMs
  const stream = await streamForever({ log, nowMs, history, random: randomOf(plan.seed), batch })
  // The faults of UNGUARDED_FAULTS use these members alone.
  const system = { servers, store, projectors, nowMs, say } as unknown as System
  const rows = async () =>
    (
      await store().query<{ row: AppliedRow }>(
        'select json_build_array(vendor, name, at, cents) as row from public.applied',
      )
    ).map(({ row }) => row)
  await untilHolds('a first append is applied', async () => (await rows()).length > 0, QUIET)
  for (const { pauseMs, faults } of plan.steps) {
    await delay(pauseMs)
    const ended = await Promise.all(
      faults.map(async ({ injection, seed }) => {
        const note = await injection.inject(system, { random: randomOf(seed), injected() {} })
        return `${injection.name}: ${note}`
      }),
    )
    for (const line of ended) say(`${Math.round(nowMs() / 1000)} s: ${line}`)
  }
  await stream.finish()
  const judged = async () => appliedOnce(appends(history.records), await rows())
  // Records may still be on their way: the verdict waits for them before it counts the lost ones.
  await untilHolds('nothing is lost', async () => (await judged()).lost.length === 0, QUIET).catch(() => {})
  const { acknowledged, uncertain, lost, doubled } = await judged()
  const names = plan.steps.flatMap(({ faults }) => faults.map(({ injection }) => injection.name))
  return { seed: plan.seed, faults: names, acknowledged, lost, doubled, uncertain }
}

const appends = (records: ReturnType<typeof openHistory>['records']) =>
  records.flatMap((record) => (record.kind === 'append' ? record : []))

/** A topic, and a producer with every default of kafkajs. */
async function openDefaults(servers: Servers, running: AsyncDisposableStack) {
  const kafka = new Kafka({ brokers: servers.log.brokers.split(','), logLevel: logLevel.NOTHING })
  const { prefix } = servers.log
  const topics = [TOPICS.observations, TOPICS.decisions].map((topic) => `${prefix}${topic}`)
  const admin = kafka.admin()
  await admin.connect()
  const replicationFactor = Math.max(1, servers.proxies.kafka.length)
  await admin.createTopics({
    topics: topics.map((topic) => ({ topic, numPartitions: PARTITIONS, replicationFactor })),
    waitForLeaders: true,
  })
  await admin.disconnect()
  const producer = kafka.producer()
  await producer.connect()
  running.defer(() => producer.disconnect())
  const log: Parameters<typeof streamForever>[0]['log'] = {
    async append(topic, events) {
      await producer.send({
        topic: `${prefix}${topic}`,
        messages: events.map(({ key, value }) => ({ key, value })),
      })
    },
  }
  return { topic: `${prefix}${TOPICS.observations}`, log }
}

/** The verdict as lines for a terminal. */
export function unguardedText({ seed, faults, acknowledged, uncertain, lost, doubled }: UnguardedReport): string {
  const verdict =
    lost.length + doubled.length === 0
      ? 'nothing was lost or doubled: these faults show nothing'
      : 'kafkajs at its defaults lost or doubled observations, as expected'
  const first = (found: readonly string[]) => (found.length === 0 ? '' : ` (first: ${found[0]})`)
  return [
    `unguarded, seed ${seed}, ${faults.join(', ')}:`,
    `acknowledged ${acknowledged}, uncertain ${uncertain}`,
    `lost ${lost.length}${first(lost)}`,
    `doubled ${doubled.length}${first(doubled)}`,
    verdict,
  ].join('\n')
}
