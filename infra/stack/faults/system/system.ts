import { mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openKafkaLog } from '@catalog/log/kafka/kafka.ts'
import type { EventLog } from '@catalog/log/log.ts'
import { answerOf, type CommandOptions, freePort, UNLIMITED } from '@catalog/stack/servers/command.ts'
import type { Store } from '@catalog/store/db.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import { fakedClock } from './clock.ts'
import { type CrawlLoop, crawlForever } from './crawl-loop.ts'
import { type History, openHistory } from './history.ts'
import type { Servers } from './servers.ts'
import { type Stream, streamForever } from './stream.ts'
import { type Supervised, supervise } from './supervisor.ts'

/** The distributed catalog under test: its servers, its processes, and its clients. */
export type System = AsyncDisposable &
  Readonly<{
    servers: Servers
    /** The harness's own connection to the primary, which no fault of a proxy disturbs. */
    store: () => Store
    options: CommandOptions
    /** The API with its /v1. */
    base: string
    /** Key of the agent. */
    agentKey: string
    mirrorFolder: string
    aggregators: readonly Supervised[]
    projectors: readonly Supervised[]
    serve: Supervised
    mirror: Supervised
    processes: readonly Supervised[]
    log: EventLog
    crawls: CrawlLoop
    stream: Stream
    history: History
    nowMs: () => number
    /** Whole seconds since the start. */
    elapsed: () => number
    say: (line: string) => void
  }>

export type SystemOptions = Readonly<{
  openServers: () => Promise<Servers>
  random: () => number
  /** Observations of one append of the stream. */
  batch: number
  /** Observations that the stream appends at least. */
  eventsMin?: number | undefined
  runEveryMs: number
  /** Whether every process of the system gets a clock that a fault can set. */
  hasClocks: boolean
  /** File of the history. */
  historyFile: string
  say: (line: string) => void
}>

const MINUTE_SECONDS = 60

/** Starts everything; disposal ends all processes and servers, and removes their folders. */
export async function openSystem(given: SystemOptions): Promise<System> {
  const { runEveryMs, random, say } = given
  await using starting = new AsyncDisposableStack()
  const folder = starting.use(mkdtempDisposableSync(join(tmpdir(), 'catalog-faults-')))
  const servers = starting.use(await given.openServers())
  const { store } = servers.database
  await migrate(store())
  const beganMs = performance.now()
  const nowMs = () => performance.now() - beganMs
  writeFileSync(given.historyFile, '')
  const history = openHistory(given.historyFile)
  const env = { ...servers.env, ...UNLIMITED }
  const options: CommandOptions = { data: folder.path, env }
  const everySeconds = runEveryMs / 1000
  const cron = everySeconds === MINUTE_SECONDS ? '0 * * * * *' : `*/${everySeconds} * * * * *`
  const port = String(await freePort())
  const base = `http://127.0.0.1:${port}/v1`
  const mirrorFolder = join(servers.disks?.mirror ?? folder.path, 'mirror')
  const log = starting.use(await openKafkaLog(servers.log))
  const { key: agentKey } = await issueKey(options)
  const started = (name: string, args: readonly string[], more: Record<string, string> = {}) => {
    const clock = given.hasClocks ? fakedClock(folder.path, name) : undefined
    const command = { ...options, env: { ...env, ...more, ...clock?.env } }
    return starting.use(supervise(name, args, { command, setClock: clock?.set }))
  }
  const nightly = { AGGREGATE_CRON: cron, LOG_LEVEL: 'info' }
  const serve = started('serve', ['serve', '--port', port, '--json'])
  const projectors = [1, 2].map((n) => started(`projector ${n}`, ['project']))
  const aggregators = [1, 2].map((n) => started(`aggregator ${n}`, ['aggregate', '--nightly'], nightly))
  const mirror = started('mirror', ['mirror', base, '--into', mirrorFolder, '--follow', '--every', '2'])
  // A signal ends the harness without disposal; the processes have been killed by then.
  const remove = () => folder.remove()
  process.once('exit', remove)
  starting.defer(() => void process.off('exit', remove))
  const lists = join(folder.path, 'lists')
  mkdirSync(lists)
  const crawls = crawlForever(options, { folder: lists, nowMs, history, random, say })
  const stream = await streamForever({
    log,
    nowMs,
    history,
    random,
    batch: given.batch,
    eventsMin: given.eventsMin,
  })
  const open = starting.move()
  return {
    servers,
    store,
    options,
    base,
    agentKey,
    mirrorFolder,
    serve,
    projectors,
    aggregators,
    mirror,
    processes: [serve, ...projectors, ...aggregators, mirror],
    log,
    crawls,
    stream,
    history,
    nowMs,
    elapsed: () => Math.round(nowMs() / 1000),
    say,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

async function issueKey(options: CommandOptions): Promise<{ key: string }> {
  await answerOf(['workspace', 'create', 'faults'], options)
  const issue = ['keys', 'issue', '--workspace', 'faults', '--name', 'agent']
  return (await answerOf(issue, options)) as { key: string }
}
