import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store } from '@catalog/store/db.ts'
import { servedSchemaOf } from '@catalog/store/db.ts'
import { DATA_FOLDER, takeLock } from '@catalog/store/embedded/embedded.ts'
import { makePrivate } from '@catalog/store/embedded/private-folder.ts'
import { syncPath, syncTree } from '@catalog/store/embedded/synced-files.ts'

/** There is something that a restore would overwrite, or somebody has it open. */
class Occupied extends Error {
  override name = 'Occupied'
}

/**
 * Puts the data folder of a backup in the place of an embedded store's: whole or not at all. A store that is there is moved
 * to the folder `aside`; without one it stays, and Occupied is thrown. So it is where a process has the folder open.
 */
export async function restoreEmbedded({
  dir,
  from,
  aside,
}: {
  dir: string
  from: string
  aside: string | null
}): Promise<void> {
  makePrivate(dir)
  const lock = takeLock(dir)
  if (lock === undefined) throw new Occupied(`${dir} is open in another process: expected none. Stop it first`)
  try {
    const place = join(dir, DATA_FOLDER)
    const isTaken = existsSync(place)
    if (isTaken && aside === null) {
      throw new Occupied(
        `${dir} has a store already: expected an empty folder. Name another one with --data, or move this one aside with --replace`,
      )
    }
    const copying = await mkdtemp(join(dir, 'restoring-'))
    try {
      await cp(join(from, DATA_FOLDER), join(copying, DATA_FOLDER), { recursive: true })
      syncTree(copying)
      if (isTaken && aside !== null) await rename(place, join(dir, aside))
      await rename(join(copying, DATA_FOLDER), place)
      syncPath(dir)
    } finally {
      await rm(copying, { recursive: true, force: true })
    }
  } finally {
    lock.close()
  }
}

/** Throws Occupied where the database has one of the schemas that a restore creates. */
export async function expectNoCatalog(store: Store): Promise<void> {
  const found = await store.query<{ name: string }>(
    `select nspname as name from pg_namespace where nspname = any($1) order by 1`,
    [[store.schema, servedSchemaOf(store.schema)]],
  )
  if (found.length === 0) return
  throw new Occupied(
    `the database has the schema ${found.map(({ name }) => name).join(' and ')} already: expected an empty one. Create another ` +
      'with createdb, and name it in DATABASE_URL',
  )
}

/** Ends what a dump names and does not hold: builds beside the served one, whose tables a replay fills from the log. */
export async function dropAbsentBuilds(store: Store): Promise<void> {
  await store.query(`delete from ${store.schema}.builds where state <> 'served'`)
}

/** An empty database beside the one of the store, for a trial; it goes when this is disposed of. */
export async function openScratchDatabase(store: Store): Promise<AsyncDisposable & Readonly<{ name: string }>> {
  const name = `catalog_scratch_${randomBytes(6).toString('hex')}`
  await store.query(`create database ${name}`).catch((cause: Error) => {
    throw new Error(
      'no database for a trial can be made here: expected the right to create one, or an empty one by --scratch',
      { cause },
    )
  })
  return {
    name,
    async [Symbol.asyncDispose]() {
      await store.query(`drop database ${name} with (force)`)
    },
  }
}
