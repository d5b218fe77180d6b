import { setTimeout as delay } from 'node:timers/promises'
import { readDataFile } from '@catalog/core/data-file.ts'
import type { Queryable, Store } from '@catalog/store/db.ts'
import { type BuildPosition, readPositions } from './builds.ts'

/**
 * Compares two builds row by row, by the kinds of rows of comparison.yaml. Each side sums the hashes of each
 * of 256 parts of a table, which needs no order and no memory. Only parts that differ are read.
 */
type Facts = Readonly<{
  name: string
  side: 'vendor' | 'items'
  /** Selects `key` and all compared columns. */
  sql: string
}>

const FACTS: readonly Facts[] = Object.entries(
  readDataFile(import.meta.url, 'comparison.yaml') as Record<Facts['side'], Record<string, string>>,
).flatMap(([side, kinds]) => Object.entries(kinds).map(([name, sql]) => ({ name, side: side as Facts['side'], sql })))

export type Difference = Readonly<{
  /** The kind of rows, and the key of the first row that differs. */
  facts: string
  side: Facts['side']
  key: string
  /** The row as text; null where it is missing. */
  served: string | null
  build: string | null
}>

export type Compared = Readonly<{ rows: number; differences: readonly Difference[] }>

/** The first difference per kind of rows between the served build and another, both at the same positions. */
export async function compareBuilds(
  served: Queryable,
  build: Queryable,
  { onFacts = () => {} }: { onFacts?: (done: number, total: number) => void } = {},
): Promise<Compared> {
  const differences: Difference[] = []
  let rows = 0
  for (const [done, facts] of FACTS.entries()) {
    onFacts(done, FACTS.length)
    const [here, there] = [await parts(served, facts), await parts(build, facts)]
    for (const { count } of here.values()) rows += count
    const part = [...new Set([...here.keys(), ...there.keys()])].find(
      (part) => here.get(part)?.sum !== there.get(part)?.sum,
    )
    if (part !== undefined) differences.push(await firstDifference({ served, build, facts, part }))
  }
  onFacts(FACTS.length, FACTS.length)
  return { rows, differences }
}

type Part = Readonly<{ count: number; sum: string }>

const LINES = ({ sql }: Facts) => `(select key, facts::text as line from (${sql}) facts)`
/** Two hashes of 64 bits each; their sum does not depend on the order. */
const SUM = `sum(hashtextextended(line, 1)::numeric) || ' ' || sum(hashtextextended(line, 2)::numeric)`
const PART = `hashtext(key) & 255`

async function parts(db: Queryable, facts: Facts): Promise<ReadonlyMap<number, Part>> {
  const rows = await db.query<{ part: number } & Part>(
    `select ${PART} as part, count(*)::int as count, ${SUM} as sum from ${LINES(facts)} lines group by part`,
  )
  return new Map(rows.map(({ part, ...sums }) => [part, sums]))
}

async function firstDifference({
  served,
  build,
  facts,
  part,
}: {
  served: Queryable
  build: Queryable
  facts: Facts
  part: number
}): Promise<Difference> {
  const read = async (db: Queryable) => {
    const rows = await db.query<{ key: string; hash: bigint }>(
      `select key, hashtextextended(line, 1) as hash from ${LINES(facts)} lines where ${PART} = $1`,
      [part],
    )
    return new Map(rows.map(({ key, hash }) => [key, hash]))
  }
  const [here, there] = [await read(served), await read(build)]
  const key = [...new Set([...here.keys(), ...there.keys()])]
    .filter((key) => here.get(key) !== there.get(key))
    .sort()[0] as string
  const line = async (db: Queryable) => {
    const [row] = await db.query<{ line: string }>(`select line from ${LINES(facts)} lines where key = $1`, [key])
    return row?.line ?? null
  }
  return { facts: facts.name, side: facts.side, key, served: await line(served), build: await line(build) }
}

/** Runs long reads of a build that no client waits for; on PostgreSQL without the statement timeout. */
export async function withoutStatementTimeout<T>(store: Store, work: (db: Queryable) => Promise<T>): Promise<T> {
  if (store.kind === 'embedded') return work(store)
  return store.transaction(async (tx) => {
    await tx.query(`set local statement_timeout = 0`)
    await tx.query(`set local idle_in_transaction_session_timeout = 0`)
    return await work(tx)
  })
}

const STILL_ATTEMPTS_MAX = 20
const STILL_AGAIN_MS = 500

/**
 * Runs reads of the served build that all see one instant, and passes them its positions. PostgreSQL uses a snapshot
 * while projection continues. On the embedded store a transaction would block every reader, so the reads repeat until
 * nothing was projected meanwhile.
 */
export async function inSnapshot<T>(
  store: Store,
  work: (served: Queryable, positions: readonly BuildPosition[]) => Promise<T>,
): Promise<T> {
  if (store.kind === 'postgres') {
    return store.transaction(async (tx) => {
      await tx.query('set transaction isolation level repeatable read')
      await tx.query(`set local statement_timeout = 0`)
      await tx.query(`set local idle_in_transaction_session_timeout = 0`)
      return await work(tx, await readPositions(tx))
    })
  }
  const shown = (positions: readonly BuildPosition[]) =>
    positions.map(({ projection, partition, topic, next }) => `${projection} ${topic} ${partition} ${next}`).join('\n')
  for (let attempt = 1; ; attempt++) {
    const before = await readPositions(store)
    const result = await work(store, before)
    if (shown(await readPositions(store)) === shown(before)) return result
    if (attempt === STILL_ATTEMPTS_MAX) {
      throw new Error('projection never paused: expected an interval without new records to compare the two builds')
    }
    await delay(STILL_AGAIN_MS)
  }
}
