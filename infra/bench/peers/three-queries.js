import Fastify from 'fastify'
import pg from 'pg'
import { HOST, POOL, serving } from './serving.js'

/**
 * An item with its vendors and 90 days of prices, by one prepared query each. It does less than ours: it ignores merges,
 * retractions and simultaneous prices.
 */
const ITEM = {
  name: 'item',
  text: `select item_json, vendor_sku_ids from items where item_id = $1 and state = 'active'`,
}
const VENDORS = {
  name: 'vendors',
  text: `
    select k.vendor_sku_id, s.name, s.region, s.trust_score, s.url, o.cents::float8 as cents, t.currency, t.unit,
      to_char(o.observed_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as observed_at
    from unnest($1::text[]) with ordinality asked (vendor_sku_id, place)
    join vendor_skus k using (vendor_sku_id) join sources s using (source)
    cross join lateral (select * from observations where sku = k.sku order by observed_at desc limit 1) o
    join price_terms t using (terms)
    order by place`,
}
const HISTORY = {
  name: 'history',
  text: `
    with span as (
      select as_of as until, as_of - interval '90 days' as edge from run_marks order by "offset" desc limit 1
    )
    select to_char(greatest(recorded_at, edge), 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as recorded_at, cents::float8 as price_cents,
      currency
    from span, lateral (
      (select * from price_points where item_id = $1 and market = '' and recorded_at <= edge
        order by recorded_at desc limit 1)
      union all
      select * from price_points where item_id = $1 and market = '' and recorded_at > edge and recorded_at <= until
    ) point
    order by recorded_at`,
}

const pool = new pg.Pool(POOL)
const app = Fastify()
app.get('/items/:id', async ({ params: { id } }, reply) => {
  const [item] = (await pool.query({ ...ITEM, values: [id] })).rows
  if (item === undefined) return reply.code(404).send({ error: 'item_not_found' })
  const [vendors, history] = await Promise.all([
    pool.query({ ...VENDORS, values: [item.vendor_sku_ids] }),
    pool.query({ ...HISTORY, values: [id] }),
  ])
  return {
    item: JSON.parse(item.item_json),
    vendors: vendors.rows.map(
      ({ vendor_sku_id, name, region, trust_score, url, cents, currency, unit, observed_at }) => ({
        vendor_sku_id,
        source: { name, region, trust_score, url },
        price: { cents, currency },
        unit,
        observed_at,
      }),
    ),
    price_history: history.rows,
  }
})
await app.listen({ host: HOST, port: 0 })
serving(app.server.address().port)
