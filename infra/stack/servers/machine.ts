import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** What test servers take of this machine: Java, Docker engine, free ports, an unprivileged user, time. */
const JVM_FOLDERS = '/usr/lib/jvm/*'
/** Places that {@link findJava} searches, for the reason of a skipped suite. */
export const JAVA_PLACES = `at JAVA_HOME, in PATH or in ${JVM_FOLDERS}`
/** A Docker client without an engine fails at once; a hanging engine does not. */
const DOCKER_TIMEOUT_MS = 5_000

/**
 * The home of a Java of at least this major version that has the program in its `bin`: JAVA_HOME, else the `java` in
 * PATH, else the newest installed one; undefined when none fits. Only a JDK has `jar`.
 */
export function findJava({ majorMin, program }: { majorMin: number; program: 'java' | 'jar' }): string | undefined {
  const named = process.env.JAVA_HOME
  const inPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'java'))
  const installed = globSync(JVM_FOLDERS).map((home) => join(home, 'bin', 'java'))
  const homes = [
    ...[...(named ? [join(named, 'bin', 'java')] : []), ...inPath].flatMap(homeOf),
    ...installed.flatMap(homeOf).sort((a, b) => javaMajor(b) - javaMajor(a)),
  ]
  return homes.find((home) => javaMajor(home) >= majorMin && existsSync(join(home, 'bin', program)))
}

/** The home of a `java`, which may be a link into it; none when the file is missing. */
function homeOf(java: string): string[] {
  return existsSync(java) ? [dirname(dirname(realpathSync(java)))] : []
}

/** The major version of a Java home; 0 when it states none. */
function javaMajor(home: string): number {
  const release = join(home, 'release')
  return existsSync(release) ? Number(/^JAVA_VERSION="(\d+)/m.exec(readFileSync(release, 'utf8'))?.[1] ?? 0) : 0
}

let engineAnswers: boolean | undefined
/** Whether a Docker engine answers the installed client; checked once per process. */
export function dockerAnswers(): boolean {
  if (engineAnswers === undefined) {
    try {
      const version = ['version', '--format', '{{.Server.Version}}']
      execFileSync('docker', version, { stdio: 'pipe', timeout: DOCKER_TIMEOUT_MS })
      engineAnswers = true
    } catch {
      engineAnswers = false
    }
  }
  return engineAnswers
}

/** A free port of 127.0.0.1. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1)
  return port as number
}

/** Different free ports of 127.0.0.1: each stays open until all are known. */
export async function freePorts(count: number): Promise<number[]> {
  const probes = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(probes.map((probe) => probe.listening || once(probe, 'listening')))
  const ports = probes.map((probe) => (probe.address() as AddressInfo).port)
  await Promise.all(probes.map((probe) => once(probe.close(), 'close')))
  return ports
}

/**
 * The user for servers that refuse to run as root: the first of these that this machine has. Undefined unless root
 * runs; throws when none exists.
 */
export function unprivilegedUser(names: readonly string[]): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string, name: string) => Number(execFileSync('id', [flag, name], { stdio: 'pipe' }).toString())
  for (const name of names) {
    try {
      return { uid: idOf('-u', name), gid: idOf('-g', name) }
    } catch {
      // No such user: try the next one.
    }
  }
  throw new Error(`the server does not run as root; expected a user '${names.join("' or '")}'`)
}

/** For commands that start servers: a signal ends them like an exit, so that each server's exit handler runs. */
export function exitOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
}

/** `said` adds to the error what the processes printed. */
export type UntilOptions = Readonly<{ timeoutMs: number; pollMs: number; said?: () => string }>

/** Resolves when the condition holds. Throws after the limit, and names what it expected. */
export async function untilHolds(
  what: string,
  holds: () => boolean | Promise<boolean>,
  { timeoutMs, pollMs, said = () => '' }: UntilOptions,
): Promise<void> {
  for (const deadlineMs = performance.now() + timeoutMs; !(await holds()); await delay(pollMs)) {
    if (performance.now() > deadlineMs) throw new Error(`expected within ${timeoutMs / 1000} s: ${what}${said()}`)
  }
}

/** An HTTP server of a test. Disposal ends its connections. */
export type HttpServer = AsyncDisposable & Readonly<{ port: number; url: string; server: Server }>

/** Serves on a free port of this machine. */
export async function serveHttp(listener: RequestListener, address = '127.0.0.1'): Promise<HttpServer> {
  const server = createHttpServer(listener).listen(0, address)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://${address}:${port}`,
    server,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Resident memory of a process now, in bytes. */
export const residentBytes = (pid: number | undefined): number => kilobytesIn(pid, 'VmRSS') * 1024

/** The high-water mark of resident memory of the largest process of a tree that counts; 0 where /proc does not tell. */
export const peakBytesOf = (pid: number | undefined, counts: (commandLine: string) => boolean = () => true): number =>
  Math.max(
    0,
    ...processTree(pid, (each) =>
      counts(readFileSync(`/proc/${each}/cmdline`, 'latin1')) ? kilobytesIn(each, 'VmHWM') * 1024 : 0,
    ),
  )

/** Processor time of a process, of its children now, and of those that it waited for; 0 where /proc does not tell. */
export const processorSecondsOf = (pid: number | undefined): number =>
  sum(processTree(pid, (each) => sum(processorTimesOf(each))))

/** Seconds of user and system time of a process, and of its children that ended and were waited for. */
export function processorTimesOf(pid: number | 'self'): readonly number[] {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
  return fields.slice(11, 15).map((ticks) => Number(ticks) / TICKS_A_SECOND)
}
/** USER_HZ, which Linux fixes for /proc. */
const TICKS_A_SECOND = 100
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)

/** What `/proc` says of each process of a tree; nothing of one that has ended, or outside Linux. */
function processTree(pid: number | undefined, read: (pid: number) => number): number[] {
  if (pid === undefined) return []
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').split(' ').filter(Boolean),
    )
    return [read(pid), ...children.flatMap((child) => processTree(Number(child), read))]
  } catch {
    return []
  }
}

const kilobytesIn = (pid: number | undefined, field: string) =>
  Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0)
