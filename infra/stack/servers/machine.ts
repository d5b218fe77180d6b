import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync, realpathSync } from 'node:fs'
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
