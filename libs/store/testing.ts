import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sha256Hex } from '@catalog/core/digest.ts'
import type { Store } from './db.ts'
import { openEmbedded } from './embedded.ts'
import { migrate, SCHEMA_VERSION } from './migrate.ts'

/**
 * A migrated, empty embedded store in a temporary folder that goes with it. Making a new Postgres takes seconds, so one
 * is made per schema and machine, and copied.
 */
export async function openTestStore(): Promise<Store> {
  const dir = await testDataDir()
  const embedded = await openEmbedded({ dir })
  return {
    ...embedded.store,
    async [Symbol.asyncDispose]() {
      await embedded[Symbol.asyncDispose]()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** A folder with a migrated, empty embedded store that nobody has open; the caller removes it. */
export async function testDataDir(): Promise<string> {
  const schemas = Array.from({ length: SCHEMA_VERSION }, (_, i) =>
    readFileSync(new URL(`./migrations/${String(i + 1).padStart(4, '0')}.sql`, import.meta.url), 'utf8'),
  )
  const template = join(tmpdir(), `catalog-template-${sha256Hex(schemas.join('\n')).slice(0, 16)}`)
  if (!existsSync(template)) {
    const making = mkdtempSync(join(tmpdir(), 'catalog-making-'))
    const embedded = await openEmbedded({ dir: making })
    await migrate(embedded.store)
    await embedded[Symbol.asyncDispose]()
    rmSync(join(making, 'lock'), { force: true })
    try {
      renameSync(making, template)
    } catch {
      // Another test process was first; its template is as good.
      rmSync(making, { recursive: true, force: true })
    }
  }
  const dir = mkdtempSync(join(tmpdir(), 'catalog-test-'))
  cpSync(template, dir, { recursive: true })
  return dir
}
