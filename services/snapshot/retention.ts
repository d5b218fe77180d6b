import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile, syncPath, writeDurably } from '@catalog/runtime/durable-files.ts'
import { deleteSnapshot, readSnapshots, type SnapshotRow } from '@catalog/store/catalog/snapshots.ts'
import type { Queryable } from '@catalog/store/db.ts'
import { indexJson } from './manifest.ts'

/** 'YYYY-MM' for the first snapshot of a month: a citable edition that is kept forever. */
export function editionOf(createdAt: string, rows: readonly SnapshotRow[]): string | null {
  const month = createdAt.slice(0, 7)
  return rows.some(({ edition }) => edition === month) ? null : month
}

/** Snapshots to delete, from a list with the newest first: all but editions and the newest `keep`, at least one. */
function expiredSnapshots(rows: readonly SnapshotRow[], keep: number): readonly SnapshotRow[] {
  return rows.filter(({ edition }) => edition === null).slice(Math.max(1, keep))
}

/**
 * Deletes expired snapshots and writes index.json. It removes the index entry first, then files, then the row, so that
 * the next run can finish a killed one. Answers the deleted addresses, GEN/SEQ.
 */
export async function applyRetention({
  store,
  folder,
  keep,
}: {
  store: Queryable
  folder: string
  keep: number
}): Promise<readonly string[]> {
  const rows = await readSnapshots(store)
  const expired = expiredSnapshots(rows, keep)
  await replaceFile(join(folder, 'index.json'), indexJson(rows.filter((row) => !expired.includes(row))))
  for (const row of expired) {
    await rm(join(folder, row.gen, String(row.seq)), { recursive: true, force: true })
    await deleteSnapshot(store, row)
  }
  return expired.map(({ gen, seq }) => `${gen}/${seq}`)
}

/** Name prefix of marks: the snapshot of this generation is written before anybody sees the generation. */
const UNANNOUNCED_PREFIX = '.unannounced-'

/** Marks the folder of a generation whose snapshot is written before its row can be seen. */
export async function markUnannounced(folder: string, gen: string): Promise<void> {
  await writeDurably(join(folder, `${UNANNOUNCED_PREFIX}${gen}`), '')
  await syncPath(folder)
}

/** Removes the marks, and the files of marked generations that never began: they have no row. */
export async function removeUnannounced(store: Queryable, folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(UNANNOUNCED_PREFIX))
  const rows = names.length === 0 ? [] : await readSnapshots(store)
  for (const name of names) {
    const gen = name.slice(UNANNOUNCED_PREFIX.length)
    if (rows.every((row) => row.gen !== gen)) await rm(join(folder, gen), { recursive: true, force: true })
    await rm(join(folder, name), { force: true })
  }
}
