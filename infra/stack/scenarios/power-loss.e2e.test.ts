import { closeSync, fsyncSync, openSync, readFileSync, statfsSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { addressOf, answerOf, startCatalog } from '@catalog/stack/servers/command.ts'
import { diskAvailable, openDisk } from '@catalog/stack/servers/disk.ts'
import { untilHolds } from '@catalog/stack/servers/machine.ts'
import { describe, expect, test } from 'vitest'

const missing = diskAvailable()
if (missing !== null) process.stderr.write(`skipped: the suite on power loss: ${missing}\n`)

const DISK_MEGABYTES = 512
const ROWS_A_LIST = 300
const LISTS = 2

type Status = { counts: { observations: number }; seq: number }
type Mirrored = { scopes: { items: { seq: number; applied: number; root: string } } }

/** Crawls the n-th list, of articles that no other list has. */
async function crawl(data: string, n: number) {
  const list = `${data}-${n}.csv`
  const rows = Array.from({ length: ROWS_A_LIST }, (_, i) => `R${n}-${i},Spare part ${n}x${i},u,${n + 1}.${10 + i}`)
  writeFileSync(list, `ref,name,unit,price\n${rows.join('\n')}\n`)
  const asked = '--source Northern --region ES --currency EUR --observed-at 2026-11-20'.split(' ')
  await answerOf(['crawl', list, ...asked], { data, createsStore: true })
}
const STATES = 3
const CRAWL_PATIENCE = { timeoutMs: 120_000, pollMs: 50 }
const freeBlocks = (path: string) => statfsSync(path).bfree
const statusOf = async (data: string) => (await answerOf(['status'], { data })) as Status

describe.skipIf(missing !== null)(missing ?? 'a power failure', () => {
  test('takes from this disk what no program synced, and nothing else', () => {
    using disk = openDisk(DISK_MEGABYTES)
    const [synced, unsynced] = ['synced', 'unsynced'].map((name) => openSync(join(disk.path, name), 'w'))
    for (const file of [synced, unsynced] as number[]) writeSync(file, 'facts')
    fsyncSync(synced as number)
    using after = disk.afterPowerLoss()
    expect(readFileSync(join(after.path, 'synced'), 'utf8')).toBe('facts')
    expect(readFileSync(join(after.path, 'unsynced'), 'utf8')).toBe('')
    for (const file of [synced, unsynced] as number[]) closeSync(file)
  })

  test('loses no acknowledged observation or run of the embedded store, from its first start on', async () => {
    using disk = openDisk(DISK_MEGABYTES)
    const data = join(disk.path, 'data')
    for (let n = 0; n < LISTS; n++) {
      await crawl(data, n)
      if (n === LISTS - 1) await answerOf(['aggregate', '--as-of', '2026-11-21'], { data })
      const before = await statusOf(data)
      using after = disk.afterPowerLoss()
      const found = await statusOf(join(after.path, 'data'))
      expect([found.counts.observations, found.seq]).toEqual([(n + 1) * ROWS_A_LIST, before.seq])
      expect(await answerOf(['verify'], { data: join(after.path, 'data') })).toMatchObject({ ok: true })
    }
  })

  test('at any moment of a crawl leaves a store that opens, holds what was acknowledged, and goes on', async () => {
    using disk = openDisk(DISK_MEGABYTES)
    const data = join(disk.path, 'data')
    await crawl(data, 0)
    const states: (Disposable & { path: string })[] = []
    using stack = new DisposableStack()
    let isCrawling = true
    const crawling = crawl(data, 1).finally(() => {
      isCrawling = false
    })
    // The space in use tells that the crawl goes on to write.
    for (let free = -1; states.length < STATES; free = freeBlocks(disk.path)) {
      await untilHolds('the crawl writes', () => !isCrawling || freeBlocks(disk.path) !== free, CRAWL_PATIENCE)
      if (!isCrawling) break
      states.push(stack.use(disk.afterPowerLoss()))
    }
    await crawling
    expect(states.length).toBeGreaterThan(0)
    for (const { path } of states) {
      const found = join(path, 'data')
      expect((await statusOf(found)).counts.observations).toBeGreaterThanOrEqual(ROWS_A_LIST)
      await crawl(found, 1)
      expect((await statusOf(found)).counts.observations).toBe(2 * ROWS_A_LIST)
    }
  })

  test('takes nothing from a mirror that it said to have', async () => {
    using disk = openDisk(DISK_MEGABYTES)
    const data = join(disk.path, 'data')
    await crawl(data, 0)
    await answerOf(['aggregate', '--as-of', '2026-11-21'], { data })
    await using up = startCatalog(['up', '--json', '--port', '0'], { data })
    const mirror = async (into: string) =>
      ((await answerOf(['mirror', `${await addressOf(up)}/feeds`, '--into', into], { data })) as Mirrored).scopes.items
    const first = await mirror(join(disk.path, 'copy'))
    expect(first.applied).toBeGreaterThan(0)
    using after = disk.afterPowerLoss()
    expect(await mirror(join(after.path, 'copy'))).toMatchObject({ seq: first.seq, applied: 0 })
  })
})
