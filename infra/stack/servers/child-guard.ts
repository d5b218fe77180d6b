import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'

/** A server that ends with this process. */
export type GuardedServer = Readonly<{
  /** Why it ended, with its last output; undefined while it runs. */
  failure: () => Error | undefined
  /** Kills it at once, as a power cut does; settles when it has ended. */
  kill: () => Promise<void>
}>

/**
 * Runs a command and kills its group when our end of its stdin closes. The system closes that end however a test runner
 * ends, so no server stays behind, nor a process that a server started.
 */
const GUARD_SCRIPT = 'exec 3<&0; "$@" </dev/null 3<&- & server=$!; { cat <&3 >/dev/null; kill -9 0; } & wait $server'
/** Length of the log's end in an error. */
const LOG_CHARS_MAX = 2_000

/** Starts a server in `dir` that appends its output to `logFile`; errors call it `name`. */
export function startGuarded({
  name,
  command,
  dir,
  logFile,
  env = process.env,
  user,
}: {
  name: string
  command: readonly string[]
  dir: string
  logFile: string
  env?: NodeJS.ProcessEnv
  user?: Readonly<{ uid: number; gid: number }> | undefined
}): GuardedServer {
  const log = openSync(logFile, 'a')
  const options = { cwd: dir, env, ...user, detached: true }
  const server = spawn('sh', ['-c', GUARD_SCRIPT, 'sh', ...command], { ...options, stdio: ['pipe', log, log] })
  closeSync(log)
  let failure: Error | undefined
  server.once('error', (cause) => {
    failure = new Error(`${name} could not be started`, { cause })
  })
  server.once('exit', (code, signal) => {
    server.stdin?.destroy()
    failure ??= new Error(`${name} ended with ${code ?? signal}: ${logTail(logFile)}`)
  })
  return {
    failure: () => failure,
    async kill() {
      if (server.exitCode !== null || server.signalCode !== null) return
      const exited = once(server, 'exit')
      server.stdin?.end()
      await exited
    },
  }
}

/** The end of a log, for an error. */
export function logTail(logFile: string): string {
  return readFileSync(logFile, 'utf8').trim().slice(-LOG_CHARS_MAX)
}
