import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bench, interleaved } from '@catalog/bench/harness/report.ts'
import { resultOf } from '@catalog/bench/harness/worker.ts'
import type { NightOrder } from '@catalog/bench/workload/aggregator.ts'
import {
  addPrices,
  makeVotedItems,
  nightAt,
  nightBySql,
  VENDORS_PER_ITEM,
} from '@catalog/bench/workload/voted-items.ts'
import { startPostgres } from '@catalog/stack/servers/postgres.ts'
import pg from 'pg'
import { SERVER_SETTINGS } from './project.ts'

/** `--items N` takes another number of items. */
export const mediansBench: Bench = {
  title: 'a night of all medians, and one of 2 % of them, beside one SQL window query that writes the same rows',
  async run(say, { isBrief = false, items: [items = isBrief ? BRIEF_ITEMS : ITEMS] = [] } = {}) {
    await using server = await startPostgres(SERVER_SETTINGS)
    using folder = mkdtempDisposableSync(join(tmpdir(), 'bench-medians-'))
    await makeVotedItems(server.url, 'matched', items)
    const night = (database: string, number: number) => {
      const order: NightOrder = { url: at(server.url, database), dataDir: folder.path, asOf: nightAt(number) }
      return resultOf<number>(AGGREGATOR, order)
    }
    await anew(server.url, 'published')
    await night('published', 0)
    let last = 0
    const ms = await interleaved(
      {
        async all() {
          await anew(server.url, 'all_items')
          return await night('all_items', 0)
        },
        async sql() {
          await anew(server.url, 'by_sql')
          const begun = performance.now()
          await nightBySql(at(server.url, 'by_sql'), nightAt(0))
          return performance.now() - begun
        },
        async few() {
          last += 1
          await addPrices(at(server.url, 'published'), { night: last, every: DIRTY_EVERY })
          return await night('published', last)
        },
      },
      { isBrief },
    )
    const [size, beside] = [
      `${items} items of ${VENDORS_PER_ITEM} vendors`,
      'one SQL window query that writes the rows of all',
    ]
    say(`${size}: all ${Math.round(ms.all)} ms, 2 % ${Math.round(ms.few)} ms, by SQL ${Math.round(ms.sql)} ms`)
    return [
      { stage: `a night of all ${size}`, beside, oursMs: ms.all, besideMs: ms.sql, ratioMax: 1 },
      { stage: `a night of 2 % of ${size}`, beside, oursMs: ms.few, besideMs: ms.sql, ratioMax: 0.05 },
    ]
  },
}

const ITEMS = 200_000
const BRIEF_ITEMS = 500
const DIRTY_EVERY = 50
const AGGREGATOR = new URL('../workload/aggregator.ts', import.meta.url)
const at = (url: string, database: string) => url.replace(/[^/]*$/, database)

/** A database as the matcher left it. */
async function anew(url: string, database: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`drop database if exists ${database}`)
  await client.query(`create database ${database} template matched`)
  await client.query('checkpoint')
  await client.end()
}
