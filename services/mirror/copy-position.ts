import type { DatabaseSync } from 'node:sqlite'
import { inTransaction } from './copy-tables.ts'
import type { Position } from './feed-document.ts'
import type { Identity } from './identity.ts'

/** Where a copy stands, and whose it is: one row each in SQLite. */

export type CopyPosition = Position & {
  /** The largest head that the origin announced in this generation. */
  readonly head: number
  /** The last position whose root was proved equal to the origin's; null before the first proof of a generation. */
  readonly proved: Readonly<{ seq: number; root: string }> | null
}

/** Another process moved the copy since this one read its position. */
export class CopyMoved extends Error {
  override name = 'CopyMoved'
}

export function openPosition(db: DatabaseSync) {
  const select = db.prepare('select gen, seq, chain, head, proved_seq, proved_root from position')
  const restart = db.prepare(
    'update position set gen = ?, seq = ?, chain = ?, head = 0, proved_seq = null, proved_root = null',
  )
  const move = db.prepare('update position set seq = ?, chain = ?')
  const raiseHead = db.prepare('update position set head = max(head, ?)')
  const prove = db.prepare('update position set proved_seq = ?, proved_root = ? where gen = ? and seq = ?')

  const read = (): CopyPosition | null => {
    const { gen, seq, chain, head, proved_seq, proved_root } = select.get() as PositionRow
    if (gen === null) return null
    const proved = proved_seq === null ? null : { seq: proved_seq, root: proved_root as string }
    return { gen, seq, chain, head, proved }
  }
  return {
    read,
    /** Throws CopyMoved when the copy is elsewhere. */
    require(at: Position | null) {
      const now = read()
      if (now?.gen === at?.gen && now?.seq === at?.seq && now?.chain === at?.chain) return
      throw new CopyMoved(`another process moved the copy from seq ${at?.seq}: run it again`)
    },
    /** Moves to a position whose generation has proved nothing yet. */
    restart({ gen, seq, chain }: Position) {
      restart.run(gen, seq, chain)
    },
    move({ seq, chain }: Position) {
      move.run(seq, chain)
    },
    raiseHead(head: number) {
      raiseHead.run(head)
    },
    prove({ gen, seq }: Position, root: string) {
      prove.run(seq, root, gen, seq)
    },
  }
}

type PositionRow = Readonly<{
  gen: string | null
  seq: number
  chain: string
  head: number
  proved_seq: number | null
  proved_root: string | null
}>

/** Null before the origin proved whose the copy is. */
export type IdentityStore = Readonly<{ read: () => Identity | null; save: (identity: Identity) => void }>

export function openIdentity(db: DatabaseSync): IdentityStore {
  const find = db.prepare('select catalog, signed_by, generated_at, valid_until from identity')
  const keys = db.prepare('select key_id as id, public_key from trusted_keys')
  const forget = () => db.exec('delete from identity; delete from trusted_keys')
  const insert = db.prepare('insert into identity values (?, ?, ?, ?)')
  const insertKey = db.prepare('insert into trusted_keys values (?, ?)')
  return {
    read() {
      const row = find.get() as Record<'catalog' | 'signed_by' | 'generated_at' | 'valid_until', string> | undefined
      if (row === undefined) return null
      const trusted = keys.all() as { id: string; public_key: string }[]
      return {
        catalog: row.catalog,
        keys: new Map(trusted.map(({ id, public_key }) => [id, public_key])),
        signedBy: row.signed_by.split(' '),
        generatedAt: row.generated_at,
        validUntil: row.valid_until,
      }
    },
    save: ({ catalog, keys, signedBy, generatedAt, validUntil }) =>
      inTransaction(db, () => {
        forget()
        insert.run(catalog, signedBy.join(' '), generatedAt, validUntil)
        for (const [id, publicKey] of keys) insertKey.run(id, publicKey)
      }),
  }
}
