import { insertOf, type Queryable, type Store, type Transaction } from '@catalog/store/db.ts'
import { BLOCKED, ConnectionLost, type Scheduler, type SimulatedProcess } from './scheduler.ts'
import { SqlError, type Wire } from './wire.ts'

/**
 * A PostgreSQL with many sessions, over a backend with one. Law: what a session sees is what read committed could show it.
 *
 * A transaction that has only read yet lets all others go on, and keeps its row locks (`for update`), so that two may meet
 * as on a real server. From its first write on it has the backend alone until it ends: nobody sees what it has not
 * committed. A history is one transaction of the backend, and each transaction of a process a savepoint in it: the end of
 * the history rolls all back.
 */
export class SimulatedServer {
  readonly wire: Wire
  readonly scheduler: () => Scheduler
  private writer: Session | null = null
  private readonly locks = new Map<string, Session>()
  private readonly sessions = new Set<Session>()
  private readonly positions = new Map<string, bigint>()
  /** Laws of the store that a commit broke. */
  readonly broken: string[] = []
  private restarts = 0

  constructor(wire: Wire, scheduler: () => Scheduler) {
    this.wire = wire
    this.scheduler = scheduler
  }

  /** Empties the database and begins a history. */
  begin(): void {
    this.wire.reset()
    this.wire.run('begin')
    this.wire.run(SEQUENCES_RESTARTED)
    this.wire.run(`insert into meta (key, value) values ('gen', $1), ('cursor_secret', 'secret')`, [GENERATION])
  }

  /** Reads past all processes: what is committed. Only while no transaction writes. */
  look<Row extends object>(sql: string, parameters: readonly unknown[] = []): Row[] {
    return this.wire.run<Row>(sql, parameters)
  }

  isQuiet(): boolean {
    return this.writer === null && this.sessions.size === 0
  }

  /** All sessions end, and with them their transactions. */
  restart(): void {
    this.restarts++
    for (const session of [...this.sessions]) this.end(session)
  }

  /** A process died: its sessions end. One that is frozen keeps its locks until the server's patience ends. */
  stop(process: SimulatedProcess): void {
    for (const session of [...this.sessions]) {
      if (session.process !== process) continue
      if (process.isDead) this.end(session)
      else {
        this.undo(session)
        this.scheduler().after(IDLE_IN_TRANSACTION_MS, () => {
          if (process.isFrozen()) this.end(session)
        })
      }
    }
  }

  storeOf(process: SimulatedProcess): Store {
    const store: Store = {
      kind: 'postgres',
      schema: 'catalog',
      query: <Row extends object>(sql: string, parameters: readonly unknown[] = []) =>
        process.call<Row[]>({
          kind: 'statement',
          label: labelOf(sql),
          timeout: LOCK_TIMEOUT,
          execute: () => this.alone<Row>(sql, parameters),
        }),
      transaction: (work) => this.transaction(process, work),
      copyOut: () => Promise.reject(new Error('COPY is not simulated')),
      withReadModels: () => Promise.reject(new Error('builds are not simulated')),
      async [Symbol.asyncDispose]() {},
    }
    return store
  }

  private async transaction<T>(process: SimulatedProcess, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const session = new Session(process)
    this.sessions.add(session)
    let effects: (() => void)[] = []
    const statement = <Row extends object>(sql: string, parameters: readonly unknown[] = []) => {
      if (sql.startsWith('rollback to savepoint')) effects = []
      return process.call<Row[]>({
        kind: 'statement',
        label: `tx ${labelOf(sql)}`,
        timeout: LOCK_TIMEOUT,
        execute: () => this.within<Row>(session, sql, parameters),
      })
    }
    const tx: Transaction = {
      query: statement as Queryable['query'],
      insertRows: async (table, columns, rows) => {
        if (rows.length > 0) await statement(...insertOf(table, columns, rows))
      },
      queryOne: () => Promise.reject(new Error('queryOne is not simulated')),
      onCommit: (effect) => effects.push(effect),
    }
    try {
      const result = await work(tx)
      await process.call({ kind: 'commit', label: 'commit', execute: () => this.commit(session) })
      for (const effect of effects) effect()
      return result
    } catch (error) {
      this.end(session)
      throw error
    }
  }

  /** A statement that is its own transaction. */
  private alone<Row extends object>(sql: string, parameters: readonly unknown[]): Row[] | typeof BLOCKED {
    // None of the product's is refused by its data. One that were would end the history, with its message.
    return this.writer === null ? this.execute<Row>(sql, parameters) : BLOCKED
  }

  private within<Row extends object>(session: Session, sql: string, parameters: readonly unknown[]) {
    this.requireOpen(session)
    if (this.writer !== null && this.writer !== session) return BLOCKED
    const lock = lockOf(sql, parameters)
    const holder = lock === null ? undefined : this.locks.get(lock)
    if (holder !== undefined && holder !== session) return BLOCKED
    if (lock !== null) this.locks.set(lock, session)
    if (isWrite(sql) && this.writer === null) {
      this.wire.run('savepoint process')
      this.writer = session
    }
    return this.execute<Row>(sql, parameters)
  }

  private commit(session: Session): null {
    this.requireOpen(session)
    if (this.writer === session) {
      this.wire.run('release savepoint process')
      this.writer = null
      this.requireForward(session)
    }
    this.end(session)
    return null
  }

  /** No position goes back, whoever wakes up in the middle of a transaction. */
  private requireForward({ process }: Session): void {
    for (const { place, next } of this.look<{ place: string; next: bigint }>(POSITIONS)) {
      const before = this.positions.get(place) ?? 0n
      if (next < before)
        this.broken.push(`${process.role} took the position in ${place} back from ${before} to ${next}`)
      this.positions.set(place, next)
    }
  }

  private requireOpen(session: Session): void {
    if (!this.sessions.has(session) || session.isUndone) throw new ConnectionLost('the server ended the session')
  }

  /** Rolls back what it wrote. */
  private undo(session: Session): void {
    if (this.writer !== session) return
    this.wire.run('rollback to savepoint process')
    this.wire.run('release savepoint process')
    this.writer = null
    session.isUndone = true
  }

  private end(session: Session): void {
    if (!this.sessions.delete(session)) return
    this.undo(session)
    for (const [lock, holder] of this.locks) if (holder === session) this.locks.delete(lock)
    this.scheduler().effect('store')
  }

  /** The clock of the server is the scheduler's; a restart of it shows as on a real server. */
  private execute<Row extends object>(sql: string, parameters: readonly unknown[]): Row[] {
    const { text, isTimed, isDated } = rewritten(sql, parameters.length)
    if (!isTimed && !isDated) return this.wire.run<Row>(text, parameters)
    return this.wire.run<Row>(text, [
      ...parameters,
      ...(isTimed ? [(SERVER_EPOCH_MS + this.scheduler().nowMs) / 1000] : []),
      ...(isDated ? [String(this.restarts)] : []),
    ])
  }
}

class Session {
  readonly process: SimulatedProcess
  isUndone = false
  constructor(process: SimulatedProcess) {
    this.process = process
  }
}

export const GENERATION = '018000000000000000t3'
const SERVER_EPOCH_MS = Date.parse('2026-01-01T00:00:00Z')
/** As openStore sets them. */
const LOCK_TIMEOUT = {
  ms: 5_000,
  error: () => new SqlError('55P03', 'canceling statement due to lock timeout'),
}
const IDLE_IN_TRANSACTION_MS = 30_000

/** Place → next offset, of every projection. */
export const POSITIONS = `select topic || '/' || partition as place, next from checkpoints`

const SEQUENCES_RESTARTED = `select setval(oid::regclass, 1, false) from pg_class
  where relkind = 'S' and relnamespace in ('catalog_live'::regnamespace, 'catalog'::regnamespace)`

const isWrite = memoized((sql) =>
  /^\s*(insert|update|delete|savepoint|release|rollback|truncate)|^\s*with[\s\S]*\b(insert|update|delete)\b/i.test(sql),
)

/** The row that a statement locks: its table and the parameters that find it. */
function lockOf(sql: string, parameters: readonly unknown[]): string | null {
  if (!/\bfor update\b/i.test(sql)) return null
  return `${/\bfrom\s+(\w+)/i.exec(sql)?.[1]} ${JSON.stringify(parameters)}`
}

/** What follows from a statement's text alone. */
function memoized<T>(of: (sql: string, parameters: number) => T): (sql: string, parameters?: number) => T {
  const known = new Map<string, T>()
  return (sql, parameters = 0) => {
    const found = known.get(sql)
    if (found !== undefined) return found
    const made = of(sql, parameters)
    known.set(sql, made)
    return made
  }
}

const rewritten = memoized((sql, parameters) => {
  const isTimed = sql.includes('clock_timestamp()')
  const isDated = sql.includes('pg_postmaster_start_time()')
  const text = sql
    .replaceAll('clock_timestamp()', `to_timestamp($${parameters + 1}::float8)`)
    .replaceAll('pg_postmaster_start_time()', `$${parameters + (isTimed ? 2 : 1)}::text`)
  return { text, isTimed, isDated }
})

const labelOf = memoized((sql) => sql.trim().replace(/\s+/g, ' ').slice(0, 60))
