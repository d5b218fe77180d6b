import { chainStart } from '@catalog/core/changes/change.ts'
import { type DigestAt, digestDocument } from '@catalog/core/changes/digest-document.ts'
import { SCOPES } from '@catalog/core/changes/protocol.ts'
import type { DigestItem, ScopeDigest } from '@catalog/core/changes/scope-digests.ts'
import { ScopeDigests } from '@catalog/core/changes/scope-digests.ts'
import { type Signed, type Signer, signedBy } from '@catalog/core/changes/signature.ts'
import { type Queryable, rowsParameter, type Store, type Transaction } from '@catalog/store/db.ts'
import { openSigner } from '@catalog/store/feed-keys.ts'

/**
 * The public catalog at a mark, read from `changes`: the newest change of each item up to the mark. Changes up to a
 * mark never change. So a pass is many short reads and no transaction, which would block all other clients of the
 * embedded store.
 */

/** One chunk takes 20 to 30 ms, for which readers of an embedded store wait. */
const CHUNK_ITEMS = 1_000
/** Digests kept per generation: a client that read `state.json` before a run still finds the digest it names. */
export const DIGESTS_KEPT = 30

/** The newest mark, and whether its digest exists. Undefined before the first run that published something. */
export async function readNewestMark(
  db: Queryable,
): Promise<{ readonly gen: string; readonly mark: bigint; readonly hasDigest: boolean } | undefined> {
  const [row] = await db.query<{ gen: string; mark: bigint; hasDigest: boolean }>(
    `select gen, mark, exists (select from digests d where d.gen = newest.gen and d.mark = newest.mark) as "hasDigest"
     from (select (select value from meta where key = 'gen') as gen, max(seq) as mark from run_marks) newest
     where mark > 0`,
  )
  return row
}

/** Reads keys and numbers first, from the index alone, and skips superseded changes. */
const newestChanges = (columns: string) => `
  with newest as (
    select item_id collate "C" as item_id, max(seq) as seq from changes
    where item_id collate "C" > $2 and seq <= $1 group by item_id collate "C" order by item_id collate "C" limit $3
  )
  select newest.item_id as id, changes.op, ${columns} from newest join changes using (seq)
  order by newest.item_id collate "C"`

/** The active items at the mark, in ascending byte order of their ids, in chunks. */
export async function* presentAt(db: Queryable, mark: bigint): AsyncGenerator<readonly DigestItem[]> {
  yield* chunksAt<DigestItem>(db, mark, `state_sha as sha, state::jsonb->'regions' as regions`)
}

/** The same items with their exact public bytes. */
export async function* statesAt(
  db: Queryable,
  mark: bigint,
): AsyncGenerator<readonly { readonly id: string; readonly state: string }[]> {
  yield* chunksAt<{ id: string; state: string }>(db, mark, 'state')
}

/** At most `limit` active items at the mark after an id, with their exact public bytes; `next`: where to continue. */
export async function readStatesAt(
  db: Queryable,
  { mark, after, limit }: { mark: bigint; after: string; limit: number },
): Promise<{
  readonly states: readonly { readonly id: string; readonly state: string }[]
  readonly next: string | null
}> {
  const rows = await db.query<{ id: string; op: string; state: string }>(newestChanges('state'), [mark, after, limit])
  const last = rows.length < limit ? undefined : rows.at(-1)
  return { states: rows.filter(({ op }) => op === 'upsert'), next: last?.id ?? null }
}

async function* chunksAt<Row extends { readonly id: string }>(
  db: Queryable,
  mark: bigint,
  columns: string,
): AsyncGenerator<readonly Row[]> {
  for (let after = ''; ; ) {
    const rows = await db.query<Row & { op: string }>(newestChanges(columns), [mark, after, CHUNK_ITEMS])
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows.filter(({ op }) => op === 'upsert')
    after = last.id
  }
}

type DigestOptions = Readonly<{ onProgress?: (items: number) => void; signal?: AbortSignal }>

/**
 * Computes and stores the digests of all scopes at a mark; `onProgress` gets the number of items read. Returns false
 * when the digests are stale: a new generation began meanwhile, or retention deleted changes up to the mark.
 */
export async function makeDigest(
  store: Store,
  { gen, mark }: { gen: string; mark: bigint },
  options: DigestOptions = {},
): Promise<boolean> {
  const digests = await digestsAt(store, mark, options)
  const signer = await openSigner(store)
  return store.transaction((tx) => saveDigests(tx, { gen, mark, digests, signer }))
}

/** Makes the digests of the newest mark within the transaction that begins a generation; none before the first mark. */
export async function digestNewGeneration(tx: Transaction): Promise<void> {
  const newest = await readNewestMark(tx)
  if (newest === undefined) return
  const signer = await openSigner(tx)
  await saveDigests(tx, { ...newest, digests: await digestsAt(tx, newest.mark), signer })
}

async function digestsAt(
  db: Queryable,
  mark: bigint,
  { onProgress, signal }: DigestOptions = {},
): Promise<readonly ScopeDigest[]> {
  const digests = new ScopeDigests()
  let items = 0
  for await (const chunk of presentAt(db, mark)) {
    signal?.throwIfAborted()
    for (const present of chunk) digests.add(present)
    items += chunk.length
    onProgress?.(items)
  }
  return digests.finish()
}

async function saveDigests(
  tx: Transaction,
  { gen, mark, digests, signer }: { gen: string; mark: bigint; digests: readonly ScopeDigest[]; signer: Signer },
): Promise<boolean> {
  const valid = await tx.query(
    `select from meta where key = 'gen' and value = $1
     and not exists (select from feed_floors where scope = 'items' and floor > $2)`,
    [gen, mark],
  )
  if (valid.length === 0) return false
  const known = await placesOf(tx, { gen, mark })
  await tx.query(
    `insert into digests (gen, mark, scope, seq, count, buckets, state_root, signed)
     select $1, $2, scope, seq, count, decode(buckets, 'hex'), state_root, signed
     from jsonb_to_recordset($3::jsonb)
       as batch (scope text, seq bigint, count bigint, buckets text, state_root text, signed jsonb)
     on conflict (gen, mark, scope) do nothing`,
    [
      gen,
      mark,
      rowsParameter(
        digests.map((digest) => {
          const { scope, count, buckets, stateRoot } = digest
          const { seq = 0n, signed } = known.get(scope) ?? {}
          return {
            scope,
            seq,
            count,
            state_root: stateRoot,
            buckets: Buffer.concat(buckets).toString('hex'),
            signed: signed === undefined ? signatureOf(signer, { gen, seq, ...digest }) : signed,
          }
        }),
      ),
    ],
  )
  await tx.query(
    `delete from digests where gen = $1 and mark < (
       select min(mark) from (select distinct mark from digests where gen = $1 order by mark desc limit $2) newest
     )`,
    [gen, DIGESTS_KEPT],
  )
  return true
}

/**
 * The number of each scope at a mark, with the signatures of a digest that is saved at it already, or null for one without: a
 * document keeps its bytes for ever. Scopes without a change stand at 0.
 */
async function placesOf(
  tx: Transaction,
  { gen, mark }: { gen: string; mark: bigint },
): Promise<ReadonlyMap<string, { seq: bigint; signed?: Signed | null }>> {
  // The row at a floor is kept, so every scope with a change up to the mark has one here.
  const rows = await tx.query<{ scope: string; seq: bigint; isSaved: boolean; signed: Signed | null }>(
    `select here.scope, here.seq, saved.gen is not null as "isSaved", saved.signed
     from (select s.scope, coalesce((select rseq from change_scopes c where c.scope = s.scope and c.seq <= $2
             order by rseq desc limit 1), 0) as seq from unnest($3::text[]) as s (scope)) here
     left join lateral (
       select d.gen, d.signed from digests d where d.gen = $1 and d.scope = here.scope and d.seq = here.seq
       order by d.mark limit 1
     ) saved on true`,
    [gen, mark, SCOPES],
  )
  return new Map(rows.map(({ scope, seq, isSaved, signed }) => [scope, isSaved ? { seq, signed } : { seq }]))
}

function signatureOf(signer: Signer, digest: Parameters<typeof digestDocument>[0]): Signed | null {
  const { catalog, signatures } = signedBy(signer, 'digest', digestDocument(digest))
  return catalog === undefined || signatures === undefined ? null : { catalog, signatures }
}

/** A digest as it was saved, with its signatures. */
export type SavedDigest = Pick<DigestAt, 'count' | 'buckets' | 'stateRoot'> & { readonly signed: Signed | null }

/** The state of a scope at a mark. */
export type ScopeAt = Readonly<{ scope: string; seq: bigint; chain: Buffer; count: number; stateRoot: string }>

/** All scopes at a mark, in the order of SCOPES; empty where the mark has no digest. */
export async function readScopesAt(
  db: Queryable,
  { gen, mark }: { gen: string; mark: bigint },
): Promise<readonly ScopeAt[]> {
  const rows = await db.query<Omit<ScopeAt, 'chain'> & { chain: Buffer | null }>(
    `select d.scope, d.seq, s.chain, d.count::float8 as count, d.state_root as "stateRoot"
     from digests d left join change_scopes s on s.scope = d.scope and s.rseq = d.seq
     where d.gen = $1 and d.mark = $2`,
    [gen, mark],
  )
  return rows
    .sort((a, b) => SCOPES.indexOf(a.scope) - SCOPES.indexOf(b.scope))
    .map((row) => ({ ...row, chain: row.chain ?? chainStart(gen, row.scope) }))
}
