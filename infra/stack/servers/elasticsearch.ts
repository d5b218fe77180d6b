import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fetchArtifact, mavenInstalled } from '@catalog/stack/servers/fetched/maven.ts'
import { type GuardedServer, startGuarded } from './child-guard.ts'
import { dockerAnswers, findJava, freePort, JAVA_PLACES, unprivilegedUser, untilHolds } from './machine.ts'

/** A private Elasticsearch without security on loopback only; disposal removes its data. */
export interface ElasticsearchServer extends AsyncDisposable {
  readonly url: string
  /** Ends the process at once, as a power cut does; acknowledged writes stay on disk. */
  stop(): Promise<void>
  /** Restarts it on the same data and port. */
  start(): Promise<void>
}

/** Its major version must match the client's in libs/search: server 8 refuses client 9. */
const VERSION = '9.5.3'
/** The server with a few modules, as its makers publish it for integration tests. */
const DISTRIBUTION = {
  group: 'org.elasticsearch.distribution.integ-test-zip',
  artifact: 'elasticsearch',
  version: VERSION,
  extension: 'zip',
  sha512:
    'ae57654932de854d755af63f2a63667621967870b79ec449407618075c13dc12012317388e0a232071e4f2a65c9d973bb681d978fac56445a0790443df0823d1',
} as const
/** The JDK that runs this version of the server and unpacks it. */
const JAVA = { majorMin: 21, program: 'jar' } as const
/** Holds some 100,000 documents with vectors and fits a shared machine. */
const HEAP_MEGABYTES = 512
/** It needs 10 to 20 s on two idle cores, and machines are shared. */
const START_TIMEOUT_MS = 120_000
const STOP_TIMEOUT_MS = 20_000
const POLL_MS = 200

/**
 * Null when {@link startElasticsearch} can start a server here, else the reason in one line for skipped suites. With
 * CI=true it throws instead.
 */
export function elasticsearchAvailable(): string | null {
  if (dockerAnswers()) return null
  const installed = existsSync(homeFolder()) || mavenInstalled()
  if (installed && findJava(JAVA) !== undefined) return null
  const reason = installed
    ? `no JDK ${JAVA.majorMin} or later: expected ${JAVA_PLACES}`
    : 'neither a Docker engine nor mvn, which fetches the server'
  if (process.env.CI === 'true') throw new Error(reason)
  return reason
}

/** Starts a private server: in Docker where an engine answers, else natively on an installed JDK. */
export async function startElasticsearch({ heapMegabytes = HEAP_MEGABYTES } = {}): Promise<ElasticsearchServer> {
  const javaOptions = `-Xms${heapMegabytes}m -Xmx${heapMegabytes}m`
  return dockerAnswers() ? startContainer(javaOptions) : startNatively(javaOptions)
}

async function startContainer(javaOptions: string): Promise<ElasticsearchServer> {
  // Import on use: it takes longer than many a test file.
  const { ElasticsearchContainer } = await import('@testcontainers/elasticsearch')
  // A fixed port: a published one would change at the next start.
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const container = await new ElasticsearchContainer(`elasticsearch:${VERSION}`)
    .withExposedPorts({ container: 9200, host: port })
    .withEnvironment({ 'xpack.security.enabled': 'false', ES_JAVA_OPTS: javaOptions })
    .withStartupTimeout(START_TIMEOUT_MS)
    .start()
  const docker = (verb: string) => execFileSync('docker', [verb, container.getId()], { stdio: 'pipe' })
  return {
    url,
    stop: async () => void docker('kill'),
    async start() {
      docker('start')
      await untilReady(url, () => undefined)
    },
    async [Symbol.asyncDispose]() {
      await container.stop()
    },
  }
}

async function startNatively(javaOptions: string): Promise<ElasticsearchServer> {
  const java = findJava(JAVA)
  if (java === undefined) throw new Error(elasticsearchAvailable() ?? 'no JDK')
  const home = await install(java)
  const user = unprivilegedUser(['nobody'])
  const dir = mkdtempSync(join(tmpdir(), 'catalog-es-'))
  const logFile = join(dir, 'server.log')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  writeConfiguration({ home, dir, port })
  if (user) for (const path of ['', 'config', 'data', 'logs', 'tmp']) chownSync(join(dir, path), user.uid, user.gid)

  let server: GuardedServer | undefined

  async function start(): Promise<void> {
    const options = {
      PATH: process.env.PATH ?? '',
      ES_JAVA_HOME: java as string,
      ES_JAVA_OPTS: javaOptions,
      ES_PATH_CONF: join(dir, 'config'),
      ES_TMPDIR: join(dir, 'tmp'),
      LIBFFI_TMPDIR: join(dir, 'tmp'),
    }
    const command = ['bash', join(home, 'bin', 'elasticsearch')]
    const started = startGuarded({ name: 'Elasticsearch', command, dir, logFile, env: options, user })
    server = started
    await untilReady(url, started.failure).catch(async (error: unknown) => {
      await stop()
      throw error
    })
  }

  async function stop(): Promise<void> {
    await server?.kill()
    // Only then are its folder and port free.
    await untilHolds(`port ${port} is free`, async () => !(await portIsTaken(port)), {
      timeoutMs: STOP_TIMEOUT_MS,
      pollMs: POLL_MS,
    })
  }

  async function dispose(): Promise<void> {
    await stop()
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  }

  try {
    await start()
  } catch (error) {
    await dispose()
    throw error
  }
  return { url, stop, start, [Symbol.asyncDispose]: dispose }
}

function writeConfiguration({ home, dir, port }: { home: string; dir: string; port: number }): void {
  for (const folder of ['data', 'logs', 'tmp']) mkdirSync(join(dir, folder))
  cpSync(join(home, 'config'), join(dir, 'config'), { recursive: true })
  const settings = {
    'cluster.name': 'catalog-test',
    'discovery.type': 'single-node',
    'network.host': '127.0.0.1',
    'http.port': port,
    'path.data': join(dir, 'data'),
    'path.logs': join(dir, 'logs'),
    'xpack.security.enabled': false,
    // The disk of a shared machine may be nearly full without harm to a test.
    'cluster.routing.allocation.disk.threshold_enabled': false,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}: ${value}\n`)
  writeFileSync(join(dir, 'config', 'elasticsearch.yml'), lines.join(''))
}

/** The folder of the unpacked server: in its place as a whole, or not at all. */
async function install(java: string): Promise<string> {
  const home = homeFolder()
  if (existsSync(home)) return home
  const zip = await fetchArtifact(DISTRIBUTION)
  mkdirSync(dirname(home), { recursive: true })
  const unpacking = mkdtempSync(join(dirname(home), 'unpacking-'))
  try {
    execFileSync(join(java, 'bin', 'jar'), ['--extract', '--file', zip], { cwd: unpacking, stdio: 'pipe' })
    renameSync(join(unpacking, `elasticsearch-${VERSION}`), home)
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(home)) throw error
  } finally {
    rmSync(unpacking, { recursive: true, force: true })
  }
  return home
}

/**
 * Outside the tree; and where root starts the server as another user, outside root's home, which others cannot enter.
 */
function homeFolder(): string {
  const user = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const cache = process.getuid?.() === 0 ? '/var/cache' : user
  return join(cache, 'construction-cost-catalog', `elasticsearch-${VERSION}-${DISTRIBUTION.sha512.slice(0, 12)}`)
}

/** Resolves when the server answers with its shards; throws `failure()` as soon as there is one. */
async function untilReady(url: string, failure: () => Error | undefined): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS
  // A single node has no place for replicas, so green may never come.
  const health = `${url}/_cluster/health?wait_for_status=yellow&timeout=5s`
  for (;;) {
    const answer = await fetch(health, { signal: AbortSignal.timeout(STOP_TIMEOUT_MS) }).catch(() => undefined)
    if (answer?.ok) return
    const failed = failure()
    if (failed) throw failed
    if (performance.now() > deadline) throw new Error(`Elasticsearch is not ready after ${START_TIMEOUT_MS} ms`)
    await delay(POLL_MS)
  }
}

async function portIsTaken(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return true
  }
  probe.close()
  await once(probe, 'close')
  return false
}
