import { literal, type Store } from '@catalog/store/db.ts'
import { grantsOf, viewSchemaOf } from './analyst.ts'

/**
 * Queries of analysts.
 *
 * Law: whatever the query, it reads the views alone. It runs under a role that has no other right, and within a function
 * that this role owns, where PostgreSQL lets nobody take another role.
 */

/** One role for all catalogs of a server: each grants it its own views. It cannot sign in. */
const QUERY_ROLE = 'catalog_sql'

/** Rows per page. */
const FETCH_ROWS = 1_000

/** Passes on the next rows of the open query. */
const PAGE_BODY = `
declare
  answered record;
begin
  for i in 1..rows_max loop
    fetch answer into answered;
    exit when not found;
    return next answered;
  end loop;
end`

/**
 * Passes the rows of a query on page by page, at most `rowsMax`, in a read-only transaction that ends after `timeoutMs`
 * (the embedded store ignores the timeout). The views must exist. Returns the number of rows; throws PostgreSQL's error
 * about the query, and one that says what to do where the role cannot be made.
 */
export async function queryViews(
  store: Store,
  { sql, timeoutMs, rowsMax }: { sql: string; timeoutMs: number; rowsMax: number },
  onPage: (rows: readonly Record<string, unknown>[]) => void | Promise<void>,
): Promise<number> {
  await prepareRole(store)
  const views = viewSchemaOf(store.schema)
  return await store.transaction(async (tx) => {
    await tx.query(`set transaction read only`)
    await tx.query(`set local statement_timeout = ${Math.floor(timeoutMs)}`)
    await tx.query(`set local search_path = ${views}`)
    await tx.query(`set local role ${QUERY_ROLE}`)
    await tx.queryOne(`declare answer no scroll cursor for ${sql}`)
    // Describes the rows without running the query.
    const columns = await tx.queryOne('fetch 0 from answer')
    if (columns.length === 0) throw new Error('expected a query with columns')
    const types = await tx.query<{ type: string }>(
      `select format_type(type, null) as type from unnest($1::oid[]) with ordinality as t (type, place) order by place`,
      [columns.map(({ typeId }) => typeId)],
    )
    const shape = types.map(({ type }, i) => `c${i} ${type}`)
    let rows = 0
    while (rows < rowsMax) {
      const wanted = Math.min(rowsMax - rows, FETCH_ROWS)
      const page = await tx.query(`select * from ${views}.page('answer', ${wanted}) as t (${shape})`)
      if (page.length > 0) {
        await onPage(page.map((row) => Object.fromEntries(columns.map(({ name }, i) => [name, row[`c${i}`]]))))
      }
      rows += page.length
      if (page.length < wanted) break
    }
    return rows
  })
}

/** Creates the role and its function, unless they exist; throws as {@link queryViews}. */
async function prepareRole(store: Store): Promise<void> {
  const views = viewSchemaOf(store.schema)
  const [ready] = await store.query(
    `select from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_roles r on r.oid = p.proowner
      where n.nspname = $1 and p.proname = 'page' and p.prosrc = $2 and r.rolname = $3`,
    [views, PAGE_BODY, QUERY_ROLE],
  )
  if (ready !== undefined) return
  await createRole(store)
  await store.transaction(async (tx) => {
    // Without the lock, two processes would both find no function.
    await tx.query(`select pg_advisory_xact_lock(hashtext($1))`, [views])
    const page = `${views}.page(refcursor, int)`
    for (const statement of [
      ...grantsOf(views, QUERY_ROLE),
      `drop function if exists ${page}`,
      `create function ${views}.page(answer refcursor, rows_max int) returns setof record
         language plpgsql security definer set search_path = ${views} as ${literal(PAGE_BODY)}`,
      `revoke all on function ${page} from public`,
      // A new owner needs this right for the moment of the change.
      `grant create on schema ${views} to ${QUERY_ROLE}`,
      `alter function ${page} owner to ${QUERY_ROLE}`,
      `revoke create on schema ${views} from ${QUERY_ROLE}`,
    ]) {
      await tx.query(statement)
    }
  })
}

async function createRole(store: Store): Promise<void> {
  try {
    const [known] = await store.query(`select from pg_roles where rolname = $1`, [QUERY_ROLE])
    if (known === undefined) {
      await store.query(`create role ${QUERY_ROLE} nologin`).catch((error: { code?: string }) => {
        // Another process was faster.
        if (!ALREADY_EXISTS.includes(error.code ?? '')) throw error
      })
    }
    const [user] = await store.query<{ may: boolean }>(`select pg_has_role($1, 'usage') as may`, [QUERY_ROLE])
    if (!user?.may) await store.query(`grant ${QUERY_ROLE} to current_user`)
  } catch (error) {
    if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error
    throw new Error(
      `queries run under the role ${QUERY_ROLE}, which this user of the database may not make; ` +
        `let an administrator run: create role ${QUERY_ROLE} nologin; grant ${QUERY_ROLE} to the user of DATABASE_URL`,
      { cause: error },
    )
  }
}
/** unique_violation, duplicate_object. */
const ALREADY_EXISTS = ['23505', '42710']
const INSUFFICIENT_PRIVILEGE = '42501'
