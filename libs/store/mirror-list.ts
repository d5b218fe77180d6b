import { readMeta, saveMeta } from './checkpoints.ts'
import type { Queryable } from './db.ts'

/**
 * How the operator's mirrors stood when one process of the catalog last asked them, for all processes: one fact of the
 * database, replaced as a whole. Nothing is folded from it.
 */

/** Instants are ISO 8601 with Z. */
export type MirrorSeen = Readonly<{
  /** As the operator writes it. */
  url: string
  /** Null before its first answer. */
  gen: string | null
  /** The scopes that it holds, `items` first. */
  scopes: readonly string[]
  /** Changes that it lacks, of the scope that lacks most; null where it is of another generation, or never answered. */
  lag_changes: number | null
  /** Since when it lacks any; null while it lacks none, or nobody can tell. */
  behind_since: string | null
  /** The newest digest that it names, of its first scope; null without one. */
  digest: Readonly<{
    scope: string
    seq: number
    state_root: string
    /** Null where the catalog keeps no digest of that number any more. */
    is_equal: boolean | null
  }> | null
  /** When it last answered as the protocol says; null: never. */
  last_seen_at: string | null
  last_error: Readonly<{ at: string; details: string }> | null
}>

export type MirrorsSeen = Readonly<{ checked_at: string; mirrors: readonly MirrorSeen[] }>

const KEY = 'mirrors'

/** Undefined before the first check. */
export async function readMirrorsSeen(db: Queryable): Promise<MirrorsSeen | undefined> {
  const text = await readMeta(db, KEY)
  return text === undefined ? undefined : (JSON.parse(text) as MirrorsSeen)
}

export async function saveMirrorsSeen(db: Queryable, seen: MirrorsSeen): Promise<void> {
  await saveMeta(db, KEY, JSON.stringify(seen))
}
