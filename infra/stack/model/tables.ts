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

/** Runs a statement. */
type Look = <Row extends object>(sql: string) => Row[] | Promise<Row[]>

const JOINED = 'observations o join vendor_skus k using (sku) join sources s using (source)'
const NAMED = `s.source_id || ' ' || k.vendor_ref || ' at ' ||
  to_char(o.observed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ' for ' || o.cents`

/** Every observation of the tables by its name. */
export const readObservations = async (look: Look): Promise<string[]> =>
  (await look<{ text: string }>(`select ${NAMED} as text from ${JOINED}`)).map(({ text }) => text)

export async function readTables(look: Look): Promise<Tables> {
  const deliveries = await look<{ text: string }>(
    `select ${NAMED} || ' by ' || crawl_id as text from ${JOINED} join deliveries d using (observation)
     join crawls c on c.crawl = d.crawl`,
  )
  const changes = await look<Tables['changes'][number]>(
    `select scope, rseq as seq, item_id as "itemId", s.op, encode(state_sha, 'hex') as sha, encode(chain, 'hex') as chain
     from change_scopes s join changes c using (seq) order by scope, rseq`,
  )
  const active = await look<{ id: string; state: string }>(
    `select item_id as id, public_state as state from items where state = 'active' order by item_id`,
  )
  return {
    observations: await readObservations(look),
    deliveries: deliveries.map(({ text }) => text),
    parked: await look(`select topic || '/' || partition || '/' || "offset" as place, reason from parked`),
    changes: changes.map((change) => ({ ...change, seq: Number(change.seq) })),
    active: new Map(active.map(({ id, state }) => [id, state])),
  }
}
