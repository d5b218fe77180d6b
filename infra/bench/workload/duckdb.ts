import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { CACHE_DIR } from '@catalog/stack/servers/maven.ts'
import type { PostgresServer } from '@catalog/stack/servers/postgres.ts'

/** DuckDB that computes all medians. It stays warm between runs and ends on disposal. */
export interface DuckDb extends AsyncDisposable {
  /** Computes all medians into a table of its own. */
  run(): Promise<void>
  /** By item: the lower and the upper median. */
  medians(): Promise<readonly (readonly [item: number, lower: number, upper: number])[]>
}

/** The tables of a store, or a Parquet file with the columns item, cents and trust, which is read into memory. */
type Source = Readonly<{ server: PostgresServer; schema: string; asOf: string }> | Readonly<{ votes: string }>

const PEERS = join(import.meta.dirname, '../peers')
const REQUIREMENTS = join(PEERS, 'requirements.txt')
/** Both wheels have 35 MB. */
const INSTALL_TIMEOUT_MS = 300_000

/** Null, after one line to `say`, where DuckDB for Python cannot be installed or does not reach the server. */
export async function startDuckDb(source: Source, say: (line: string) => void): Promise<DuckDb | null> {
  const folder = await installed().catch((error: Error) => error)
  const args = argumentsOf(source)
  if (folder instanceof Error || args === null) {
    say(`DuckDB is left out: ${folder instanceof Error ? folder.message.split('\n')[0] : 'no socket'}`)
    return null
  }
  const child = spawn(join(folder, 'bin', 'python'), [join(PEERS, 'medians.py'), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  async function answer(command?: string): Promise<string> {
    if (command !== undefined) child.stdin.write(`${command}\n`)
    const { value, done } = await lines.next()
    if (done) throw new Error('DuckDB for Python ended before its answer')
    return value
  }
  await answer()
  return {
    run: async () => void (await answer('run')),
    medians: async () => JSON.parse(await answer('medians')),
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit')
      child.stdin.end()
      await ended
    },
  }
}

function argumentsOf(source: Source): readonly string[] | null {
  if ('votes' in source) return ['votes', source.votes]
  // A container's server listens on a port with a password.
  const host = decodeURIComponent(/@([^/]+)\//.exec(source.server.url)?.[1] ?? '')
  return host.startsWith('/') ? ['tables', host, source.schema, source.asOf] : null
}

/** A virtual environment with the pinned packages, made on first use. */
async function installed(): Promise<string> {
  const digest = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex')
  const folder = join(CACHE_DIR, `bench-python-${digest.slice(0, 12)}`)
  if (existsSync(folder)) return folder
  const making = `${folder}.${process.pid}`
  try {
    const run = promisify(execFile)
    await run('python3', ['-m', 'venv', making])
    const digests = ['--require-hashes', '--only-binary', ':all:', '--requirement', REQUIREMENTS]
    await run(join(making, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', ...digests], {
      timeout: INSTALL_TIMEOUT_MS,
    })
    await rename(making, folder)
  } finally {
    await rm(making, { recursive: true, force: true })
  }
  return folder
}
