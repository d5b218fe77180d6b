import { setTimeout as delay } from 'node:timers/promises'
import { untilHolds } from '@catalog/stack/servers/machine.ts'
import { type PostgresServer, startPostgres } from '@catalog/stack/servers/postgres.ts'
import { openStore, type Store } from '@catalog/store/db.ts'
import type { ServerProxy } from './proxy.ts'

/** PostgreSQL with an asynchronous standby, at one address that a failover moves. */
export type Database = AsyncDisposable &
  Readonly<{
    primary: () => PostgresServer
    /** The harness's own connection, which no fault of the proxy disturbs. */
    store: () => Store
    /**
     * Cuts the standby from its primary, lets the primary commit for so long, kills it, and promotes the standby. Then it
     * makes another standby. Returns how many observations the promoted server lacks.
     */
    failover: (lostMs: number) => Promise<number>
  }>

/** Small, so that the folder fits in some hundred megabytes. */
const SETTINGS = { max_wal_size: '192MB', min_wal_size: '32MB', max_connections: '200' }
const PATIENCE = { timeoutMs: 60_000, pollMs: 50 }

/** Starts both servers with their folders in `parent`, and lets the proxy lead to the primary. */
export async function openDatabase(proxy: ServerProxy, parent?: string): Promise<Database> {
  let primary = await startPostgres(SETTINGS, parent === undefined ? {} : { parent })
  let store = await openStore({ kind: 'postgres', connection: { url: primary.url } })
  let standby = await primary.startStandby?.()
  proxy.target(primary.socket as string)

  const observations = async () =>
    (await store.query<{ n: number }>('select count(*)::int as n from observations'))[0]?.n ?? 0

  async function failover(lostMs: number): Promise<number> {
    if (standby === undefined) throw new Error('expected a standby')
    const promoted = standby
    const next = await openStore({ kind: 'postgres', connection: { url: promoted.url } })
    await next.query(`alter system set primary_conninfo = ''`)
    await next.query('select pg_reload_conf()')
    const isCut = async () => (await next.query('select from pg_stat_wal_receiver')).length === 0
    await untilHolds('the standby is cut from its primary', isCut, PATIENCE)
    await delay(lostMs)
    const before = await observations()
    await primary.stop()
    await next.query('select pg_promote()')
    const [former, formerStore] = [primary, store]
    primary = promoted
    store = next
    const lost = before - (await observations())
    proxy.target(primary.socket as string)
    await formerStore[Symbol.asyncDispose]()
    await former[Symbol.asyncDispose]()
    standby = await primary.startStandby?.()
    return lost
  }

  return {
    primary: () => primary,
    store: () => store,
    failover,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      await standby?.[Symbol.asyncDispose]()
      await primary[Symbol.asyncDispose]()
    },
  }
}
