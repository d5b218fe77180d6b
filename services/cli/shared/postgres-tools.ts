import { spawn } from 'node:child_process'

/** Characters of a tool's complaints that an error repeats. */
const COMPLAINT_CHARS_MAX = 2_000

/**
 * The environment in which PostgreSQL's own programs reach a database. The password is not among the arguments, which all
 * users of the machine can see.
 */
function postgresEnvironment(databaseUrl: string): NodeJS.ProcessEnv {
  const url = new URL(databaseUrl)
  const ssl = url.searchParams.get('sslmode')
  return {
    ...process.env,
    PGHOST: url.searchParams.get('host') ?? decodeURIComponent(url.hostname),
    ...(url.port !== '' && { PGPORT: url.port }),
    ...(url.username !== '' && { PGUSER: decodeURIComponent(url.username) }),
    ...(url.password !== '' && { PGPASSWORD: decodeURIComponent(url.password) }),
    ...(ssl !== null && { PGSSLMODE: ssl }),
    PGDATABASE: decodeURIComponent(url.pathname.slice(1)),
  }
}

/** Runs pg_dump or pg_restore on a database. Throws with its last words where it fails, and names its package where it is absent. */
export async function runPostgresTool(
  tool: 'pg_dump' | 'pg_restore',
  { databaseUrl, signal }: { databaseUrl: string; signal: AbortSignal },
  flags: readonly string[],
): Promise<void> {
  const env: NodeJS.ProcessEnv = { ...postgresEnvironment(databaseUrl), LC_ALL: 'C' }
  // pg_restore without a database's name prints what it would do.
  const child = spawn(tool, [`--dbname=${env.PGDATABASE}`, '--no-password', ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env,
    signal,
  })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-COMPLAINT_CHARS_MAX)
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve)
  }).catch((cause: NodeJS.ErrnoException) => {
    signal.throwIfAborted()
    if (cause.code !== 'ENOENT') throw cause
    throw new Error(
      `${tool} is not installed; expected PostgreSQL's client programs in PATH, of the server's version or later (Debian: postgresql-client)`,
      { cause },
    )
  })
  if (code !== 0) throw new Error(`${tool} failed: ${complaint.trim() || `exit code ${code}`}`)
}
