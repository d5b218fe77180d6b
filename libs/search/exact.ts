import type { Embedder } from '@catalog/embed/embed.ts'
import { rowsParameter, type Store } from '@catalog/store/db.ts'
import { MemoryIndex } from './memory.ts'
import type { SearchIndex } from './search.ts'

/**
 * The embedded index: documents and vectors stand in the table search_docs, and every process that searches holds them
 * in memory and follows the table. It is exact, so it is also the reference for the recall of other adapters.
 *
 * Law: there is one feeder, and its calls of put and remove rise in seq; only a feeder that starts over, for a new
 * embedder or a lost index, comes back to lower ones. That is what lets a reader follow by `seq >` and miss nothing.
 *
 * `embedder` null: documents are kept without vectors. `now` is a clock in milliseconds that never goes back.
 */
export function openExactIndex({
  store,
  embedder,
  now,
}: {
  store: Store
  embedder: Pick<Embedder, 'fingerprint' | 'dims'> | null
  now: () => number
}): SearchIndex & {
  /** Brings memory up to the table now; queries do it themselves when the last time is 250 ms ago. */
  refresh(): Promise<void>
} {
  const fingerprint = embedder?.fingerprint ?? 'none'
  const dims = embedder?.dims ?? 0
  const memory = new MemoryIndex(dims)
  /** Highest seq that memory has seen. */
  let head = -1n
  /** Every row up to here was fed by this fingerprint; behind `head` while a feeder starts over. */
  let settled = -1n
  let writes = 0
  let loadedWrites = -1
  let loadedAt = Number.NEGATIVE_INFINITY
  let loading: Promise<void> | undefined

  async function upToDate(): Promise<MemoryIndex> {
    if (loadedWrites !== writes || now() - loadedAt >= REFRESH_MS) await refresh()
    // The refresh under way may have begun before the last write of this process; the next one has not.
    if (loadedWrites !== writes) await refresh()
    return memory
  }

  function refresh(): Promise<void> {
    loading ??= load().finally(() => {
      loading = undefined
    })
    return loading
  }

  async function load(): Promise<void> {
    const startedAt = now()
    const startedWrites = writes
    for (;;) {
      const rows = await store.query<Row>(`${SELECT} where seq > $1 order by seq limit $2`, [head, PAGE_ROWS])
      for (const row of rows) {
        if (settled === head && row.fingerprint === fingerprint) settled = row.seq
        head = row.seq
        show(row)
      }
      if (rows.length < PAGE_ROWS) break
    }
    // Rows of another fingerprint are searched by their words until the feeder, which starts over in the order of seq,
    // has written them again; they are taken up to the first one that it has not reached.
    while (settled < head) {
      const rows = await store.query<Row>(
        `${SELECT} where seq > $1 and seq <= $2
           and seq < coalesce(
             (select seq from search_docs where seq > $1 and fingerprint is distinct from $3 order by seq limit 1),
             $2 + 1)
         order by seq limit $4`,
        [settled, head, fingerprint, PAGE_ROWS],
      )
      for (const row of rows) {
        settled = row.seq
        show(row)
      }
      if (rows.length < PAGE_ROWS) break
    }
    loadedAt = startedAt
    loadedWrites = startedWrites
  }

  function show({ removed, vector, fingerprint: fedFor, ...row }: Row): void {
    if (removed) memory.remove(row.itemId)
    else memory.put({ ...row, vector: vector !== null && fedFor === fingerprint ? floats(vector) : null })
  }

  return {
    adapter: 'exact',
    refresh,
    async put(documents) {
      for (const document of documents) {
        if (document.vector !== null) expectDims(document.vector, document.itemId)
      }
      for (let at = 0; at < documents.length; at += PUT_ROWS) {
        const rows = documents.slice(at, at + PUT_ROWS).map(({ itemId, categoryId, vector, ...row }) => ({
          ...row,
          item_id: itemId,
          category_id: categoryId,
          vector: vector === null ? null : bytes(vector).toString('hex'),
        }))
        await store.query(
          // Equal seq is written again: that is how a document gets the vector of a new embedder.
          `insert into search_docs as doc (item_id, seq, removed, name, body, regions, category_id, vector, fingerprint)
           select distinct on (item_id) item_id, seq, false, name, body, regions, category_id, decode(vector, 'hex'), $2
           from jsonb_to_recordset($1::jsonb) as batch (
             item_id text, seq bigint, name text, body text, regions text[], category_id text, vector text)
           order by item_id, seq desc
           on conflict (item_id) do update set
             seq = excluded.seq, removed = excluded.removed, name = excluded.name, body = excluded.body,
             regions = excluded.regions, category_id = excluded.category_id, vector = excluded.vector,
             fingerprint = excluded.fingerprint
           where doc.seq <= excluded.seq`,
          [rowsParameter(rows), fingerprint],
        )
        writes++
      }
    },
    async remove(removed) {
      for (let at = 0; at < removed.length; at += PUT_ROWS) {
        const rows = removed.slice(at, at + PUT_ROWS).map(({ itemId, seq }) => ({ item_id: itemId, seq }))
        await store.query(
          `insert into search_docs as doc (item_id, seq, removed, name, body, regions, fingerprint)
           select distinct on (item_id) item_id, seq, true, '', '', '{}'::text[], $2
           from jsonb_to_recordset($1::jsonb) as batch (item_id text, seq bigint)
           order by item_id, seq desc
           on conflict (item_id) do update set
             seq = excluded.seq, removed = excluded.removed, name = excluded.name, body = excluded.body,
             regions = excluded.regions, category_id = null, vector = null, fingerprint = excluded.fingerprint
           where doc.seq <= excluded.seq`,
          [rowsParameter(rows), fingerprint],
        )
        writes++
      }
    },
    async nearest(vector, k, filter) {
      expectDims(vector, 'the query')
      return (await upToDate()).nearest(vector, k, filter)
    },
    async lexical(query, k, filter) {
      return (await upToDate()).lexical(query, k, filter)
    },
    async frequencies(tokens) {
      return (await upToDate()).frequencies(tokens)
    },
    // From the table, not from memory: a process that only feeds or reports never loads the documents.
    async state() {
      const [row] = await store.query<{ seq: bigint; documents: bigint; vectors: bigint }>(
        `select coalesce(max(seq), 0) as seq,
           count(*) filter (where not removed) as documents,
           count(*) filter (where vector is not null and fingerprint = $1) as vectors
         from search_docs`,
        [fingerprint],
      )
      return { seq: row?.seq ?? 0n, documents: Number(row?.documents), vectors: Number(row?.vectors) }
    },
  }

  function expectDims(vector: Float32Array, of: string): void {
    if (vector.length !== dims) throw new RangeError(`vector of ${of}: ${vector.length} components, expected ${dims}`)
  }
}

/** A reader is behind the table by this at most. */
const REFRESH_MS = 250
/** Rows a read or a write carries: 1 kB each as hexadecimal text at 128 dimensions. */
const PAGE_ROWS = 2_000
const PUT_ROWS = 1_000

type Row = Readonly<{
  itemId: string
  seq: bigint
  removed: boolean
  name: string
  body: string
  regions: string[]
  categoryId: string | null
  vector: Buffer | null
  fingerprint: string | null
}>
const SELECT = `select item_id as "itemId", seq, removed, name, body, regions, category_id as "categoryId", vector, fingerprint
  from search_docs`

/** Float32, little endian, as every machine that runs Node has it. */
function bytes(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
}

function floats(stored: Buffer): Float32Array {
  // Copied: a Buffer may begin at an address that floats cannot.
  return new Float32Array(new Uint8Array(stored).buffer)
}
