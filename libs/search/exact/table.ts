import { LAG_CHANGES_MAX, type SearchDocument } from '@catalog/search/search.ts'
import { rowsParameter, type Store } from '@catalog/store/db.ts'

/** Precedes the fingerprint in an identity, in search_indexes. */
export const IDENTITY_PREFIX = 'exact '

/** Rows of one read: 1 kB each as hexadecimal text at 128 dimensions. */
const PAGE_ROWS = 2_000
const WRITE_ROWS = 1_000
const DELETE_ROWS = 2_000

export type DocumentRow = Readonly<{
  itemId: string
  seq: bigint
  removed: boolean
  name: string
  otherNames: string[]
  body: string
  unit: string | null
  regions: string[]
  categoryId: string | null
  kind: string | null
  vector: Buffer | null
}>

type FilledIndex = { readonly identity: string; readonly seq: bigint }

/** The documents and vectors of one fingerprint in the table search_docs, and the list of indexes beside it. */
export class DocumentTable {
  readonly #store: Store
  readonly #fingerprint: string

  constructor(store: Store, fingerprint: string) {
    this.#store = store
    this.#fingerprint = fingerprint
  }

  get identity(): string {
    return `${IDENTITY_PREFIX}${this.#fingerprint}`
  }

  async put(documents: readonly SearchDocument[]): Promise<void> {
    for (let at = 0; at < documents.length; at += WRITE_ROWS) {
      const rows = documents.slice(at, at + WRITE_ROWS).map(({ itemId, categoryId, otherNames, vector, ...row }) => ({
        ...row,
        item_id: itemId,
        other_names: otherNames ?? [],
        category_id: categoryId,
        vector: vector === null ? null : bytesOf(vector).toString('hex'),
      }))
      await this.#store.query(
        // Write an equal seq again: a release may change the document of an item.
        `insert into search_docs as doc (
           item_id, seq, removed, name, other_names, body, unit, regions, category_id, kind, vector, fingerprint)
         select distinct on (item_id)
           item_id, seq, false, name, other_names, body, unit, regions, category_id, kind, decode(vector, 'hex'), $2
         from jsonb_to_recordset($1::jsonb) as batch (
           item_id text, seq bigint, name text, other_names text[], body text, unit text, regions text[], category_id text,
           kind text, vector text)
         order by item_id, seq desc
         on conflict (fingerprint, item_id) do update set
           seq = excluded.seq, removed = excluded.removed, name = excluded.name, other_names = excluded.other_names,
           body = excluded.body, unit = excluded.unit, regions = excluded.regions, category_id = excluded.category_id,
           kind = excluded.kind, vector = excluded.vector
         where doc.seq <= excluded.seq`,
        [rowsParameter(rows), this.#fingerprint],
      )
    }
  }

  /** Replaces the documents by tombstones. */
  async remove(removed: readonly { readonly itemId: string; readonly seq: bigint }[]): Promise<void> {
    for (let at = 0; at < removed.length; at += WRITE_ROWS) {
      const rows = removed.slice(at, at + WRITE_ROWS).map(({ itemId, seq }) => ({ item_id: itemId, seq }))
      await this.#store.query(
        `insert into search_docs as doc (item_id, seq, removed, name, body, regions, fingerprint)
         select distinct on (item_id) item_id, seq, true, '', '', '{}'::text[], $2
         from jsonb_to_recordset($1::jsonb) as batch (item_id text, seq bigint)
         order by item_id, seq desc
         on conflict (fingerprint, item_id) do update set
           seq = excluded.seq, removed = excluded.removed, name = excluded.name, other_names = excluded.other_names,
           body = excluded.body, unit = null, regions = excluded.regions, category_id = null, kind = null, vector = null
         where doc.seq <= excluded.seq`,
        [rowsParameter(rows), this.#fingerprint],
      )
    }
  }

  /** The next rows of a fingerprint after a seq, and whether more may follow. */
  async readPage(fingerprint: string, afterSeq: bigint): Promise<{ rows: DocumentRow[]; isLast: boolean }> {
    const rows = await this.#store.query<DocumentRow>(
      `select item_id as "itemId", seq, removed, name, other_names as "otherNames", body, unit, regions,
         category_id as "categoryId", kind, vector
       from search_docs where fingerprint = $1 and seq > $2 order by seq limit $3`,
      [fingerprint, afterSeq, PAGE_ROWS],
    )
    return { rows, isLast: rows.length < PAGE_ROWS }
  }

  /** What readers search: the oid of the table, because two builds share seqs, a fingerprint, and its highest seq once it is filled. */
  async serving(): Promise<{ oid: number; fingerprint: string; seq: bigint | undefined }> {
    const [row] = await this.#store.query<{ oid: number | null; identity: string | null; seq: bigint | null }>(
      `select to_regclass('search_docs')::oid as oid, first.identity, first.seq
       from (values (1)) as one left join lateral (${FILLED_INDEXES} limit 1) as first on true`,
      this.#ofIndexes(),
    )
    const { oid, identity, seq } = row ?? {}
    return { oid: oid ?? 0, fingerprint: this.#fingerprintOf(identity), seq: seq ?? undefined }
  }

  /** The fingerprint that readers search: this one once its index is filled, until then the newest filled one. */
  async servingFingerprint(): Promise<string> {
    const [serving] = await this.#filledIndexes()
    return this.#fingerprintOf(serving?.identity)
  }

  #fingerprintOf(identity: string | null | undefined): string {
    return identity == null ? this.#fingerprint : identity.slice(IDENTITY_PREFIX.length)
  }

  /** Records whether this index now holds all documents of the others, or lags far behind them; true when it changed. */
  async updateFilled(): Promise<boolean> {
    const [filled, seq] = await Promise.all([this.#filledIndexes(), this.highestSeq()])
    const isFilled = filled.some((index) => index.identity === this.identity)
    const others = filled.flatMap((index) => (index.identity === this.identity ? [] : [index.seq]))
    const lagsBy = (changes: bigint) => others.some((other) => seq + changes < other)
    if (isFilled ? !lagsBy(LAG_CHANGES_MAX) : lagsBy(0n)) return false
    await this.#store.query(
      `insert into search_indexes (identity, filled) values ($1, $2)
       on conflict (identity) do update set filled = excluded.filled`,
      [this.identity, !isFilled],
    )
    return true
  }

  async highestSeq(): Promise<bigint> {
    const [row] = await this.#store.query<{ seq: bigint }>(
      `select coalesce(max(seq), 0) as seq from search_docs where fingerprint = $1`,
      [this.#fingerprint],
    )
    return row?.seq ?? 0n
  }

  /** Live documents and vectors of a fingerprint. */
  async count(fingerprint: string): Promise<{ documents: number; vectors: number }> {
    const [row] = await this.#store.query<{ documents: bigint; vectors: bigint }>(
      `select count(*) as documents, count(vector) as vectors from search_docs where fingerprint = $1 and not removed`,
      [fingerprint],
    )
    return { documents: Number(row?.documents), vectors: Number(row?.vectors) }
  }

  /** Deletes all documents of another index. */
  async drop(identity: string): Promise<void> {
    // First, so that no reader or feeder takes the remaining rows for a whole index.
    await this.#store.query(`update search_indexes set filled = false, next = 0 where identity = $1`, [identity])
    for (;;) {
      const deleted = await this.#store.query(
        `delete from search_docs where fingerprint = $1 and item_id in
           (select item_id from search_docs where fingerprint = $1 order by seq limit $2) returning 1`,
        [identity.slice(IDENTITY_PREFIX.length), DELETE_ROWS],
      )
      if (deleted.length < DELETE_ROWS) return
    }
  }

  async #filledIndexes(): Promise<readonly FilledIndex[]> {
    return this.#store.query(FILLED_INDEXES, this.#ofIndexes())
  }

  #ofIndexes = () => [this.identity, IDENTITY_PREFIX.length + 1, IDENTITY_PREFIX]
}

/** This index first, then the newest. */
const FILLED_INDEXES = `select identity, held.seq from search_indexes,
    lateral (select coalesce(max(seq), 0) as seq from search_docs where fingerprint = substr(identity, $2)) held
  where filled and starts_with(identity, $3) order by identity = $1 desc, held.seq desc, identity`

/** Float32 components, little endian on every platform of Node. */
function bytesOf(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
}

export function vectorOf(bytes: Buffer): Float32Array {
  // Copy: a Buffer may start at an unaligned address.
  return new Float32Array(new Uint8Array(bytes).buffer)
}
