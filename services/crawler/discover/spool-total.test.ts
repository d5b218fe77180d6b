import { mkdtempDisposable, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSpool, type Spool } from './spool.ts'
import { SpoolTotal } from './spool-total.ts'

const NOW = new Date('2026-01-30T04:30:00Z')
const HUNDRED = 'x'.repeat(100)

async function fill(spool: Spool): Promise<void> {
  const file = spool.next()
  await writeFile(file, HUNDRED)
  const url = `https://shop.example/${file}`
  const found = { file, url, name: url, contentType: null, charset: null, fetchedAt: '2026-01-30T04:31:00Z' }
  const told = { etag: null, lastModified: null, robotsTag: null, nextLink: null, format: null, records: null }
  await spool.add({ kept: 'document', asked: url, ...found, ...told, expectsOffer: true, bytes: 100, sha256: 'f' })
}

test('bounds all spools together: those that grow here, those of other processes, and those that lie', async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), 'spools-'))
  const open = (sourceId: string, total: SpoolTotal) => {
    const folder = join(dir.path, sourceId, 'crawl-1')
    return openSpool(folder, { crawlId: 'crawl-1', sourceId, startedAt: NOW, digest: 'd', now: NOW, total })
  }
  // given: a spool of 100 bytes of another process, and one of this
  await using theirs = await open('theirs', new SpoolTotal(dir.path, 1_000))
  await fill(theirs)
  const total = new SpoolTotal(dir.path, 1_000)
  await using one = await open('one', total)
  expect(one.room).toBe(900)
  await fill(one)
  // when: another one grows beside it
  const two = await open('two', total)
  await fill(two)
  await fill(two)
  // then: both have the same room, and the full total says so
  expect([one.room, two.room]).toEqual([600, 600])
  for (let n = 0; n < 6; n++) await fill(two)
  expect([one.room, two.room]).toEqual([0, 0])
  expect(one.limit).toMatch(/^the spools of all sources exceed 1000 bytes, expected .*catalog sources/)
  // when: that crawl ends, and its spool goes before the next one begins
  await two[Symbol.asyncDispose]()
  expect(one.room).toBe(0)
  await rm(two.folder, { recursive: true })
  await using three = await open('three', total)
  expect(three.room).toBe(800)
})

test('leaves a crawl its own bound, and says which one is full', async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), 'spools-'))
  const head = { crawlId: 'crawl-1', sourceId: 'one', startedAt: NOW, digest: 'd', now: NOW }
  const total = new SpoolTotal(dir.path, 1_000)
  await using spool = await openSpool(join(dir.path, 'one', 'crawl-1'), { ...head, bytesMax: 150, total })
  await fill(spool)
  expect(spool.room).toBe(50)
  await fill(spool)
  expect([spool.room, spool.limit]).toEqual([-50, 'the crawl exceeds 150 bytes, expected at most that many'])
})
