import type { DatabaseSync } from 'node:sqlite'
import type { Downloads } from '@catalog/mirror/downloads.ts'
import { verifyCopy } from '@catalog/mirror/verify/copy.ts'
import { type Findings, openNotes } from '@catalog/mirror/verify/report.ts'
import fc from 'fast-check'

/** A row of a copy that rots on its disk. */
export type Rot = Readonly<{ row: number; place: number; what: 'state' | 'sha256' | 'bucket' | 'lost' }>

export const rot: fc.Arbitrary<Rot> = fc.record({
  row: fc.nat(),
  place: fc.nat(),
  what: fc.constantFrom('state', 'sha256', 'bucket', 'lost'),
})

/** Alters a row as a disk does; returns false for a copy without rows. */
export function rotRow(db: DatabaseSync, { row, place, what }: Rot): boolean {
  const rows = db.prepare('select id, bucket, sha256, state from items order by id').all() as Record<string, unknown>[]
  const found = rows[row % rows.length]
  if (found === undefined) return false
  const { id } = found as { id: string }
  if (what === 'lost') db.prepare('delete from items where id = ?').run(id)
  else if (what === 'bucket')
    db.prepare('update items set bucket = ? where id = ?').run(((found.bucket as number) + 1) % 256, id)
  else db.prepare(`update items set ${what} = ? where id = ?`).run(altered(found[what] as string, place), id)
  return true
}

function altered(text: string, place: number): string {
  const at = place % text.length
  return `${text.slice(0, at)}${text[at] === '0' ? '1' : '0'}${text.slice(at + 1)}`
}

/** What a verification of the copy finds. */
export async function verified(check: {
  url: string
  scope: string
  db: DatabaseSync
  downloads: Downloads
  now: () => Date
}): Promise<Findings> {
  const { db, now, ...place } = check
  const notes = openNotes()
  await verifyCopy({ ...place, into: db, parts: { now }, onProgress: () => {}, notes })
  return notes.report()
}
