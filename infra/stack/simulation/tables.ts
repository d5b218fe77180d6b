import type { SimulatedServer } from './store.ts'

/** What the tables say at the end of a history, in the words of the model. */
export type Tables = Readonly<{
  observations: readonly string[]
  deliveries: readonly string[]
  /** Dead letters, as topic/partition/offset and reason. */
  parked: readonly Readonly<{ place: string; reason: string }>[]
  /** In order of scope and number. */
  changes: readonly Readonly<{ scope: string; seq: number; itemId: string; op: string; sha: string; chain: string }>[]
  active: ReadonlyMap<string, string>
}>

export function readTables(server: SimulatedServer): Tables {
  const named = `s.source_id || ' ' || k.vendor_ref || ' at ' ||
    to_char(o.observed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ' for ' || o.cents`
  const joined = 'observations o join vendor_skus k using (sku) join sources s using (source)'
  const texts = (sql: string) => server.look<{ text: string }>(sql).map(({ text }) => text)
  const changes = server.look<{ scope: string; seq: bigint; itemId: string; op: string; sha: string; chain: string }>(
    `select scope, rseq as seq, item_id as "itemId", s.op, encode(state_sha, 'hex') as sha, encode(chain, 'hex') as chain
     from change_scopes s join changes c using (seq) order by scope, rseq`,
  )
  return {
    observations: texts(`select ${named} as text from ${joined}`),
    deliveries: texts(
      `select ${named} || ' by ' || crawl_id as text from ${joined} join deliveries d using (observation)
       join crawls c on c.crawl = d.crawl`,
    ),
    parked: server.look<{ place: string; reason: string }>(
      `select topic || '/' || partition || '/' || "offset" as place, reason from parked`,
    ),
    changes: changes.map((change) => ({ ...change, seq: Number(change.seq) })),
    active: new Map(
      server
        .look<{ id: string; state: string }>(
          `select item_id as id, public_state as state from items where state = 'active' order by item_id`,
        )
        .map(({ id, state }) => [id, state]),
    ),
  }
}
