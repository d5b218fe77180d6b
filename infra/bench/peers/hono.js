import { serve } from '@hono/node-server'
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { Hono } from 'hono'
import pg from 'pg'
import { HOST, POOL, pageOf, serving } from './serving.js'

/** Hono, and Drizzle with its query prepared once. */
const items = pgTable('items', {
  item_id: text().primaryKey(),
  state: text().notNull(),
  item_json: text().notNull(),
})
const db = drizzle(new pg.Pool(POOL))
const page = db
  .select({ item_json: items.item_json })
  .from(items)
  .where(and(eq(items.state, 'active'), gt(items.item_id, sql.placeholder('after'))))
  .orderBy(asc(items.item_id))
  .limit(sql.placeholder('limit'))
  .prepare('page')

const app = new Hono()
app.get('/items', async (context) => {
  const limit = Number(context.req.query('limit'))
  const rows = await page.execute({ after: context.req.query('after') ?? '', limit: limit + 1 })
  return context.json(pageOf(rows, limit))
})
serve({ fetch: app.fetch, hostname: HOST, port: 0 }, ({ port }) => serving(port))
