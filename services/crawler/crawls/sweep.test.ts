import { mkdir, mkdtempDisposable, readdir, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOUR_MS } from '@catalog/core/time.ts'
import { openSpool } from '@catalog/crawler/discover/spool.ts'
import { expect, test } from 'vitest'
import type { PastCrawl } from './past-crawls.ts'
import { sweepCrawls } from './sweep.ts'

test('sweeps idle spools and previews of more than a day, and keeps held ones', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'sweep-'))
  const now = new Date()
  const old = new Date(now.getTime() - 25 * HOUR_MS)
  const spoolOf = async (sourceId: string, crawlId: string, touched: Date) => {
    const at = join(folder.path, sourceId, crawlId)
    await using _ = await openSpool(at, { crawlId, sourceId, startedAt: old, digest: '', now: old })
    for (const path of [join(at, 'documents.jsonl'), at]) await utimes(path, touched, touched)
  }
  await spoolOf('shop', 'old', old)
  await spoolOf('shop', 'held', old)
  await spoolOf('shop', 'under-way', now)
  await mkdir(join(folder.path, '.preview-old'))
  await utimes(join(folder.path, '.preview-old'), old, old)
  await mkdir(join(folder.path, '.preview-new'))
  const held = { crawl_id: 'held' } as PastCrawl
  const pastCrawls = async () => ({ last: null, whole: null, fetched: null, held })
  await sweepCrawls({ crawlsDir: folder.path, pastCrawls, now: () => now })
  expect((await readdir(folder.path)).sort()).toEqual(['.preview-new', 'shop'])
  expect((await readdir(join(folder.path, 'shop'))).sort()).toEqual(['held', 'under-way'])
  await sweepCrawls({ crawlsDir: join(folder.path, 'none'), pastCrawls, now: () => now })
})
