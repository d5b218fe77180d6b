import { setTimeout as delay } from 'node:timers/promises'
import type { System } from '@catalog/stack/faults/system/system.ts'
import type { KafkaServer } from '@catalog/stack/servers/kafka.ts'
import { untilHolds } from '@catalog/stack/servers/machine.ts'
import type { PostgresServer } from '@catalog/stack/servers/postgres.ts'
import { between, type Injection, oneOf, PATIENCE, retried } from './injection.ts'

/** Faults of PostgreSQL and of the brokers. */

const BACK_BOUND_SECONDS = 5
/** A client waits up to 5 s between two tries, and a consumer group forms anew. */
const BROKER_BOUND_SECONDS = 30

export const DATABASE_FAULTS: readonly Injection[] = [
  {
    name: 'postgres-crash',
    kind: 'database',
    how: 'immediate shutdown, and start on the same data',
    invariant: 'each acknowledged observation has exactly one effect',
    needs: ['database'],
    seconds: 3,
    boundSeconds: BACK_BOUND_SECONDS,
    async inject(system, { injected }) {
      injected()
      await primary(system).crash()
      return 'recovered from its write-ahead log'
    },
  },
  {
    name: 'postgres-away',
    kind: 'database',
    how: 'immediate shutdown, away for 10 to 20 s',
    invariant: 'public reads go on',
    needs: ['database'],
    seconds: 15,
    boundSeconds: BACK_BOUND_SECONDS,
    async inject(system, { random, injected }) {
      const awayMs = between(10, 20, random)
      injected()
      await primary(system).stop()
      await delay(awayMs)
      await primary(system).start()
      return `for ${awayMs} ms`
    },
  },
  {
    name: 'postgres-read-only',
    kind: 'database',
    how: 'all connections end, and new ones take no writes for 10 to 20 s',
    invariant: 'writes are refused and repeated',
    needs: ['database'],
    seconds: 15,
    boundSeconds: BACK_BOUND_SECONDS,
    async inject(system, { random, injected }) {
      const refusedMs = between(10, 20, random)
      injected()
      await setReadOnly(system, 'on')
      await delay(refusedMs)
      await setReadOnly(system, 'off')
      return `for ${refusedMs} ms`
    },
  },
  {
    name: 'failover',
    kind: 'database',
    how: 'the standby is cut off; seconds later the primary dies, and the standby is promoted without its last commits',
    invariant: 'a checkpoint behind replays, to the same numbers; mirrors stay equal',
    needs: ['database'],
    seconds: 12,
    boundSeconds: BROKER_BOUND_SECONDS,
    async inject({ servers }, { random, injected }) {
      const lostMs = between(2, 8, random)
      injected()
      const lost = await servers.database.failover?.(lostMs)
      return `${lost} applied observations were lost with it`
    },
  },
]

export const LOG_FAULTS: readonly Injection[] = [
  {
    name: 'broker-away',
    kind: 'log',
    how: 'SIGKILL of a broker, away for 5 to 15 s',
    invariant: 'appends wait; none acknowledged is lost',
    needs: ['broker'],
    seconds: 20,
    boundSeconds: BROKER_BOUND_SECONDS,
    async inject(system, { random, injected }) {
      const index = Math.floor(random() * system.servers.proxies.kafka.length)
      const awayMs = between(5, 15, random)
      injected()
      await broker(system).kill(index)
      await delay(awayMs)
      await broker(system).restart(index)
      return `broker ${index + 1} for ${awayMs} ms`
    },
  },
  {
    name: 'rolling-restart',
    kind: 'log',
    how: 'each of three brokers is killed and started in turn (three copies, two of them in sync)',
    invariant: 'no acknowledged record is lost',
    needs: ['brokers'],
    seconds: 45,
    boundSeconds: BROKER_BOUND_SECONDS,
    async inject(system, { injected }) {
      injected()
      for (const index of [0, 1, 2]) {
        await broker(system).kill(index)
        await broker(system).restart(index)
      }
      return 'brokers 1, 2, 3'
    },
  },
  {
    name: 'brokers-minority',
    kind: 'log',
    how: 'two of three brokers are killed at once, away for 5 to 10 s',
    invariant: 'nothing is acknowledged by one copy alone',
    needs: ['brokers'],
    seconds: 30,
    boundSeconds: BROKER_BOUND_SECONDS,
    async inject(system, context) {
      const left = oneOf([0, 1, 2], context.random)
      const gone = [0, 1, 2].filter((index) => index !== left)
      const awayMs = between(5, 10, context.random)
      context.injected()
      await Promise.all(gone.map((index) => broker(system).kill(index)))
      await delay(awayMs)
      await restartAll(broker(system), gone)
      return `all but broker ${left + 1} for ${awayMs} ms`
    },
  },
]

/** A restarted broker waits for a cluster of all that run, so they start together. */
const restartAll = (kafka: KafkaServer, indexes: readonly number[]) =>
  Promise.all(indexes.map((index) => kafka.restart(index)))

function primary({ servers }: System): PostgresServer {
  return (servers.database.primary as () => PostgresServer)()
}
const broker = ({ servers }: System) => servers.kafka as KafkaServer

/** As a failover leaves it: every connection ends, and new ones take no writes. */
async function setReadOnly({ store }: System, value: 'on' | 'off'): Promise<void> {
  // The harness's own connections are among them.
  await retried(() => store().query(`alter system set default_transaction_read_only = ${value}`))
  await retried(() => store().query('select pg_reload_conf()'))
  await store()
    .query(`select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend'`)
    .catch(() => {})
}

/** Waits until the database takes writes, starting it when it has ended. */
export async function untilWritable(system: System): Promise<void> {
  const isUp = async () => {
    try {
      await system.store().query('select pg_current_wal_insert_lsn()')
      return true
    } catch {
      return false
    }
  }
  const patience = { timeoutMs: 3_000, pollMs: 100 }
  // As a service manager: a server that has ended is started again.
  await untilHolds('the database answers', isUp, patience).catch(async () => {
    await primary(system).crash()
    await untilHolds('the database answers', isUp, PATIENCE)
  })
}
