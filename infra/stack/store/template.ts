import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DATA_FOLDER, openEmbedded } from '@catalog/store/embedded/embedded.ts'
import { migrate, SCHEMA_SHA } from '@catalog/store/migrations/migrate.ts'

/**
 * An empty, migrated embedded store that tests copy: PGlite takes five seconds to create one, and a copy a fraction of a
 * second. It stays until the schema changes.
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

/** Copies the template, where there is one, into a folder without a store. Nothing is synced: no test cuts its power. */
export function copyTemplate(dir: string): void {
  if (existsSync(join(dir, DATA_FOLDER)) || !existsSync(TEMPLATE)) return
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  cpSync(join(TEMPLATE, DATA_FOLDER), join(dir, DATA_FOLDER), { recursive: true })
}
