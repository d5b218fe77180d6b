import { affectsRow, type Queryable, rowsParameter } from '@catalog/store/db.ts'

/** The cost of embedding providers, and the vectors they delivered. */

/**
 * Documents may not spend a whole month's tokens: each search needs a few until its end, and answers 503 without them.
 */
const DOCUMENTS_SHARE = 0.9
/** Callers waiting for the next month retry in between, because the operator may raise the budget. */
const EMPTY_SECONDS_MAX = 3_600

export type Spending = Readonly<{ month: string; tokens: bigint; tokensMax: number | null }>

/**
 * The tokens that all processes on this store may spend together per calendar month, UTC. `tokensMax` null only counts
 * them. `now` is the caller's clock.
 *
 * Law: a reservation is one statement under the row's lock, so the sum never exceeds the limit. A process that dies
 * keeps its reservation: at most one request.
 */
export function openTokenBudget({
  store,
  tokensMax,
  now,
}: {
  store: Queryable
  tokensMax: number | null
  now: () => Date
}) {
  return {
    async reserve(tokens: number, kind: 'query' | 'document') {
      const at = now()
      const month = monthOf(at)
      const limit = kind === 'query' || tokensMax === null ? tokensMax : Math.floor(tokensMax * DOCUMENTS_SHARE)
      if (!(await reserveTokens(store, { month, tokens, limit }))) return { emptyForSeconds: secondsUntilNextMonth(at) }
      return {
        // Settle in the month of the reservation.
        settle: (spent: number) => addTokens(store, { month, tokens: spent - tokens }),
      }
    },
    async spending(): Promise<Spending> {
      const month = monthOf(now())
      return { month, tokens: await readTokens(store, month), tokensMax }
    },
  }
}

const monthOf = (at: Date): string => at.toISOString().slice(0, 'YYYY-MM'.length)

function secondsUntilNextMonth(at: Date): number {
  const nextMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1)
  return Math.min(EMPTY_SECONDS_MAX, Math.ceil((nextMs - at.getTime()) / 1000))
}

/** Reserves the tokens unless the month would exceed its limit; returns whether it did. */
async function reserveTokens(
  db: Queryable,
  { month, tokens, limit }: { month: string; tokens: number; limit: number | null },
): Promise<boolean> {
  return affectsRow(
    db,
    `insert into embedding_spending as spent (month, tokens)
     select $1, $2::bigint where $3::bigint is null or $2::bigint <= $3::bigint
     on conflict (month) do update set tokens = spent.tokens + excluded.tokens
     where $3::bigint is null or spent.tokens + excluded.tokens <= $3::bigint
     returning 1`,
    [month, tokens, limit],
  )
}

async function addTokens(db: Queryable, { month, tokens }: { month: string; tokens: number }): Promise<void> {
  await db.query(`update embedding_spending set tokens = greatest(0, tokens + $2) where month = $1`, [month, tokens])
}

async function readTokens(db: Queryable, month: string): Promise<bigint> {
  const [row] = await db.query<{ tokens: bigint }>(`select tokens from embedding_spending where month = $1`, [month])
  return row?.tokens ?? 0n
}

/** 40,000 vectors of 1,536 dimensions: enough to re-feed a catalog's names, without filling the disk with old ones. */
const CACHE_BYTES_MAX = 256 * 1024 * 1024
/** Vectors that this process writes between two trims of the cache. */
const TRIM_AFTER_VECTORS = 2_000
/** Rows deleted per statement. */
const TRIM_ROWS = 2_000
const FLOAT_BYTES = 4

/**
 * Vectors of one fingerprint by the SHA-256 (hex) of their text. Deletes the oldest vectors of all fingerprints beyond
 * `bytesMax` from time to time. Each process may exceed it by 2,000 vectors.
 */
export function openVectorCache({
  store,
  fingerprint,
  bytesMax = CACHE_BYTES_MAX,
  trimAfterVectors = TRIM_AFTER_VECTORS,
}: {
  store: Queryable
  fingerprint: string
  bytesMax?: number
  trimAfterVectors?: number
}) {
  let written = 0
  return {
    async read(shas: readonly string[]): Promise<ReadonlyMap<string, Float32Array>> {
      const rows = await store.query<{ sha: string; vector: Buffer }>(
        `select encode(text_sha, 'hex') as sha, vector from embedding_cache
         where fingerprint = $1 and text_sha in (select decode(sha, 'hex') from unnest($2::text[]) sha)`,
        [fingerprint, shas],
      )
      return new Map(rows.map(({ sha, vector }) => [sha, floats(vector)]))
    },
    async save(vectors: ReadonlyMap<string, Float32Array>): Promise<void> {
      if (vectors.size === 0) return
      // Sorted, so that two processes that save the same vectors cannot deadlock.
      const rows = [...vectors].sort(([a], [b]) => (a < b ? -1 : 1))
      await store.query(
        `insert into embedding_cache (fingerprint, text_sha, vector)
         select $1, decode(sha, 'hex'), decode(vector, 'hex')
         from jsonb_to_recordset($2::jsonb) as batch (sha text, vector text)
         on conflict (fingerprint, text_sha) do nothing`,
        [fingerprint, rowsParameter(rows.map(([sha, vector]) => ({ sha, vector: bytes(vector).toString('hex') })))],
      )
      written += rows.length
      if (written < trimAfterVectors) return
      written = 0
      await trim((rows[0] as [string, Float32Array])[1].length)
    },
  }

  async function trim(dims: number): Promise<void> {
    const [row] = await store.query<{ rows: number }>(`select count(*)::int as rows from embedding_cache`)
    let excess = (row?.rows ?? 0) - Math.floor(bytesMax / (dims * FLOAT_BYTES))
    for (; excess > 0; excess -= TRIM_ROWS) {
      await store.query(
        `delete from embedding_cache where (fingerprint, text_sha) in
           (select fingerprint, text_sha from embedding_cache order by saved_at limit $1)`,
        [Math.min(excess, TRIM_ROWS)],
      )
    }
  }
}

/** Encodes float32 little endian, the byte order of every machine that runs Node. */
function bytes(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
}

function floats(stored: Buffer): Float32Array {
  // Copy: a Buffer may begin at an address that is not aligned for floats.
  return new Float32Array(new Uint8Array(stored).buffer)
}
