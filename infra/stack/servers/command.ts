import { spawn } from 'node:child_process'
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { HOUR_MS } from '@catalog/core/time.ts'
import { copyTemplate } from '@catalog/stack/store/template.ts'

export { freePort } from './machine.ts'

/** The command `catalog` as a child process, on embedded data in a folder of its own. */
export interface Running extends AsyncDisposable {
  /** Resolves when the process ends; rejects when `timeoutMs` forced a kill. */
  readonly finished: Promise<Finished>
  /** The first line on stdout; undefined when the process ended without one. */
  readonly firstLine: Promise<string | undefined>
  /** What it has written to stdout and stderr so far. */
  readonly output: () => string
  /** Sends the signal to this process alone; false when it has already ended. */
  readonly kill: (signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL') => boolean
  readonly pid: number | undefined
}
export type Finished = Readonly<{
  /** Null when a signal ended the process. */
  code: number | null
  stdout: string
  stderr: string
}>

export type CommandOptions = Readonly<{
  /** Folder of the embedded data. */
  data: string
  env?: Readonly<Record<string, string>>
  timeoutMs?: number
  /** Lets the command create its store; by default it finds an empty one, which saves four seconds. */
  createsStore?: boolean
  /** A program in place of the catalog's. */
  program?: string
}>

const CATALOG = resolve(import.meta.dirname, '../../../services/cli/catalog.js')
/** Outlasts every command on small data on a busy machine. */
const TIMEOUT_MS = 240_000
/** Variables of the tester's shell that would choose other adapters, another folder or another port. */
const UNSET = ['DATABASE_URL', 'KAFKA_BROKERS', 'ELASTICSEARCH_URL', 'EMBEDDINGS_URL', 'CATALOG_DATA', 'PORT']
/** Commands that read no store, or create it from a backup. */
const STORELESS: ReadonlySet<string> = new Set(['restore', 'mirror', '--version', '--help'])
/** A date that no test reaches: a nightly run at the clock's instant would refuse all runs of the past. */
const NEVER = '0 0 29 2 *'

/** Starts `catalog ARGS --data DATA`. Disposal kills the process if it still runs. */
export function startCatalog(
  args: readonly string[],
  { data, env = {}, timeoutMs = TIMEOUT_MS, createsStore = false, program = CATALOG }: CommandOptions,
): Running {
  const needsStore = env.DATABASE_URL === undefined && !STORELESS.has(args[0] ?? '')
  if (needsStore && !createsStore) prepareStore(data)
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !UNSET.includes(name)))
  const child = spawn(process.execPath, [program, ...args, '--data', data], {
    env: { ...inherited, AGGREGATE_CRON: NEVER, SNAPSHOT_CRON: NEVER, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  const firstLine = Promise.withResolvers<string | undefined>()
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    if (stdout.includes('\n')) firstLine.resolve(stdout.slice(0, stdout.indexOf('\n')))
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const finished = Promise.withResolvers<Finished>()
  // A caller may need the first line alone.
  finished.promise.catch(() => {})
  let late = false
  const timer = setTimeout(() => {
    late = true
    child.kill('SIGKILL')
  }, timeoutMs)
  child.on('error', finished.reject).on('close', (code) => {
    clearTimeout(timer)
    firstLine.resolve(undefined)
    const said = `catalog ${args.join(' ')}: expected to end in ${timeoutMs} ms; it said: ${stdout}${stderr}`
    if (late) finished.reject(new Error(said))
    else finished.resolve({ code, stdout, stderr })
  })
  return {
    finished: finished.promise,
    firstLine: firstLine.promise,
    output: () => stdout + stderr,
    kill: (signal) => child.kill(signal),
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await finished.promise.catch(() => {})
    },
  }
}

/** Copies an empty store to a folder. A folder that cannot be created is for the command to report. */
function prepareStore(data: string): void {
  try {
    copyTemplate(data)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTDIR') throw error
  }
}

/**
 * The address of the API, with its /v1, once a command started with --json serves it. Throws the command's output when
 * it ended instead.
 */
export async function addressOf(server: Running): Promise<string> {
  const { address } = JSON.parse((await server.firstLine) ?? '{}') as { address?: string }
  if (address !== undefined) return address
  const { code, stdout, stderr } = await server.finished
  throw new Error(`expected a server, which ended with ${code}: ${stdout}${stderr}`)
}

/** Runs `catalog ARGS --json` to its end and returns its answer; throws when it fails. */
export async function answerOf(args: readonly string[], options: CommandOptions): Promise<unknown> {
  const { code, stdout, stderr } = await startCatalog([...args, '--json'], options).finished
  if (code !== 0) throw new Error(`catalog ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`)
  return JSON.parse(stdout)
}

const READY_POLL_MS = 50

/** Resolves when `catalog serve` at this address (with its /v1) answers from a replica that is as new as the store. */
export async function untilReplicated(address: string): Promise<void> {
  const beganMs = Date.now()
  for (;;) {
    type Status = { checked_at: string; replica: { lag: { records: number | null } } | null }
    const { checked_at, replica } = (await (await fetch(`${address}/status`)).json()) as Status
    if (Date.parse(checked_at) >= beganMs && replica?.lag.records === 0) return
    await delay(READY_POLL_MS)
  }
}

/** Where the feeds of a server stand. */
export type FeedState = Readonly<{
  gen: string
  scopes: Readonly<{ items: Readonly<{ head: number }> }>
  digest: Readonly<{ mark: number; scopes: Readonly<{ items: Readonly<{ seq: number; state_root: string }> }> }> | null
}>

/** The state.json that a server at this address (with its /v1) has now. */
export const feedState = async (address: string): Promise<FeedState> =>
  (await (await fetch(`${address}/feeds/state.json`)).json()) as FeedState

/** Limits that refuse nobody, though everything is counted. */
export const UNLIMITED: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'ANON_PER_MIN',
    'DEV_PER_MIN',
    'DEV_PER_MONTH',
    'ORG_PER_MIN',
    'ORG_PER_MONTH',
    'SEARCH_PER_MIN',
    'SIGNUPS_PER_HOUR',
    'SIGNUPS_PER_DAY',
    'SIGNUPS_PER_EMAIL_PER_DAY',
  ].map((limit) => [`RATE_LIMIT_${limit}`, '100000000']),
)

/** `catalog serve` in a process of its own. Disposal ends it and removes its folder. */
export type Serving = AsyncDisposable &
  Readonly<{
    /** The address with its /v1. */
    base: string
    server: Running
    /** For commands beside it. */
    options: CommandOptions
  }>

/** On the database at `url`, or for null on an embedded store in its folder. */
export async function startServing(url: string | null, env: Readonly<Record<string, string>> = {}): Promise<Serving> {
  await using starting = new AsyncDisposableStack()
  const folder = starting.adopt(mkdtempDisposableSync(join(tmpdir(), 'catalog-served-')), (made) => made.remove())
  const database: Record<string, string> = url === null ? {} : { DATABASE_URL: url }
  const options = { data: folder.path, env: { ...UNLIMITED, ...database, ...env } }
  const server = starting.use(startCatalog(['serve', '--port', '0', '--json'], { ...options, timeoutMs: HOUR_MS }))
  const base = await addressOf(server)
  const running = starting.move()
  return { base, server, options, [Symbol.asyncDispose]: () => running.disposeAsync() }
}
