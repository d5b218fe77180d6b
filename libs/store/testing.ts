import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '@catalog/store/embedded/embedded.ts'
import { copyTemplate, ensureTemplate } from '@catalog/store/embedded/template.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import type { Store } from './db.ts'

/** A migrated, empty embedded store in a temporary folder that goes with it. */
export async function openTestStore(): Promise<Store> {
  const dir = await testDataDir()
  const embedded = await openEmbedded({ dir })
  await migrate(embedded.store)
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
  await ensureTemplate()
  const dir = mkdtempSync(join(tmpdir(), 'catalog-test-'))
  copyTemplate(dir)
  return dir
}
