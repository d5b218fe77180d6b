import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { deleteSnapshot, readSnapshots, type SnapshotRow } from '@catalog/store/catalog/snapshots.ts'
import type { Store } from '@catalog/store/db.ts'
import { replaceDurably } from './durable-files.ts'
import { indexJson } from './manifest.ts'

/** 'YYYY-MM' when no snapshot of that month is there yet: it is an edition, to be cited, and is kept for ever. */
export function editionOf(createdAt: string, rows: readonly SnapshotRow[]): string | null {
  const month = createdAt.slice(0, 7)
  return rows.some(({ edition }) => edition === month) ? null : month
}

/** Of snapshots, the newest first, those that go: no editions, and older than the newest `keep`, of which the first always stays. */
function expiredSnapshots(rows: readonly SnapshotRow[], keep: number): readonly SnapshotRow[] {
  return rows.filter(({ edition }) => edition === null).slice(Math.max(1, keep))
}

/**
 * Lets go of the snapshots that are too many, and writes index.json. First nobody is sent there any more, then the files go,
 * then the row: a killed run is taken up again by the next one. Answers their addresses, GEN/SEQ.
 */
export async function applyRetention({
  store,
  folder,
  keep,
}: {
  store: Store
  folder: string
  keep: number
}): Promise<readonly string[]> {
  const rows = await readSnapshots(store)
  const expired = expiredSnapshots(rows, keep)
  await replaceDurably(folder, 'index.json', indexJson(rows.filter((row) => !expired.includes(row))))
  for (const row of expired) {
    await rm(join(folder, row.gen, String(row.seq)), { recursive: true, force: true })
    await deleteSnapshot(store, row)
  }
  return expired.map(({ gen, seq }) => `${gen}/${seq}`)
}
