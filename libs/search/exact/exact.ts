import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Embedder } from '@catalog/embed/embed.ts'
import type { BesideIndex, SearchIndex } from '@catalog/search/search.ts'
import { rowsParameter, type Store } from '@catalog/store/db.ts'
import { MemoryIndex } from './memory.ts'

/**
 * The embedded index: documents and vectors stand in the table search_docs, and every process that searches holds them
 * in memory and follows the table. It is exact, so it is also the reference for the recall of other adapters.
 *
 * The documents of each embedder are an index of their own. One for a new embedder is filled beside those that are there;
 * until it holds all that they hold, its readers find words in the newest of them, and no vectors. When it is filled it is
 * loaded beside what is shown, and then takes its place: no query waits for that. So are the documents of another build,
 * when its table is put in the place of the one that was read.
 *
 * Law: there is one feeder of an index, and its calls of put and remove rise in seq; only a feeder that starts over, for a
 * lost index, comes back to lower ones. That is what lets a reader follow by `seq >` and miss nothing.
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
  const identity = `${IDENTITY_PREFIX}${fingerprint}`
  const dims = embedder?.dims ?? 0
  let shown = nothingOf({ fingerprint, table: 0 })
  let writes = 0
  let loadedWrites = -1
  let loadedAt = Number.NEGATIVE_INFINITY
  let loading: Promise<void> | undefined
  let changing: Promise<void> | undefined

  function nothingOf(documents: Documents): Loaded {
    return { ...documents, memory: new MemoryIndex(dims), head: -1n }
  }

  async function upToDate(): Promise<MemoryIndex> {
    if (loadedWrites !== writes || now() - loadedAt >= REFRESH_MS) await loadOnce()
    // The load under way may have begun before the last write of this process; the next one has not.
    if (loadedWrites !== writes) await loadOnce()
    return shown.memory
  }

  async function refresh(): Promise<void> {
    await loadOnce()
    await changing
  }

  function loadOnce(): Promise<void> {
    loading ??= load().finally(() => {
      loading = undefined
    })
    return loading
  }

  async function load(): Promise<void> {
    const startedAt = now()
    const startedWrites = writes
    // Before any of its rows: what is read while tables are exchanged passes for that of the former one, and is read anew.
    const wanted = { table: await readTable(), fingerprint: await servingFingerprint() }
    if (wanted.fingerprint !== shown.fingerprint || wanted.table !== shown.table) {
      if (shown.head < 0n) shown = nothingOf(wanted)
      else {
        changing ??= change(wanted)
          // The next load tries again.
          .catch(() => {})
          .finally(() => {
            changing = undefined
          })
      }
    }
    await follow(shown)
    loadedAt = startedAt
    loadedWrites = startedWrites
  }

  async function change(wanted: Documents): Promise<void> {
    const coming = nothingOf(wanted)
    await follow(coming)
    shown = coming
  }

  /** Reads on from the highest seq that was seen. */
  async function follow(loaded: Loaded): Promise<void> {
    for (;;) {
      const rows = await store.query<Row>(`${SELECT} where fingerprint = $1 and seq > $2 order by seq limit $3`, [
        loaded.fingerprint,
        loaded.head,
        PAGE_ROWS,
      ])
      for (const [i, { removed, vector, ...row }] of rows.entries()) {
        if (i > 0 && i % TURN_ROWS === 0) await nextTurn()
        loaded.head = row.seq
        if (removed) loaded.memory.remove(row.itemId)
        else {
          const isOwn = loaded.fingerprint === fingerprint
          loaded.memory.put({ ...row, vector: vector !== null && isOwn ? floats(vector) : null })
        }
      }
      if (rows.length < PAGE_ROWS) break
    }
  }

  /** Which table has the name now: seq alone would not tell the rows of one build from those of another. */
  async function readTable(): Promise<number> {
    const [row] = await store.query<{ table: number }>(`select to_regclass($1)::oid as table`, ['search_docs'])
    return row?.table ?? 0
  }

  /** Whose documents readers find: this index's own once it is filled, until then the newest of those that are. */
  async function servingFingerprint(): Promise<string> {
    const [serving] = await filledIndexes()
    return serving === undefined ? fingerprint : serving.identity.slice(IDENTITY_PREFIX.length)
  }

  /** The own index first, then the newest. */
  async function filledIndexes(): Promise<readonly { readonly identity: string; readonly seq: bigint }[]> {
    return store.query(
      `select identity, held.seq from search_indexes,
         lateral (select coalesce(max(seq), 0) as seq from search_docs where fingerprint = substr(identity, $2)) held
       where filled and starts_with(identity, $3) order by identity = $1 desc, held.seq desc, identity`,
      [identity, IDENTITY_PREFIX.length + 1, IDENTITY_PREFIX],
    )
  }

  /** Notes whether this index now holds all that the others hold, or has fallen far behind them. */
  async function noteFilled(): Promise<void> {
    writes++
    const [filled, seq] = await Promise.all([filledIndexes(), highestSeq()])
    const isFilled = filled.some((index) => index.identity === identity)
    const others = filled.flatMap((index) => (index.identity === identity ? [] : [index.seq]))
    const isBehind = (by: bigint) => others.some((other) => seq + by < other)
    if (isFilled ? !isBehind(BEHIND_CHANGES_MAX) : isBehind(0n)) return
    await store.query(
      `insert into search_indexes (identity, filled) values ($1, $2)
       on conflict (identity) do update set filled = excluded.filled`,
      [identity, !isFilled],
    )
    writes++
  }

  async function highestSeq(): Promise<bigint> {
    const [row] = await store.query<{ seq: bigint }>(
      `select coalesce(max(seq), 0) as seq from search_docs where fingerprint = $1`,
      [fingerprint],
    )
    return row?.seq ?? 0n
  }

  return {
    adapter: 'exact',
    identity,
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
          // Equal seq is written again: what is made of an item may change with a release.
          `insert into search_docs as doc (item_id, seq, removed, name, body, regions, category_id, vector, fingerprint)
           select distinct on (item_id) item_id, seq, false, name, body, regions, category_id, decode(vector, 'hex'), $2
           from jsonb_to_recordset($1::jsonb) as batch (
             item_id text, seq bigint, name text, body text, regions text[], category_id text, vector text)
           order by item_id, seq desc
           on conflict (fingerprint, item_id) do update set
             seq = excluded.seq, removed = excluded.removed, name = excluded.name, body = excluded.body,
             regions = excluded.regions, category_id = excluded.category_id, vector = excluded.vector
           where doc.seq <= excluded.seq`,
          [rowsParameter(rows), fingerprint],
        )
      }
      await noteFilled()
    },
    async remove(removed) {
      for (let at = 0; at < removed.length; at += PUT_ROWS) {
        const rows = removed.slice(at, at + PUT_ROWS).map(({ itemId, seq }) => ({ item_id: itemId, seq }))
        await store.query(
          `insert into search_docs as doc (item_id, seq, removed, name, body, regions, fingerprint)
           select distinct on (item_id) item_id, seq, true, '', '', '{}'::text[], $2
           from jsonb_to_recordset($1::jsonb) as batch (item_id text, seq bigint)
           order by item_id, seq desc
           on conflict (fingerprint, item_id) do update set
             seq = excluded.seq, removed = excluded.removed, name = excluded.name, body = excluded.body,
             regions = excluded.regions, category_id = null, vector = null
           where doc.seq <= excluded.seq`,
          [rowsParameter(rows), fingerprint],
        )
      }
      await noteFilled()
    },
    async nearest(vector, k, filter) {
      expectDims(vector, 'the query')
      return (await upToDate()).nearest(vector, k, filter)
    },
    async lexical(query, k, filter) {
      return (await upToDate()).lexical(query, k, filter)
    },
    async frequencies(terms) {
      return (await upToDate()).frequencies(terms)
    },
    async isEmbedded() {
      await upToDate()
      return shown.fingerprint === fingerprint
    },
    // From the table, not from memory: a process that only feeds or reports never loads the documents.
    async state() {
      const serving = await servingFingerprint()
      const [row] = await store.query<{ documents: bigint; vectors: bigint }>(
        `select count(*) as documents, count(vector) as vectors from search_docs where fingerprint = $1 and not removed`,
        [serving],
      )
      return {
        seq: await highestSeq(),
        documents: Number(row?.documents),
        vectors: serving === fingerprint ? Number(row?.vectors) : 0,
      }
    },
    async drop(other) {
      if (!other.startsWith(IDENTITY_PREFIX) || other === `${IDENTITY_PREFIX}${await servingFingerprint()}`)
        return false
      // Nobody reads it any more, or takes what is left of it for whole.
      await store.query(`update search_indexes set filled = false, next = 0 where identity = $1`, [other])
      for (;;) {
        const gone = await store.query(
          `delete from search_docs where fingerprint = $1 and item_id in
             (select item_id from search_docs where fingerprint = $1 order by seq limit $2) returning 1`,
          [other.slice(IDENTITY_PREFIX.length), DROP_ROWS],
        )
        if (gone.length < DROP_ROWS) return true
      }
    },
  }

  function expectDims(vector: Float32Array, of: string): void {
    if (vector.length !== dims) throw new RangeError(`vector of ${of}: ${vector.length} components, expected ${dims}`)
  }
}

/** The documents of a build, through its own store: they take their place, and go, with the schema that they stand in. */
export function openExactBeside(options: Parameters<typeof openExactIndex>[0]): BesideIndex {
  return { ...openExactIndex(options), takeOver: async () => {}, discard: async () => true }
}

/** A reader is behind the table by this at most. */
const REFRESH_MS = 250
/** Rows a read or a write carries: 1 kB each as hexadecimal text at 128 dimensions. */
const PAGE_ROWS = 2_000
const PUT_ROWS = 1_000
/** Rows taken into memory before whoever else waits has a turn: some 7 ms. */
const TURN_ROWS = 100
const DROP_ROWS = 2_000
/** An index that was filled and is this far behind another one has missed a batch, and is filled anew. */
const BEHIND_CHANGES_MAX = 1_000n
/** Before the fingerprint, in search_indexes. */
const IDENTITY_PREFIX = 'exact '

/** Of one embedder, in one table, by its oid. */
type Documents = Readonly<{ fingerprint: string; table: number }>

/** Documents in memory; `head` is the highest seq that it has seen. */
type Loaded = Documents & { readonly memory: MemoryIndex; head: bigint }

type Row = Readonly<{
  itemId: string
  seq: bigint
  removed: boolean
  name: string
  body: string
  regions: string[]
  categoryId: string | null
  vector: Buffer | null
}>
const SELECT = `select item_id as "itemId", seq, removed, name, body, regions, category_id as "categoryId", vector
  from search_docs`

/** Float32, little endian, as every machine that runs Node has it. */
function bytes(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
}

function floats(stored: Buffer): Float32Array {
  // Copied: a Buffer may begin at an address that floats cannot.
  return new Float32Array(new Uint8Array(stored).buffer)
}
