import type { Queryable } from '@catalog/store/db.ts'

/** What a person said that a line of a list means: an item, or null for nothing of the catalog. */
export type LineCorrection = Readonly<{
  /** The words and numbers of the line: see lineKey. */
  text: string
  /** As written; empty: any unit. */
  unit: string
  /** Empty: any region. */
  region: string
  itemId: string | null
}>

/** Adds the corrections of a workspace, or replaces those of the same line. */
export async function saveCorrections(
  db: Queryable,
  { workspaceId, corrections, at }: { workspaceId: string; corrections: readonly LineCorrection[]; at: string },
): Promise<void> {
  await db.query(
    `insert into line_corrections (workspace_id, text, unit, region, item_id, saved_at)
     select $1, c.text, c.unit, c.region, c.item_id, $6
       from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as c (text, unit, region, item_id)
     on conflict (workspace_id, text, unit, region) do update set item_id = excluded.item_id, saved_at = excluded.saved_at`,
    [
      workspaceId,
      corrections.map(({ text }) => text),
      corrections.map(({ unit }) => unit),
      corrections.map(({ region }) => region),
      corrections.map(({ itemId }) => itemId),
      at,
    ],
  )
}

export async function countCorrections(db: Queryable, workspaceId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from line_corrections where workspace_id = $1`,
    [workspaceId],
  )
  return row?.count ?? 0
}

/** The corrections of a workspace for lines of these texts. */
export async function readCorrections(
  db: Queryable,
  { workspaceId, texts }: { workspaceId: string; texts: readonly string[] },
): Promise<readonly LineCorrection[]> {
  return db.query<LineCorrection>(
    `select text, unit, region, item_id as "itemId" from line_corrections
      where workspace_id = $1 and text = any ($2::text[])`,
    [workspaceId, texts],
  )
}

/** Forgets all corrections of a workspace; returns how many there were. */
export async function deleteCorrections(db: Queryable, workspaceId: string): Promise<number> {
  const rows = await db.query(`delete from line_corrections where workspace_id = $1 returning 1 as one`, [workspaceId])
  return rows.length
}
