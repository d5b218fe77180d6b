import { TOPICS } from '@catalog/core/events/topics.ts'
import { TABLES_VERSION, type Tables } from '@catalog/replica/tables.ts'
import type { CatalogVersion } from '@catalog/store/catalog/queries.ts'
import type { PartitionOffsets } from '@catalog/store/replica/prices.ts'

/** The version of the catalog that the rows of a replica reach at least; undefined until the file was filled. */
export function readPosition(tables: Tables): CatalogVersion | undefined {
  const row = tables.get<{ version: string }>('select version from position')
  if (row === undefined) return undefined
  const { seq, ...version } = JSON.parse(row.version) as Omit<CatalogVersion, 'seq'> & { seq: string }
  return { ...version, seq: BigInt(seq) }
}

export function writePosition(tables: Tables, { seq, ...version }: CatalogVersion): void {
  tables.run('insert or replace into position values (1, ?)', JSON.stringify({ ...version, seq: String(seq) }))
}

/** The catalog whose replica a file is. */
export type Origin = Pick<CatalogVersion, 'gen' | 'build'> & Readonly<{ catalog: string }>

/** Whether an earlier process filled the file for this catalog, generation and build, by these tables. */
export function isFilledFor(tables: Tables, { catalog, gen, build }: Origin): boolean {
  try {
    const at = readPosition(tables)
    const row = tables.get(
      'select 1 from origin where catalog = ? and tables_version = ? and gen = ? and build = ?',
      catalog,
      TABLES_VERSION,
      gen,
      build,
    )
    return row !== undefined && at?.gen === gen && at.build === build
  } catch {
    // A file of other tables, or a bad one.
    return false
  }
}

export function writeOrigin(tables: Tables, { catalog, gen, build }: Origin): void {
  tables.run('insert or replace into origin values (1, ?, ?, ?, ?, 1)', catalog, TABLES_VERSION, gen, build)
}

/** Whether other processes may begin to read the file. */
export const isChecked = (tables: Tables): boolean =>
  tables.get('select 1 from origin where is_checked = 1') !== undefined

export const markChecked = (tables: Tables, isChecked: boolean): void =>
  tables.run('update origin set is_checked = ?', isChecked ? 1 : 0)

/** The next offset of each partition, from the version's checkpoints. */
export function offsetsOf({ checkpoints }: CatalogVersion): {
  items: bigint
  decisions: bigint
  observations: PartitionOffsets
} {
  const places = checkpoints.split(' ').flatMap((text) => {
    const [projection, topic, partition, next] = text.split('/')
    return next === undefined
      ? []
      : [{ name: `${projection}/${topic}`, partition: Number(partition), next: BigInt(next) }]
  })
  const nextOf = (name: string) => places.find((place) => place.name === name)?.next ?? 0n
  return {
    items: nextOf(`items/${TOPICS.items}`),
    decisions: nextOf(`vendor/${TOPICS.decisions}`),
    observations: new Map(
      places
        .filter(({ name }) => name === `vendor/${TOPICS.observations}`)
        .map(({ partition, next }) => [partition, next]),
    ),
  }
}

/** Changes and records of the log that rows at a position lack to reach a version. */
export function recordsBehind(at: CatalogVersion, to: CatalogVersion): number {
  const [here, there] = [offsetsOf(at), offsetsOf(to)]
  const missing = (from: bigint, until: bigint) => (until > from ? until - from : 0n)
  let records = missing(at.seq, to.seq) + missing(here.decisions, there.decisions)
  for (const [partition, next] of there.observations) records += missing(here.observations.get(partition) ?? 0n, next)
  return Number(records)
}
