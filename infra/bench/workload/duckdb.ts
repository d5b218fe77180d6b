import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pythonWith } from '@catalog/stack/mirror/python.ts'
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

/** Null, after one line to `say`, where DuckDB for Python cannot be installed or does not reach the server. */
export async function startDuckDb(source: Source, say: (line: string) => void): Promise<DuckDb | null> {
  const python = await pythonWith('bench-python', REQUIREMENTS).catch((error: Error) => error)
  const args = argumentsOf(source)
  if (python instanceof Error || args === null) {
    say(`DuckDB is left out: ${python instanceof Error ? python.message.split('\n')[0] : 'no socket'}`)
    return null
  }
  const child = spawn(python, [join(PEERS, 'medians.py'), ...args], {
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
