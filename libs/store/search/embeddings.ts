import { type Queryable, rowsParameter } from '@catalog/store/db.ts'

/** What a provider of embeddings costs, and the vectors that were paid for. */

/**
 * Documents may not spend all of a month: search needs a few tokens a query until its end, and without them answers 503.
 */
const DOCUMENTS_SHARE = 0.9
/** Whoever waits for the next month asks again in between: the operator may have raised the budget. */
const EMPTY_SECONDS_MAX = 3_600

export type Spending = Readonly<{ month: string; tokens: bigint; tokensMax: number | null }>

/**
 * The tokens of the calendar month, UTC, that all processes on this store may spend together; `tokensMax` null counts
 * them without a limit. `now` is the clock of the edge.
 *
 * Law: a reservation is one statement under the row's lock, so the sum never passes the limit. A process that dies keeps
 * what it had reserved: one request's worth.
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
        // Into the month that it was taken from.
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

/** Takes the tokens unless the month would then be beyond the limit; answers whether it did. */
async function reserveTokens(
  db: Queryable,
  { month, tokens, limit }: { month: string; tokens: number; limit: number | null },
): Promise<boolean> {
  const taken = await db.query(
    `insert into embedding_spending as spent (month, tokens)
     select $1, $2::bigint where $3::bigint is null or $2::bigint <= $3::bigint
     on conflict (month) do update set tokens = spent.tokens + excluded.tokens
     where $3::bigint is null or spent.tokens + excluded.tokens <= $3::bigint
     returning 1`,
    [month, tokens, limit],
  )
  return taken.length === 1
}

async function addTokens(db: Queryable, { month, tokens }: { month: string; tokens: number }): Promise<void> {
  await db.query(`update embedding_spending set tokens = greatest(0, tokens + $2) where month = $1`, [month, tokens])
}

async function readTokens(db: Queryable, month: string): Promise<bigint> {
  const [row] = await db.query<{ tokens: bigint }>(`select tokens from embedding_spending where month = $1`, [month])
  return row?.tokens ?? 0n
}

/** 40,000 vectors of 1,536 dimensions: what a catalog's names take to be fed again, and no disk full of old ones. */
const CACHE_BYTES_MAX = 256 * 1024 * 1024
/** Vectors that were written since the cache was last cut, by this process. */
const TRIM_AFTER_VECTORS = 2_000
/** Rows that one statement deletes. */
const TRIM_ROWS = 2_000
const FLOAT_BYTES = 4

/**
 * Vectors of one fingerprint by the SHA-256 (hex) of their text. What is beyond `bytesMax`, the oldest of all fingerprints
 * first, is deleted now and then: to within 2,000 vectors a process.
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
      // In one order, so that two processes that save the same cannot lock each other out.
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

/** Float32, little endian, as every machine that runs Node has it. */
function bytes(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
}

function floats(stored: Buffer): Float32Array {
  // Copied: a Buffer may begin at an address that floats cannot.
  return new Float32Array(new Uint8Array(stored).buffer)
}
