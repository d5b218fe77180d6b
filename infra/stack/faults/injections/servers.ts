import { setTimeout as delay } from 'node:timers/promises'
import type { System } from '@catalog/stack/faults/system/system.ts'
import type { KafkaServer } from '@catalog/stack/servers/kafka.ts'
import { untilHolds } from '@catalog/stack/servers/machine.ts'
import type { PostgresServer } from '@catalog/stack/servers/postgres.ts'
import { between, type Injects, oneOf, PATIENCE, retried } from './injection.ts'

/** Faults of PostgreSQL and of the brokers. */

export const DATABASE_FAULTS: Injects = {
  async 'postgres-crash'(system, { injected }) {
    injected()
    await primary(system).crash()
    return 'recovered from its write-ahead log'
  },
  async 'postgres-away'(system, { random, injected }) {
    const awayMs = between(10, 20, random)
    injected()
    await primary(system).stop()
    await delay(awayMs)
    await primary(system).start()
    return `for ${awayMs} ms`
  },
  async 'postgres-read-only'(system, { random, injected }) {
    const refusedMs = between(10, 20, random)
    injected()
    await setReadOnly(system, 'on')
    await delay(refusedMs)
    await setReadOnly(system, 'off')
    return `for ${refusedMs} ms`
  },
  async failover({ servers }, { random, injected }) {
    const lostMs = between(2, 8, random)
    injected()
    const lost = await servers.database.failover?.(lostMs)
    return `${lost} applied observations were lost with it`
  },
}

export const LOG_FAULTS: Injects = {
  async 'broker-away'(system, { random, injected }) {
    const index = Math.floor(random() * system.servers.proxies.kafka.length)
    const awayMs = between(5, 15, random)
    injected()
    await broker(system).kill(index)
    await delay(awayMs)
    await broker(system).restart(index)
    return `broker ${index + 1} for ${awayMs} ms`
  },
  async 'rolling-restart'(system, { injected }) {
    injected()
    for (const index of [0, 1, 2]) {
      await broker(system).kill(index)
      await broker(system).restart(index)
    }
    return 'brokers 1, 2, 3'
  },
  async 'brokers-minority'(system, context) {
    const left = oneOf([0, 1, 2], context.random)
    const gone = [0, 1, 2].filter((index) => index !== left)
    const awayMs = between(5, 10, context.random)
    context.injected()
    await Promise.all(gone.map((index) => broker(system).kill(index)))
    await delay(awayMs)
    await restartAll(broker(system), gone)
    return `all but broker ${left + 1} for ${awayMs} ms`
  },
}

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
