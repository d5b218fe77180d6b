import { ScopeDigests } from '@catalog/core/changes/scope-digests.ts'
import { canonicalJson, type JsonValue } from '@catalog/core/digest.ts'
import { instant } from '@catalog/core/time.ts'
import { presentAt } from '@catalog/store/catalog/digests.ts'
import type { Queryable, Store } from '@catalog/store/db.ts'

/**
 * Monthly editions: the catalog at the end of the last run of each month, UTC. Law: once frozen, an edition never changes, and
 * every item of it can be read. The log alone decides it: a replay gives the same bytes and the same root.
 */

export type EditionRow = Readonly<{
  /** 'YYYY-MM'. */
  edition: string
  seq: bigint
  /** Exact bytes. */
  manifest: string
}>

/** The manifest; the names are part of its bytes. */
export type EditionManifest = Readonly<{
  edition: string
  id: string
  run_id: string
  as_of: string
  /** The method of pricing of the run; null where its start is not stored. */
  method: string | null
  seq: number
  count: number
  state_root: string
  /** SHA-256 of each bucket, hex, as in a digest of the feeds. */
  buckets: readonly string[]
  licence: Readonly<{ name: string; url: string | null }> | null
}>

/** A hundred years. */
const EDITIONS_MAX = 1_200

/** The newest first. */
export async function readEditions(db: Queryable): Promise<readonly EditionRow[]> {
  return db.query<EditionRow>(`select edition, seq, manifest from editions order by edition desc limit $1`, [
    EDITIONS_MAX,
  ])
}

export async function readEdition(db: Queryable, edition: string): Promise<EditionRow | undefined> {
  const [row] = await db.query<EditionRow>(`select edition, seq, manifest from editions where edition = $1`, [edition])
  return row
}

/** The exact public bytes of an item at the end of an edition, with their SHA-256; undefined where it was not public. */
export async function readEditionItem(
  db: Queryable,
  { seq, itemId }: { seq: bigint; itemId: string },
): Promise<{ readonly state: string; readonly sha: string } | undefined> {
  const [row] = await db.query<{ op: string; state: string; sha: string }>(
    `select op, state, encode(state_sha, 'hex') as sha from changes
      where item_id collate "C" = $1 and seq <= $2 order by item_id collate "C" desc, seq desc limit 1`,
    [itemId, seq],
  )
  return row?.op === 'upsert' ? { state: row.state, sha: row.sha } : undefined
}

type ClosedMonth = Readonly<{ edition: string; run_id: string; as_of: string; seq: bigint; method: string | null }>

/**
 * Freezes the months that ended: those with a run, after which a run of a later month ended. Skips a month whose changes
 * retention had dropped before. Returns the new editions. Any number of processes may run it at once, and the first one's
 * row stays.
 */
export async function freezeEditions(
  store: Store,
  { licence, signal }: { licence: EditionManifest['licence']; signal?: AbortSignal },
): Promise<readonly string[]> {
  const frozen: string[] = []
  for (const { edition, run_id, as_of, seq, method } of await closedMonths(store)) {
    const items = await itemsDigest(store, seq, signal)
    if (items === undefined) continue
    const manifest: EditionManifest = {
      edition,
      id: editionId(edition),
      run_id,
      as_of: instant(new Date(as_of)),
      method,
      seq: Number(seq),
      count: items.count,
      state_root: items.stateRoot,
      buckets: items.buckets.map((hash) => Buffer.from(hash).toString('hex')),
      licence,
    }
    const text = `${canonicalJson(manifest as unknown as JsonValue)}\n`
    if (await saveEdition(store, { edition, seq, manifest: text })) frozen.push(edition)
  }
  return frozen
}

/** The id of an edition, or of an item in it. */
export const editionId = (edition: string, itemId?: string): string =>
  itemId === undefined ? `ccc:${edition}` : `ccc:${edition}:${itemId}`

/** The root and buckets of all items at a mark, from the kept changes. */
export async function itemsDigest(store: Store, mark: bigint, signal?: AbortSignal) {
  const digests = new ScopeDigests()
  for await (const chunk of presentAt(store, mark)) {
    signal?.throwIfAborted()
    for (const present of chunk) digests.add(present)
  }
  return digests.finish().find(({ scope }) => scope === 'items')
}

async function closedMonths(db: Queryable): Promise<readonly ClosedMonth[]> {
  return db.query<ClosedMonth>(
    `with marks as (
       select *, to_char(as_of at time zone 'UTC', 'YYYY-MM') as edition from run_marks
     ), early as (
       -- What readers got because of a run that was taken back stays.
       select unnest(froze) as edition, "offset" from run_marks
     ), last as (
       select distinct on (edition) edition, run_id, as_of, seq from marks
       where taken_back is null and not exists (select from early e where e.edition = marks.edition and e."offset" < marks."offset")
       order by edition, "offset" desc
     )
     select edition, run_id, as_of, seq,
       (select payload::jsonb->>'method' from decisions where type = 'RunStarted' and subject = run_id limit 1) as method
     from last
     where seq > 0 and (edition < (select max(edition) from marks) or edition in (select edition from early))
       and seq >= coalesce((select floor from feed_floors where scope = 'items'), 0)
       and not exists (select from editions e where e.edition = last.edition)
     order by edition`,
  )
}

/**
 * Saves nothing, and answers false, where retention moved beyond the mark while the digest was made. Retention waits for
 * the lock of the floor, and so knows every edition whose mark it passes.
 */
async function saveEdition(store: Store, { edition, seq, manifest }: EditionRow): Promise<boolean> {
  return store.transaction(async (tx) => {
    await tx.query(`insert into feed_floors (scope, floor) values ('items', 0) on conflict do nothing`)
    const [held] = await tx.query<{ floor: bigint }>(`select floor from feed_floors where scope = 'items' for update`)
    if (held === undefined || held.floor > seq) return false
    await tx.query(
      `insert into editions (edition, seq, manifest) values ($1, $2, $3) on conflict (edition) do nothing`,
      [edition, seq, manifest],
    )
    return true
  })
}
