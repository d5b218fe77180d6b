import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate, SCHEMA_SHA } from '@catalog/store/migrations/migrate.ts'
import { DATA_FOLDER, openEmbedded } from './embedded.ts'
import { syncPath, syncTree } from './synced-files.ts'

/**
 * An empty, migrated embedded store for copying. PGlite takes five seconds to create one, and a copy takes a fraction
 * of a second. `npm ci` runs this file, so that the first start is fast; without it the first start creates its own.
 */
const TEMPLATE = fileURLToPath(
  new URL(`../../../node_modules/.cache/catalog/store-${SCHEMA_SHA.slice(0, 16)}`, import.meta.url),
)

/** The data folder of the template, which it creates unless it exists; several processes may call it at once. */
export async function ensureTemplate(): Promise<string> {
  if (!existsSync(TEMPLATE)) await createTemplate()
  return join(TEMPLATE, DATA_FOLDER)
}

async function createTemplate(): Promise<void> {
  mkdirSync(dirname(TEMPLATE), { recursive: true })
  const making = mkdtempSync(`${TEMPLATE}-`)
  const embedded = await openEmbedded({ dir: making })
  await migrate(embedded.store)
  // Each copy creates its own generation and secret.
  await embedded.store.query('truncate meta')
  await embedded[Symbol.asyncDispose]()
  rmSync(join(making, 'lock'), { force: true })
  try {
    renameSync(making, TEMPLATE)
  } catch {
    // Another process was first; its template is equivalent.
    rmSync(making, { recursive: true, force: true })
  }
}

/** Copies the template, if there is one, into a folder without a store: completely or not at all. */
export function copyTemplate(dir: string): void {
  if (existsSync(join(dir, DATA_FOLDER)) || !existsSync(TEMPLATE)) return
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const copying = mkdtempSync(join(dir, 'copying-'))
  try {
    cpSync(join(TEMPLATE, DATA_FOLDER), join(copying, DATA_FOLDER), { recursive: true })
    // A power failure must find the whole copy below its name.
    syncTree(copying)
    renameSync(join(copying, DATA_FOLDER), join(dir, DATA_FOLDER))
    for (const named of [dir, dirname(dir)]) syncPath(named)
  } catch (error) {
    // Another process was first.
    if (!existsSync(join(dir, DATA_FOLDER))) throw error
  } finally {
    rmSync(copying, { recursive: true, force: true })
  }
}

if (import.meta.main) await ensureTemplate()
