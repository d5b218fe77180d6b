import { addIndexes, type Tables } from '@catalog/replica/tables.ts'
import { readFeedState } from '@catalog/store/catalog/feeds.ts'
import { type CatalogVersion, readCatalogVersion } from '@catalog/store/catalog/queries.ts'
import type { Store } from '@catalog/store/db.ts'
import { digestsAfter, numbersAfter } from '@catalog/store/replica/feeds.ts'
import {
  basesFrom,
  changesAfter,
  countItemRows,
  itemsAfter,
  newCategories,
  pointsSince,
  type ReplicatedBasis,
  runsFrom,
} from '@catalog/store/replica/items.ts'
import { readReplicatedSources, readSkus, skusOfSources, skusTouchedSince } from '@catalog/store/replica/prices.ts'
import { lastNumbers, writeChanges, writeDigests, writeFeedState, writeNumbers } from './feeds.ts'
import { offsetsOf, writePosition } from './position.ts'
import {
  staleSources,
  writeBases,
  writeCategories,
  writeItems,
  writePoints,
  writeRuns,
  writeSkus,
  writeSources,
} from './write.ts'

/**
 * Copies the public catalog from the store. Law: what a statement reads is at least as new as the version that was read
 * before it, so after a pass no row is older than the version. All rows of a pass become visible in one transaction, but for
 * a pass that exceeds {@link ROWS_MAX}: its changes become visible in the order of the feed, each with the basis of its item.
 */

/** Rows of one read; writing them takes some 30 ms, for which the process answers nobody. */
const ROWS_MAX = 1_000

/** Items that were copied, of all. */
export type Filling = Readonly<{ items: number; of: number }>

/** A pass from a position to a version of the same generation and build. */
export type Step = Readonly<{ store: Store; tables: Tables; version: CatalogVersion; signal: AbortSignal }>

/** Fills empty tables with everything. They have no position before that. */
export async function fill(step: Step, onProgress: (filling: Filling) => void): Promise<void> {
  const { store, tables, version, signal } = step
  // Nobody reads the file yet. One without a position is removed, and one that a power failure left is scrubbed first.
  tables.run('pragma synchronous = off')
  tables.get('pragma journal_mode = off')
  const of = await countItemRows(store)
  const sources = await readReplicatedSources(store)
  const runs = await runsFrom(store, 0n)
  tables.transaction(() => {
    writeSources(tables, sources)
    writeRuns(tables, runs)
  })
  let items = 0
  onProgress({ items, of })
  let page = itemPage(step, '')
  for (;;) {
    signal.throwIfAborted()
    const { rows, write } = await page
    const last = rows.at(-1)
    if (last === undefined) break
    // The store reads the next page while this one is written.
    page = itemPage(step, last.item_id)
    page.catch(() => {})
    tables.transaction(write)
    items += rows.length
    onProgress({ items, of })
  }
  addIndexes(tables)
  tables.get('pragma journal_mode = wal')
  // The fill may have read items newer than the version: this pass writes them again. It copies the feeds from the beginning.
  await follow(step, { ...version, seq: -1n, bulk: '' }, version.seq)
  tables.run('pragma synchronous = normal')
}

async function itemPage(step: Step, after: string) {
  const rows = await itemsAfter(step.store, { after, limit: ROWS_MAX })
  const writeDetails = await detailsOf(step, rows, null)
  const write = () => {
    writeItems(step.tables, rows)
    writeDetails()
  }
  return { rows, write }
}

/** Brings the tables from their position to the version. The items have their changes up to the number `known` already. */
export async function follow(step: Step, from: CatalogVersion, known = from.seq): Promise<void> {
  const { store, tables, version } = step
  const [old, now] = [offsetsOf(from), offsetsOf(version)]
  const writes: (() => void)[] = []
  const isSameFeeds = from.seq === version.seq && from.bulk === version.bulk && from.floors === version.floors
  if (!isSameFeeds || now.items !== old.items) writes.push(await feeds(step, from))
  if (now.items !== old.items || from.seq !== version.seq) {
    const runs = await runsFrom(store, old.items)
    const takenBack = runs.filter(({ gone_from }) => gone_from !== null)
    tables.transaction(() => writeRuns(tables, takenBack))
    const last = tables.get<{ as_of: string }>('select as_of from runs order by offset desc limit 1')
    const since = takenBack.length > 0 ? null : (last?.as_of ?? null)
    // An item that changes between the two reads is left to the second one.
    writes.push(await bases(step, { from: old.items, known, since }))
    writes.push(await changes(step, { after: from.seq, known, since }))
    const count = tables.get<{ count: number }>('select count(*) as count from categories')?.count ?? 0
    const categories = await newCategories(store, count)
    writes.push(() => {
      writeRuns(
        tables,
        runs.filter(({ gone_from }) => gone_from === null),
      )
      writeCategories(tables, categories ?? [])
    })
  }
  writes.push(await vendorPrices(step, { old, now }))
  await requireSameTables(step)
  tables.transaction(() => {
    for (const write of writes) write()
    writePosition(tables, version)
  })
}

type Offsets = ReturnType<typeof offsetsOf>

/** Writes all but the last of the prices that changed between two positions of the log, and returns the write of those. */
async function vendorPrices(step: Step, { old, now }: { old: Offsets; now: Offsets }): Promise<() => void> {
  const { store, tables, signal } = step
  const sources = now.decisions === old.decisions ? [] : await readReplicatedSources(store)
  const stale = staleSources(tables, sources)
  const touched = await skusTouchedSince(store, old.observations)
  if (stale.length > 0) touched.push(...(await skusOfSources(store, stale)))
  const shown = touched.filter((sku) => tables.get('select 1 from item_skus where vendor_sku_id = ? limit 1', sku))
  let at = 0
  // Prices of vendors are no part of a publication, so that many of them need not become visible together.
  for (; at + ROWS_MAX < shown.length; at += ROWS_MAX) {
    signal.throwIfAborted()
    tables.transaction(await prices(step, shown.slice(at, at + ROWS_MAX)))
  }
  const last = await prices(step, shown.slice(at))
  return () => {
    last()
    writeSources(tables, sources)
  }
}

/** Throws when another generation or build took over meanwhile: what was read may be of that one. */
async function requireSameTables({ store, version }: Step): Promise<void> {
  const { gen, build } = await readCatalogVersion(store)
  if (gen !== version.gen || build !== version.build) {
    throw new Error(`generation ${gen}, build ${build} took over from ${version.gen}, ${version.build}`)
  }
}

/** `since`: prices of earlier runs are there already; null: none is. */
type Known = Readonly<{ known: bigint; since: string | null }>

/** Writes all but the last of the changes after a number, and returns the write of those. */
async function changes(step: Step, { after, known, since }: Known & { after: bigint }): Promise<() => void> {
  const { store, tables, signal } = step
  for (let seq = after; ; ) {
    signal.throwIfAborted()
    const rows = await changesAfter(store, { after: seq, known, limit: ROWS_MAX })
    const writeDetails = await detailsOf(
      step,
      rows.filter((row) => row.basis !== null),
      since,
    )
    const write = () => {
      writeItems(
        tables,
        rows.filter(({ seq }) => seq > known),
      )
      writeDetails()
      writeChanges(tables, rows)
    }
    if (rows.length < ROWS_MAX) return write
    tables.transaction(write)
    seq = rows.at(-1)?.seq as bigint
  }
}

/** The write of everything that feeds show beside the changes. */
async function feeds(step: Step, { bulk }: CatalogVersion): Promise<() => void> {
  const { store, tables, version } = step
  const state = await readFeedState(store)
  const numbers = await scopeNumbers(step)
  const mark = BigInt(tables.get<{ mark: number | null }>('select max(mark) as mark from digests')?.mark ?? 0)
  const digests = bulk === version.bulk ? null : await digestsAfter(store, { gen: version.gen, mark })
  return () => {
    numbers()
    writeFeedState(tables, state)
    if (digests !== null) writeDigests(tables, digests)
  }
}

/** Writes all but the last of the numbers of all scopes, and returns the write of those. */
async function scopeNumbers({ store, tables, signal }: Step): Promise<() => void> {
  for (;;) {
    signal.throwIfAborted()
    const rows = await numbersAfter(store, { after: lastNumbers(tables), limit: ROWS_MAX })
    const write = () => writeNumbers(tables, rows)
    if (rows.length < ROWS_MAX) return write
    tables.transaction(write)
  }
}

/** The same for bases, with the points and prices of their items. */
async function bases(step: Step, { from, known, since }: Known & { from: bigint }): Promise<() => void> {
  const { store, tables, signal } = step
  for (let offset = from; ; ) {
    signal.throwIfAborted()
    const rows = await basesFrom(store, { from: offset, known, limit: ROWS_MAX })
    const write = await detailsOf(step, rows, since)
    if (rows.length < ROWS_MAX) return write
    tables.transaction(write)
    offset = (rows.at(-1)?.offset as bigint) + 1n
  }
}

async function detailsOf(step: Step, rows: readonly ReplicatedBasis[], since: string | null): Promise<() => void> {
  const { store, tables } = step
  if (rows.length === 0) return () => {}
  const [points, write] = await Promise.all([
    pointsSince(store, { itemIds: rows.map(({ item_id }) => item_id), since }),
    prices(step, [...new Set(rows.flatMap(({ vendor_sku_ids }) => vendor_sku_ids))]),
  ])
  return () => {
    writeBases(tables, rows)
    writePoints(tables, points)
    write()
  }
}

async function prices({ store, tables }: Step, vendorSkuIds: readonly string[]): Promise<() => void> {
  const skus = vendorSkuIds.length === 0 ? [] : await readSkus(store, vendorSkuIds)
  return () => writeSkus(tables, skus)
}
