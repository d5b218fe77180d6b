import { readFileSync } from 'node:fs'
import { literal, type Queryable, type Store, servedSchemaOf } from '@catalog/store/db.ts'
import { COVERS_POINT } from '@catalog/store/vendor/retraction.ts'
import { articleAt } from '@catalog/store/vendor/row-keys.ts'
import { CORE_SCHEMA, load } from 'js-yaml'

/**
 * SQL views for analysts: stable names and meanings over tables that may change. They show the same data as the API,
 * and no key, person or log record.
 */

export type View = Readonly<{
  name: string
  about: string
  /** In order, each with its meaning. */
  columns: Readonly<Record<string, string>>
  /** A query over the tables of the store. */
  sql: string
}>

/** All views; the first call reads them, because few processes need them. */
export function analystViews(): readonly View[] {
  read ??= Object.entries(load(readFileSync(FILE, 'utf8'), { schema: CORE_SCHEMA }) as Views).map(([name, view]) => ({
    name,
    ...view,
  }))
  return read
}
let read: readonly View[] | undefined
const FILE = new URL('analyst.yaml', import.meta.url)
type Views = Readonly<Record<string, Omit<View, 'name'>>>

/** The schema of the views for a store's schema; `analyst` for the product's own. */
export const viewSchemaOf = (schema: string): string => (schema === 'catalog' ? 'analyst' : `${schema}_analyst`)

/** Creates or updates the views of this code version in one transaction: readers see the former views meanwhile. */
export async function createViews(store: Store): Promise<void> {
  const { schema } = store
  const views = viewSchemaOf(schema)
  await store.transaction(async (tx) => {
    // Without the lock, two processes would both find no views.
    await tx.query(`select pg_advisory_xact_lock(hashtext($1))`, [views])
    await tx.query(`create schema if not exists ${views}`)
    // Views read retractions through this function, because their readers have no rights on the tables.
    await tx.query(`create or replace function ${views}.hidden_observations() returns table (observation bigint)
      language sql stable security definer set search_path = ${servedSchemaOf(schema)}, ${schema} as 'select observation from hidden_observations(''{}'')'`)
    for (const view of analystViews()) {
      await tx.query('savepoint one')
      await tx.query(viewSql(schema, view)).catch(async (error: { code?: string }) => {
        // "create or replace" refuses a view whose columns changed.
        if (error.code !== OTHER_COLUMNS) throw error
        await tx.query('rollback to savepoint one')
        await tx.query(`drop view ${views}.${view.name}`)
        await tx.query(viewSql(schema, view))
      })
      await tx.query(`comment on view ${views}.${view.name} is ${literal(view.about)}`)
      for (const [column, meaning] of Object.entries(view.columns)) {
        await tx.query(`comment on column ${views}.${view.name}.${column} is ${literal(meaning)}`)
      }
    }
  })
}
const OTHER_COLUMNS = '42P16'

/** Points existing views at the tables that are served now: a view stays bound to the tables of its creation. */
export async function repointViews(tx: Queryable, schema: string): Promise<void> {
  const existing = await tx.query<{ name: string }>(`select viewname as name from pg_views where schemaname = $1`, [
    viewSchemaOf(schema),
  ])
  const names = new Set(existing.map(({ name }) => name))
  for (const view of analystViews().filter(({ name }) => names.has(name))) await tx.query(viewSql(schema, view))
}

function viewSql(schema: string, { name, columns, sql }: View): string {
  const views = viewSchemaOf(schema)
  const body = sql
    .replace('HIDDEN()', `${views}.hidden_observations()`)
    .replace('COVERS_POINT()', COVERS_POINT)
    .replace('ARTICLE()', articleAt('o.observed_at'))
  return `create or replace view ${views}.${name} as select ${Object.keys(columns).join(', ')} from (${body}) shown`
}

/**
 * Creates a role that may only read the views, unless it exists. The role cannot sign in; grant it to somebody. Throws
 * on a name that would need quotes.
 */
export async function grantViews(store: Store, role: string): Promise<void> {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(role)) throw new Error(`role '${role}': expected [a-z_][a-z0-9_]*`)
  const views = viewSchemaOf(store.schema)
  const [known] = await store.query(`select from pg_roles where rolname = $1`, [role])
  if (known === undefined) await store.query(`create role ${role} nologin`)
  for (const statement of [
    `alter role ${role} set search_path = ${views}`,
    `alter role ${role} set default_transaction_read_only = on`,
    ...grantsOf(views, role),
  ]) {
    await store.query(statement)
  }
}

/** Statements that let a role read the views, and nothing else. */
export const grantsOf = (views: string, role: string): readonly string[] => [
  `grant usage on schema ${views} to ${role}`,
  `revoke all on function ${views}.hidden_observations() from public`,
  `grant execute on function ${views}.hidden_observations() to ${role}`,
  `grant select on all tables in schema ${views} to ${role}`,
  // Also covers views that are created anew because their columns changed.
  `alter default privileges in schema ${views} grant select on tables to ${role}`,
]
