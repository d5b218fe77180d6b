import type { Queryable } from '@catalog/store/db.ts'

/** Votes of one source beside the votes of the others, as the items were last published. */

/** The vote of a source on an item that has other voters in the same market and currency. */
export type ComparedVote = Readonly<{
  item_id: string
  name: string
  /** Per item unit, in minor units. */
  price: number
  currency: string
  /** The median of the vote's first market, else the headline; null where it has another currency. */
  median: number | null
  /** The lower median of the other voters' prices. */
  others: number
}>

/** Items of one statement: their bases are some hundred kilobytes, read in a few hundredths of a second. */
const ITEMS_PAGE = 200

const NUMBER = (vote: string) => `
  split_part(${vote}->>'price', '/', 1)::numeric / coalesce(nullif(split_part(${vote}->>'price', '/', 2), ''), '1')::numeric`

/**
 * The votes of a source on its newest items by arrival, at most `itemsMax`, in pages. Leaves out items where no other
 * source votes in one of its markets (or, for a source without a market, in its currency).
 */
export async function* comparedVotes(
  db: Queryable,
  { sourceId, itemsMax }: { sourceId: string; itemsMax: number },
): AsyncGenerator<readonly ComparedVote[]> {
  let before = INT_MAX
  for (let left = itemsMax; left > 0; left -= ITEMS_PAGE) {
    const limit = Math.min(left, ITEMS_PAGE)
    const [page] = await db.query<{ count: number; last: number | null; votes: ComparedVote[] | null }>(
      `with m as materialized (
         select item from memberships where source = (select source from sources where source_id = $1) and item < $2
         order by item desc limit $3),
       own as materialized (
         select i.item_id, i.name, vote, i.basis::jsonb->'votes' as votes, i.item_json::jsonb->'median_price' as headline
         from m join item_keys k using (item) join items i on i.item_id = k.item_id
           cross join lateral (select vote from jsonb_array_elements(i.basis::jsonb->'votes') vote
             where vote->>'source_id' = $1 limit 1) v
         where i.state = 'active'),
       compared as (
         select own.item_id, own.name, (${NUMBER('own.vote')})::float8 as price, own.vote->>'currency' as currency,
           case when median->>'currency' = own.vote->>'currency' then (median->>'cents')::float8 end as median,
           o.others::float8 as others
         from own
           left join item_markets on item_markets.item_id = own.item_id
             and item_markets.region = own.vote->'markets'->>0
           cross join lateral (select coalesce(item_markets.median_json::jsonb, headline) as median) settled
           cross join lateral (
             select percentile_disc(0.5) within group (order by ${NUMBER('other')}) as others
             from jsonb_array_elements(own.votes) other
             where other->>'source_id' <> $1 and other->>'currency' = own.vote->>'currency'
               and (own.vote->'markets' = '[]'
                 or own.vote->'markets' ?| array(select jsonb_array_elements_text(other->'markets')))) o
         where o.others > 0)
       select (select count(*)::int from m) as count, (select min(item) from m) as last,
         (select jsonb_agg(to_jsonb(compared) order by item_id) from compared) as votes`,
      [sourceId, before, limit],
    )
    if (page === undefined || page.last === null) return
    if (page.votes !== null) yield page.votes
    if (page.count < limit) return
    before = page.last
  }
}
const INT_MAX = 2_147_483_647

/** An item that a key finds: its unit, and the votes behind its published median. */
export type KeyedItem = Readonly<{
  key: string
  unit: string | null
  pack: Readonly<{ quantity: string; unit: string }> | null
  votes: readonly Readonly<{ source_id: string; price: number; currency: string; markets: readonly string[] }>[]
}>

/** Keys that more SKUs share identify no product. */
const SKUS_OF_KEY_MAX = 100
const KEYS_PAGE = 200

/** The items of these matching keys with their votes, in pages; an item may stand under several keys. */
export async function* itemsOfKeys(db: Queryable, keys: readonly string[]): AsyncGenerator<readonly KeyedItem[]> {
  for (let at = 0; at < keys.length; at += KEYS_PAGE) {
    yield await db.query<KeyedItem>(
      `select distinct on (wanted.key, i.item_id) wanted.key, k.unit,
         case when k.pack_quantity is null then null
           else jsonb_build_object('quantity', trim_scale(k.pack_quantity)::text, 'unit', k.pack_unit) end as pack,
         (select coalesce(jsonb_agg(jsonb_build_object('source_id', vote->>'source_id', 'price', ${NUMBER('vote')},
              'currency', vote->>'currency', 'markets', vote->'markets')), '[]')
            from jsonb_array_elements(i.basis::jsonb->'votes') vote) as votes
       from unnest($1::text[]) wanted (key)
         cross join lateral (select sku from match_keys where match_keys.key = wanted.key limit ${SKUS_OF_KEY_MAX}) found
         join memberships using (sku) join item_keys k using (item)
         join items i on i.item_id = k.item_id and i.state = 'active'
       order by wanted.key, i.item_id`,
      [keys.slice(at, at + KEYS_PAGE)],
    )
  }
}
