import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { dockerAnswers, unprivilegedUser } from './machine.ts'

/** A private PostgreSQL with an empty database; disposal stops it and removes its folder. */
export interface PostgresServer extends AsyncDisposable {
  /** Connection string of the superuser, for `pg`, `psql` and `pgbench`. */
  readonly url: string
  /** Crashes the server without a shutdown and restarts it on its data and address. */
  readonly crash: () => Promise<void>
  /** Ends the server at once; nobody answers at its address until `start`. */
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
  /** Its Unix socket; undefined in a container. */
  readonly socket?: string
  /** Its first process; undefined in a container. */
  readonly pid?: () => number | undefined
  /** Starts an asynchronous standby of this server from a base backup; undefined in a container. */
  readonly startStandby?: () => Promise<PostgresServer>
}

/** Debian and Ubuntu install one folder per major version, outside PATH. */
const DEBIAN_ROOT = '/usr/lib/postgresql'
/** The container for machines without binaries. */
const IMAGE = 'postgres:17'
const SUPERUSER = 'postgres'
/** Bytes decide the order of texts on every machine. */
const LOCALE = ['--encoding', 'UTF8', '--no-locale']
/** initdb writes some 40 MB, and machines are shared. */
const START_TIMEOUT_MS = 60_000
/** A fast shutdown that takes longer ends in a kill: the folder is thrown away anyway. */
const STOP_TIMEOUT_MS = 20_000

/**
 * Null when {@link startPostgres} can start a server here, else the reason in one line for skipped suites. With CI=true
 * it throws instead.
 */
export function postgresAvailable(): string | null {
  if (findBinaries() !== undefined || dockerAnswers()) return null
  const places = `PG_BIN, initdb in PATH or in ${DEBIAN_ROOT}/*/bin`
  const reason = `neither PostgreSQL binaries, expected ${places}, nor a Docker engine`
  if (process.env.CI === 'true') throw new Error(reason)
  return reason
}

/**
 * Starts a private server with fsync on, as in production: from the installed binaries, else in Docker where an engine
 * answers. `settings` go into postgresql.conf; a native server keeps its folder in `parent`.
 */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
  { parent = tmpdir() }: { parent?: string } = {},
): Promise<PostgresServer> {
  const asked = { fsync: 'on', ...settings }
  const bin = findBinaries()
  if (bin !== undefined) return startNatively(bin, asked, { parent })
  if (dockerAnswers()) return startContainer(asked)
  throw new Error(postgresAvailable() ?? 'no PostgreSQL')
}

async function startContainer(settings: Readonly<Record<string, string>>): Promise<PostgresServer> {
  // Import on use: it takes longer than many a test file.
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql')
  const container = await new PostgreSqlContainer(IMAGE)
    .withUsername(SUPERUSER)
    // Docker publishes a port on every network of the machine.
    .withPassword(randomUUID())
    .withDatabase('postgres')
    .withEnvironment({ POSTGRES_INITDB_ARGS: LOCALE.join(' ') })
    .withCommand(['postgres', ...settingArguments(settings)])
    .withStartupTimeout(START_TIMEOUT_MS)
    .start()
  return {
    url: container.getConnectionUri(),
    crash: () => container.restart({ timeout: 0 }),
    async stop() {
      await container.stop({ remove: false, timeout: 0 })
    },
    start: () => container.restart(),
    async [Symbol.asyncDispose]() {
      await container.stop()
    },
  }
}

/** Listens only on a Unix socket in its temporary folder, so servers of parallel test files cannot meet. */
async function startNatively(
  bin: string,
  settings: Readonly<Record<string, string>>,
  { parent, primaryFolder }: { parent: string; primaryFolder?: string },
): Promise<PostgresServer> {
  const dir = mkdtempSync(join(parent, 'catalog-pg-'))
  const user = unprivilegedUser(['postgres', 'nobody'])
  if (user) chownSync(dir, user.uid, user.gid)
  const options = { cwd: dir, env: { LC_ALL: 'C', PATH: process.env.PATH ?? '' }, ...user }
  const data = join(dir, 'data')
  try {
    const made = ['--pgdata', data, '--username', SUPERUSER, '--no-sync']
    const [program, more] =
      primaryFolder === undefined
        ? ['initdb', [...LOCALE, '--auth', 'trust']]
        : ['pg_basebackup', ['--host', primaryFolder, '--write-recovery-conf', '--checkpoint', 'fast']]
    await promisify(execFile)(join(bin, program), [...made, ...more], options)
    const asked = { listen_addresses: '', unix_socket_directories: dir, ...settings }
    const launch = () =>
      spawn(join(bin, 'postgres'), ['-D', data, ...settingArguments(asked)], {
        ...options,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
    let server = launch()
    const kill = () => server.kill('SIGKILL')
    // A test runner that ends early must not leave a server behind.
    process.once('exit', kill)
    try {
      await untilReady(server)
    } catch (error) {
      kill()
      throw error
    }
    async function stop(): Promise<void> {
      // A full disk may have ended it.
      if (server.exitCode !== null || server.signalCode !== null) return
      const exited = once(server, 'exit')
      // SIGQUIT is the immediate shutdown: the next start recovers from the write-ahead log.
      server.kill('SIGQUIT')
      await exited
    }
    async function start(): Promise<void> {
      server = launch()
      await untilReady(server)
    }
    return {
      async crash() {
        await stop()
        await start()
      },
      stop,
      start,
      socket: join(dir, '.s.PGSQL.5432'),
      pid: () => server.pid,
      startStandby: () => startNatively(bin, settings, { parent, primaryFolder: dir }),
      url: `postgres://${SUPERUSER}@${encodeURIComponent(dir)}/postgres`,
      async [Symbol.asyncDispose]() {
        const timeout = setTimeout(kill, STOP_TIMEOUT_MS)
        const exited = server.exitCode === null && server.signalCode === null ? once(server, 'exit') : undefined
        // SIGINT is the fast shutdown: it rolls back open transactions and does not wait for clients.
        server.kill('SIGINT')
        await exited
        clearTimeout(timeout)
        process.off('exit', kill)
        rmSync(dir, { recursive: true, force: true })
      },
    }
  } catch (error) {
    rmSync(dir, { recursive: true, force: true })
    throw error
  }
}

function settingArguments(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** The folder of initdb and postgres: PG_BIN, else one of PATH, else Debian's newest. */
function findBinaries(): string | undefined {
  const named = process.env.PG_BIN
  const inPath = (process.env.PATH ?? '').split(delimiter)
  const versions = existsSync(DEBIAN_ROOT) ? readdirSync(DEBIAN_ROOT).sort((a, b) => Number(b) - Number(a)) : []
  const folders = named ? [named] : [...inPath, ...versions.map((version) => join(DEBIAN_ROOT, version, 'bin'))]
  const found = folders.find((folder) => ['initdb', 'postgres'].every((program) => existsSync(join(folder, program))))
  // Links in PATH need not lead to the programs beside them.
  return found && dirname(realpathSync(join(found, 'postgres')))
}

/** A standby says that its connections are read-only. */
const READY = /ready to accept (read-only )?connections/

/** Resolves when the server accepts connections; throws with its last output when it ends or stays silent. */
async function untilReady(server: ChildProcess): Promise<void> {
  const said: string[] = []
  const ready = new Promise<void>((resolve, reject) => {
    const timeout = setTimeout(() => reject(failed(`is not ready after ${START_TIMEOUT_MS} ms`)), START_TIMEOUT_MS)
    const failed = (what: string) => new Error(`postgres ${what}: ${said.slice(-5).join(' | ')}`)
    const settle = (act: () => void) => {
      clearTimeout(timeout)
      act()
    }
    server.once('error', (cause) => settle(() => reject(new Error('postgres could not be started', { cause }))))
    server.once('exit', (code) => settle(() => reject(failed(`ended with code ${code}`))))
    // Read to the end: a full pipe would stop the server. Keep only the lines before it was ready.
    const lines = createInterface({ input: server.stderr as NonNullable<typeof server.stderr> })
    let up = false
    lines.on('line', (line) => {
      if (up) return
      said.push(line)
      up = READY.test(line)
      if (up) settle(resolve)
    })
  })
  await ready
}
