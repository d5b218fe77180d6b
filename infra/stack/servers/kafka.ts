import { execFile, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  type Classpath,
  classpathCached,
  fetchClasspath,
  mavenInstalled,
} from '@catalog/stack/servers/fetched/maven.ts'
import type { Certificate } from './certificate.ts'
import { type GuardedServer, startGuarded } from './child-guard.ts'
import { dockerAnswers, findJava, freePort, freePorts, JAVA_PLACES } from './machine.ts'

/** A private, empty Kafka on loopback only; disposal stops it and removes its data. */
export interface KafkaServer extends AsyncDisposable {
  /** Bootstrap brokers: host:port,host:port. */
  readonly brokers: string
  /** Kills the broker of this index (from 0) at once, as a power cut does; its data stay. */
  kill(index: number): Promise<void>
  /** The same brokers by TLS and SASL, where the server was asked for them. */
  readonly secureBrokers?: string
  /** Restarts a killed broker on its data and port, and waits until the cluster has it back. */
  restart(index: number): Promise<void>
}

const VERSION = '4.1.1'
const JARS: Classpath = {
  name: `kafka-${VERSION}`,
  artifacts: [
    { group: 'org.apache.kafka', artifact: 'kafka_2.13', version: VERSION },
    { group: 'org.apache.kafka', artifact: 'kafka-tools', version: VERSION },
    // Without it the server does not log why it ended.
    { group: 'org.apache.logging.log4j', artifact: 'log4j-slf4j-impl', version: '2.24.3' },
  ],
  sha256: 'b0aaa08a4138f80aed9b09ae586ae2ad6bf3b2183852b3a8fd3173ffc4c6ca19',
}
/** The same server in a container, as the makers' partner ships it. */
const IMAGE = 'confluentinc/cp-kafka:8.1.0'
/** Leaves room for three brokers and the tests on a small machine. */
const JVM = ['-Xmx384m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']
/** The Java that this version of the server needs. */
const JAVA = { majorMin: 17, program: 'java' } as const
/** One broker needs 3 to 6 s on two idle cores, and machines are shared. */
const START_TIMEOUT_MS = 120_000
const FORMAT_TIMEOUT_MS = 60_000
const POLL_MS = 200
const ANSWER_TIMEOUT_MS = 2_000
/** The least session of a consumer; with a broker's default of 6 s, tests of a lost member would wait as long. */
export const KAFKA_SESSION_MS_MIN = 2_500

/**
 * Null when {@link startKafka} can start so many brokers here, else the reason in one line for skipped suites. With
 * CI=true it throws instead.
 */
export function kafkaAvailable({ brokers = 1 }: { brokers?: number } = {}): string | null {
  if (brokers === 1 && dockerAnswers()) return null
  const fetched = classpathCached(JARS) || mavenInstalled()
  if (fetched && findJava(JAVA) !== undefined) return null
  const reason = fetched
    ? `no Java ${JAVA.majorMin} or later: expected ${JAVA_PLACES}`
    : 'neither a Docker engine nor mvn, which fetches the server'
  if (process.env.CI === 'true') throw new Error(reason)
  return reason
}

/**
 * Starts a cluster of its own whose brokers are controllers too: in Docker for one broker where an engine answers, else
 * natively on an installed Java. Naming a topic never creates it.
 */
export async function startKafka({
  brokers = 1,
  secure,
  advertised,
}: {
  brokers?: number
  secure?: SecureListener
  /** Ports of 127.0.0.1 that the brokers name to clients and to each other instead of their own, one for each. */
  advertised?: readonly number[]
} = {}): Promise<KafkaServer> {
  const isPlain = secure === undefined && advertised === undefined
  return brokers === 1 && isPlain && dockerAnswers() ? startContainer() : startNatively(brokers, secure, advertised)
}

/** A listener with a certificate, for one user who says who he is by SCRAM-SHA-512 or in plain text. */
type SecureListener = Certificate & Readonly<{ username: string; password: string }>

async function startContainer(): Promise<KafkaServer> {
  // Import on use: it takes longer than many a test file.
  const { KafkaContainer } = await import('@testcontainers/kafka')
  // A fixed port: a published one would change at the next start.
  const port = await freePort()
  const container = await new KafkaContainer(IMAGE)
    .withKraft()
    .withExposedPorts({ container: 9093, host: port })
    .withEnvironment({
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
      KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS: String(KAFKA_SESSION_MS_MIN),
      KAFKA_HEAP_OPTS: JVM.join(' '),
    })
    .withStartupTimeout(START_TIMEOUT_MS)
    .start()
  const docker = (verb: string) => execFileSync('docker', [verb, container.getId()], { stdio: 'pipe' })
  return {
    brokers: `${container.getHost()}:${port}`,
    kill: async () => void docker('kill'),
    async restart() {
      docker('start')
      await untilBrokers({ port, count: 1, failure: () => undefined })
    },
    async [Symbol.asyncDispose]() {
      await container.stop()
    },
  }
}

async function startNatively(
  count: number,
  secure?: SecureListener,
  advertised?: readonly number[],
): Promise<KafkaServer> {
  const home = findJava(JAVA)
  if (home === undefined) throw new Error(kafkaAvailable({ brokers: count }) ?? 'no Java')
  const java = join(home, 'bin', 'java')
  const classpath = join(await fetchClasspath(JARS), '*')
  const dir = mkdtempSync(join(tmpdir(), 'catalog-kafka-'))
  const ports = await freePorts(count * 3)
  const brokers = brokerFiles({ dir, ports, count, secure, advertised })
  const running = new Map<number, GuardedServer>()

  async function start(index: number): Promise<() => Error | undefined> {
    const { properties, logFile } = brokers[index] as Broker
    const command = [java, ...JVM, '-cp', classpath, 'kafka.Kafka', properties]
    const server = startGuarded({ name: `Kafka broker ${index}`, command, dir, logFile })
    running.set(index, server)
    return server.failure
  }

  async function kill(index: number): Promise<void> {
    const server = running.get(index)
    running.delete(index)
    await server?.kill()
  }

  /** Every running broker must see all others before new topics spread over all of them. */
  const untilReady = (failures: readonly (() => Error | undefined)[]) =>
    Promise.all(
      [...running.keys()].map((index) =>
        untilBrokers({
          port: (brokers[index] as Broker).port,
          count: running.size,
          failure: () => failures.map((failure) => failure()).find((failure) => failure !== undefined),
        }),
      ),
    )

  async function dispose(): Promise<void> {
    await Promise.all([...running.keys()].map(kill))
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  }

  try {
    const clusterId = randomUUID().replaceAll('-', '').slice(0, 22)
    const format = ['-cp', classpath, 'kafka.tools.StorageTool', 'format', '--cluster-id', clusterId]
    if (secure !== undefined)
      format.push('--add-scram', `SCRAM-SHA-512=[name=${secure.username},password=${secure.password}]`)
    const formatted = brokers.map(({ properties }) =>
      promisify(execFile)(java, [...JVM, ...format, '--config', properties], { cwd: dir, timeout: FORMAT_TIMEOUT_MS }),
    )
    await Promise.all(formatted)
    await untilReady(await Promise.all(brokers.map((_, index) => start(index))))
  } catch (error) {
    await dispose()
    throw error
  }
  return {
    brokers: brokers.map(({ port }) => `127.0.0.1:${port}`).join(','),
    ...(secure && { secureBrokers: brokers.map(({ securePort }) => `127.0.0.1:${securePort}`).join(',') }),
    kill,
    restart: async (index) => void (await untilReady([await start(index)])),
    [Symbol.asyncDispose]: dispose,
  }
}

type Broker = Readonly<{ port: number; securePort: number; properties: string; logFile: string }>

/** Writes one property file per broker; the first third of the ports serves clients, the next the controllers. */
function brokerFiles({
  dir,
  ports,
  count,
  secure,
  advertised,
}: {
  dir: string
  ports: readonly number[]
  count: number
  secure: SecureListener | undefined
  advertised: readonly number[] | undefined
}): Broker[] {
  const controllers = ports.slice(count, 2 * count)
  const replicas = Math.min(3, count)
  return ports.slice(0, count).map((port, index) => {
    const securePort = ports[2 * count + index] as number
    const settings = {
      'process.roles': 'broker,controller',
      'node.id': index + 1,
      'controller.quorum.voters': controllers.map((voter, i) => `${i + 1}@127.0.0.1:${voter}`).join(','),
      listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllers[index]}`,
      ...(advertised && { 'advertised.listeners': `PLAINTEXT://127.0.0.1:${advertised[index]}` }),
      'controller.listener.names': 'CONTROLLER',
      'log.dirs': join(dir, `broker-${index}`),
      'auto.create.topics.enable': false,
      'offsets.topic.replication.factor': replicas,
      'offsets.topic.num.partitions': 4,
      'transaction.state.log.replication.factor': replicas,
      'transaction.state.log.min.isr': Math.max(1, replicas - 1),
      'transaction.state.log.num.partitions': 4,
      'share.coordinator.state.topic.replication.factor': replicas,
      // A single member need not wait for others.
      'group.initial.rebalance.delay.ms': 0,
      'group.min.session.timeout.ms': KAFKA_SESSION_MS_MIN,
      // Chaos tests need a fail-over before the default of 9 s.
      'broker.session.timeout.ms': 6000,
      ...(secure && secureSettings(secure, { port, controllerPort: controllers[index] as number, securePort })),
    }
    const properties = join(dir, `broker-${index}.properties`)
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
    writeFileSync(properties, lines.join(''))
    return { port, securePort, properties, logFile: join(dir, `broker-${index}.log`) }
  })
}

function secureSettings(
  { certFile, keyFile, username, password }: SecureListener,
  { port, controllerPort, securePort }: { port: number; controllerPort: number; securePort: number },
): Record<string, string> {
  const login = 'org.apache.kafka.common.security.plain.PlainLoginModule required'
  const scram = 'org.apache.kafka.common.security.scram.ScramLoginModule required;'
  // In PEM files both stand one after the other.
  const keyStore = `${keyFile}.pem`
  writeFileSync(keyStore, readFileSync(keyFile, 'utf8') + readFileSync(certFile, 'utf8'), { mode: 0o600 })
  return {
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort},SASL_SSL://127.0.0.1:${securePort}`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_SSL:SASL_SSL',
    'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-512',
    'listener.name.sasl_ssl.plain.sasl.jaas.config': `${login} user_${username}="${password}";`,
    'listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config': scram,
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.location': keyStore,
  }
}

/** Resolves when the broker on the port reports `count` brokers; throws `failure()` as soon as there is one. */
async function untilBrokers({
  port,
  count,
  failure,
}: {
  port: number
  count: number
  failure: () => Error | undefined
}): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS
  for (;;) {
    const alive = await brokersAlive(port).catch(() => 0)
    if (alive === count) return
    const failed = failure()
    if (failed) throw failed
    if (performance.now() > deadline) {
      throw new Error(`Kafka is not ready after ${START_TIMEOUT_MS} ms: ${alive} of ${count} brokers`)
    }
    await delay(POLL_MS)
  }
}

/** The number of brokers in the cluster, by a Metadata request (version 4, no topics). */
async function brokersAlive(port: number): Promise<number> {
  const socket = connect({ host: '127.0.0.1', port })
  try {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
    await once(socket, 'connect', { signal })
    const request = Buffer.alloc(19)
    request.writeInt32BE(15, 0) // bytes that follow
    request.writeInt16BE(3, 4) // Metadata
    request.writeInt16BE(4, 6)
    request.writeInt16BE(-1, 12) // no client id
    socket.write(request) // The rest is 0: correlation id, no topics, no auto-creation
    let answer = Buffer.alloc(0)
    // Size, correlation id and throttle time precede the count of brokers.
    while (answer.length < 16) answer = Buffer.concat([answer, ...(await once(socket, 'data', { signal }))])
    return answer.readInt32BE(12)
  } finally {
    socket.destroy()
  }
}
