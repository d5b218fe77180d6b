import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { openEmbedded } from '@catalog/store/embedded/embedded.ts'

/** Stores of released versions, small, as fixture.ts makes them. */
const FOLDER = join(import.meta.dirname, 'fixtures')
const STORE = '.sql.gz'

/** What `catalog status` of the release said of its store. */
type Holds = { version: string; seq: number; roots: { catalog: string; vendor: string }; counts: object }

/** The versions with a store here, newest first. */
export const releases = (): readonly string[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith(STORE))
    .map((file) => file.replace(STORE, ''))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))

/** The SQLite file of a mirror of the release's store; undefined where none was kept. */
export function readMirror(version: string): Buffer | undefined {
  const path = join(FOLDER, `${version}.mirror.gz`)
  return existsSync(path) ? gunzipSync(readFileSync(path)) : undefined
}

/** The tables of a release's store as SQL, and what they hold. */
export function readFixture(version: string): { sql: string; holds: Holds } {
  const sql = gunzipSync(readFileSync(join(FOLDER, version + STORE))).toString()
  return { sql, holds: JSON.parse(sql.slice('-- '.length, sql.indexOf('\n'))) as Holds }
}

/** Fills the embedded store of a folder with the tables, in the place of any that it has. */
export async function loadEmbedded(sql: string, dir: string): Promise<void> {
  await using embedded = await openEmbedded({ dir })
  await embedded.store.query(`drop schema if exists catalog, catalog_live cascade; ${sql}`)
}
