import { instant } from '@catalog/core/time.ts'
import type { Queryable } from '@catalog/store/db.ts'

/** What the catalog said of an item at past instants, from the changes that retention kept. */

/** `run`: the last finished run up to the instant; null before the first. */
export type StateAt = Readonly<{ run: Readonly<{ run_id: string; as_of: string }> | null }> &
  (
    | Readonly<{ kind: 'active'; state: string }>
    /** Not yet published. */
    | Readonly<{ kind: 'absent' }>
    /** Published, and left: merged into another item, or no longer sold (null). */
    | Readonly<{ kind: 'left'; mergedInto: string | null }>
    /** Retention dropped the change that tells it. */
    | Readonly<{ kind: 'not_kept' }>
  )

type Row = Readonly<{
  run_id: string | null
  as_of: string | null
  mark: bigint
  floor: bigint
  seq: bigint | null
  op: string | null
  state: string | null
  merged_into: string | null
  /** Whether a later change of the item is kept up to the floor. */
  has_later: boolean
  first_version: number | null
}>

/**
 * The states of an item at these instants (null: now), in their order; undefined for an item that no kept change names.
 *
 * Law: a state is the newest change up to the mark of the last run up to the instant. Retention keeps the newest change
 * of each item up to the floor and all after it, so that below the floor only that one is known to be the newest.
 */
export async function readInstantStates(
  db: Queryable,
  { itemId, instants }: { itemId: string; instants: readonly (string | null)[] },
): Promise<readonly StateAt[] | undefined> {
  const rows = await db.query<Row>(
    `with floors as (select coalesce(max(floor), 0) as floor from feed_floors where scope = 'items'),
     asked as (
       select place, run.run_id, run.as_of, coalesce(run.seq, 0) as mark
         from unnest($2::timestamptz[]) with ordinality as asked (at, place)
         left join lateral (
           select run_id, as_of, seq from run_marks where asked.at is null or as_of <= asked.at
            order by "offset" desc limit 1) run on true
     )
     select asked.run_id, asked.as_of, asked.mark, floors.floor, c.seq, c.op, c.state, c.merged_into,
       coalesce((select true from changes later where later.item_id collate "C" = $1 and later.seq > c.seq
                    and later.seq <= floors.floor limit 1), false) as has_later,
       (select version from changes where item_id collate "C" = $1 order by item_id collate "C", seq limit 1) as first_version
     from asked cross join floors
     left join lateral (
       select seq, op, state, merged_into from changes where item_id collate "C" = $1 and seq <= asked.mark
        order by item_id collate "C" desc, seq desc limit 1) c on true
     order by place`,
    [itemId, instants],
  )
  return rows[0]?.first_version == null ? undefined : rows.map(stateOf)
}

function stateOf({ run_id, as_of, mark, floor, seq, op, state, merged_into, has_later, first_version }: Row): StateAt {
  const run = run_id === null || as_of === null ? null : { run_id, as_of: instant(new Date(as_of)) }
  // The first version of an item has no earlier change that could have been dropped.
  if (seq === null) return { run, kind: mark >= floor || first_version === 1 ? 'absent' : 'not_kept' }
  if (mark < floor && has_later) return { run, kind: 'not_kept' }
  return op === 'upsert' && state !== null
    ? { run, kind: 'active', state }
    : { run, kind: 'left', mergedInto: merged_into }
}

/** The instant from which every state is kept; null: retention has dropped none. */
export async function readKeptSince(db: Queryable): Promise<string | null> {
  const [row] = await db.query<{ as_of: string | null }>(
    `select (select as_of from run_marks where seq >= floor order by "offset" limit 1) as as_of
     from feed_floors where scope = 'items' and floor > 0`,
  )
  return row?.as_of == null ? null : instant(new Date(row.as_of))
}
