import type { CatalogEvent } from '@catalog/core/events/events.ts'
import { vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { openTableLog } from '@catalog/log/table.ts'
import { drain } from '@catalog/projector/pump.ts'
import { vendorProjection } from '@catalog/projector/vendor.ts'
import { liveThreeWeeks, liveWeek } from '@catalog/stack/path/history.ts'
import { openPath, type Path } from '@catalog/stack/path/path.ts'
import {
  event,
  indexPoint,
  itemsMerged,
  observation,
  observationRetracted,
  published,
  registration,
  sourceNamed,
} from '@catalog/stack/testing/events.ts'
import { beginGeneration } from '@catalog/store/catalog/generation.ts'
import { trimChanges } from '@catalog/store/catalog/retention.ts'
import type { Store } from '@catalog/store/db.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Verification, type VerifyOptions, verify, verifyCatalog } from './verify.ts'

const north = sourceNamed('Norte').id
const uno = observation({
  vendor: 'Uno',
  ref: 'X',
  name: 'Bitumen sheet',
  crawl: 'small',
  more: { category_path: ['Roof', 'Sheets'], edition: '2026' },
})
const dos = observation({ vendor: 'Dos', ref: 'Y', name: 'Copper gutter', crawl: 'small' })
const skuOf = ({ source, vendor_ref }: ObservationRecorded) => vendorSkuIdOf(source.id, vendor_ref)
const pair = (a: string, b: string): [string, string] => (a < b ? [a, b] : [b, a])

/** The events of crawls and people beside prices, once for each `time`. */
function said(time: number): CatalogEvent[] {
  const crawl_id = `said-${time % 3}`
  const parked = event({
    type: 'RecordParked',
    source_id: north,
    crawl_id,
    position: `norte.csv line ${time}`,
    reason: 'BAD_PRICE',
    detail: 'no number',
    raw: `row ${time}`,
  })
  const component = { position: 0, kind: 'labor' as const, vendor_ref: 'L1', name: 'Mason', unit: 'h' }
  return [
    parked,
    event({
      type: 'ParkedResolved',
      source_id: north,
      parked_id: parked.event_id,
      resolution: 'dropped',
      reason: 'noise',
    }),
    event({
      type: 'CrawlFinished',
      source_id: north,
      crawl_id,
      complete: true,
      read: 120 + time,
      appended: 120,
      duplicates: time,
      parked: 0,
      // Every other one has all optional fields, the rest only the required ones.
      ...(time % 2 === 0 && {
        outcome: 'held',
        started_at: '2026-01-05T01:00:00.250Z',
        partial: true,
        missed: time,
        etag: '"a"',
        problems: [{ code: 'NOT_FETCHED', detail: 'https://a.example: "status" 500,\nagain' }],
        health: { known: 9, vanished: 1, changed: 2, price_ratio: 1e-7, drift: 0.1, layout: { unit: 1, '10': 0.5 } },
      }),
    }),
    event({
      type: 'RecipeRecorded',
      source: sourceNamed('Norte'),
      vendor_ref: `R${time % 3}`,
      unit: 'u',
      crawl_id,
      declared_price: '12.50',
      currency: 'EUR',
      observed_at: '2026-01-05T00:00:00Z',
      position: `line ${time}`,
      components: [{ ...component, factor: '1', yield: '0.5', price: '20' }],
    }),
    indexPoint({ crawl_id, value: `${120 + time}`, period: `2026-0${1 + (time % 3)}` }),
    event({
      type: 'PairsProposed',
      decided_at: '2026-01-06T00:00:00Z',
      rule_version: 'pair/1',
      pairs: [{ vendor_sku_ids: pair(skuOf(uno), skuOf(dos)), score: 0.5 + time / 100, why: ['score'] }],
    }),
    event({
      type: 'SkusKeptApart',
      decided_at: '2026-01-06T00:00:00Z',
      reason: 'seen both',
      vendor_sku_ids: pair(skuOf(uno), vendorSkuIdOf(north, `R${time}`)),
    }),
    observationRetracted(north, {
      scope: 'observation',
      observation_id: observation({ vendor: 'Norte', ref: `T${time}` }).event_id,
    }),
    observation({ vendor: 'Norte', ref: `T${time}`, crawl: crawl_id }),
  ]
}

const itemOf = async ({ store }: Path, sku: string) =>
  (
    await store.query<{ id: string }>(
      `select item_id as id from memberships join vendor_skus using (sku) join item_keys using (item)
       where vendor_sku_id = $1`,
      [sku],
    )
  )[0]?.id as string

const merge = (from: string, into: string) => itemsMerged(from, into, '2026-02-01T00:00:00Z')

/** Fills every table. */
async function live(path: Path): Promise<void> {
  await liveThreeWeeks(path)
  await path.append([registration({ vendor: 'Uno' }), uno, dos, ...said(0), ...said(1)])
  await path.run('2026-02-01T00:00:00Z')
  const [first, second] = [await itemOf(path, skuOf(uno)), await itemOf(path, skuOf(dos))]
  const [other, another] = [
    await itemOf(path, vendorSkuIdOf(north, 'R1')),
    await itemOf(path, vendorSkuIdOf(north, 'R2')),
  ]
  // The second merge is refused: both items have a SKU of each vendor.
  await path.append([merge(second, first), merge(other, another)])
  const torn = { key: 'k', value: 'not json' }
  // The schema accepts it, and PostgreSQL refuses it.
  const refused = { key: 'k', value: JSON.stringify({ ...dos, event_id: 'zz', vendor_ref: 'Z' }) }
  await path.log.append(TOPICS.observations, [torn, refused])
  await path.run('2026-02-02T00:00:00Z')
}

const differences = ({ checks }: Verification) =>
  checks.flatMap(({ name, first_difference }) => (first_difference ? [`${name}: ${first_difference}`] : []))
const touched = ({ checks }: Verification) => checks.reduce((sum, { meanwhile }) => sum + meanwhile, 0)

/** A store in which something happens just before the first statement that matches. */
function interrupted(store: Store, at: RegExp, happens: () => Promise<unknown>): Store {
  let isOver = false
  return {
    ...store,
    async query(sql: string, parameters?: readonly unknown[]) {
      if (!isOver && at.test(sql)) {
        isOver = true
        await happens()
      }
      return store.query(sql, parameters)
    },
  } as Store
}

describe('verify', () => {
  let path: Path
  beforeAll(async () => {
    path = await openPath()
    await live(path)
  })
  afterAll(() => path[Symbol.asyncDispose]())

  test('agrees with tables that are the fold of the log, each with rows to compare', async () => {
    const found = await verifyCatalog(path)
    expect(differences(found)).toEqual([])
    expect(found.ok).toBe(true)
    expect(found.checks.filter(({ log, tables }) => log === '0' || log !== tables)).toEqual([])
    expect(found.positions['catalog.items']).toEqual({ 0: expect.stringMatching(/^[1-9]/) })
  })

  test('names a changed, deleted or added row of any table', async () => {
    const id = `(select min(item_id) from items where state = 'active')`
    const changed: Record<string, [sql: string, difference: RegExp]> = {
      observations: [
        `update observations set cents = cents + 1 where observation_id = decode('${uno.event_id}', 'hex')`,
        new RegExp(`^${uno.event_id}: the log gives source_id "\\S+", the tables source_id "\\S+", cents 101$`),
      ],
      deliveries: [
        `delete from redeliveries where (observation, crawl) = (select observation, crawl from redeliveries limit 1)`,
        /^[0-9a-f]{64} an old list: the log gives at "\d\/\d+", .*, the tables nothing$/,
      ],
      // No second statement: the deleted retraction makes the observations that it hid visible.
      retracted: ['select 1', /: the log gives retracted, the tables nothing$/],
      'price terms': [
        `update price_terms set tax_included = true where terms = (select min(terms) from price_terms)`,
        /: the log gives tax_included false, the tables tax_included true$/,
      ],
      sources: [
        `update sources set trust_score = 99 where source_id = '${north}'`,
        new RegExp(`^${north}: the log gives trust_score 30, the tables trust_score 99$`),
      ],
      editions: ['delete from source_editions', /2026: the log gives is "?stated"?, the tables nothing$/],
      'vendor skus': [
        `update vendor_skus set vendor_ref = 'other' where vendor_sku_id = '${skuOf(uno)}'`,
        new RegExp(`^${skuOf(uno)}: the log gives vendor_ref "X", the tables vendor_ref "other"$`),
      ],
      retractions: [
        `delete from retractions where scope = 'crawl'`,
        /^[0-9a-f]{64}: the log gives scope "crawl".* crawl_id "week-1".*the tables nothing$/,
      ],
      'crawl reports': [
        `update crawl_reports set read = read + 1 where crawl_id = 'said-1'`,
        /^said-1 src_\S+: the log gives read 121, the tables read 122$/,
      ],
      parked: [
        `update parked set raw = 'another' where raw = 'not json'`,
        /^vendor.observations\/\d\/\d+: the log gives raw "not json", the tables raw "another"$/,
      ],
      'parked resolutions': [`delete from parked_resolutions`, /the tables nothing$/],
      recipes: [
        `update recipes set payload = payload || ' '`,
        /: the log gives payload sha256:\S+, the tables payload sha256:\S+$/,
      ],
      'recipe deliveries': [
        `insert into recipe_deliveries values ('no recipe', 'no crawl', '2026-01-01', 'line 9')`,
        /^no recipe no crawl: the log gives nothing, the tables recorded_at "2026-01-01T00:00:00Z", position "line 9"$/,
      ],
      'index points': [
        `update index_points set value = '9' where value = '121'`,
        /^[0-9a-f]{64}: the log gives value "121", the tables value "9"$/,
      ],
      decisions: [
        `update decisions set subject = 'another' where type = 'TrustChanged'`,
        /^\d+: the log gives subject "src_\S+", the tables subject "another"$/,
      ],
      'item keys': [
        `update item_keys set merged_into = null where merged_into is not null`,
        /^ci_\S+: the log gives merged_into "ci_\S+", the tables merged_into null$/,
      ],
      memberships: [
        `delete from memberships where sku = (select sku from vendor_skus where vendor_sku_id = '${skuOf(dos)}')`,
        new RegExp(`^${skuOf(dos)}: the log gives item_id "ci_\\S+", source_id "src_\\S+", the tables nothing$`),
      ],
      'kept apart': [
        `update kept_apart set reason = 'another'`,
        /: the log gives reason "seen both", the tables reason "another"$/,
      ],
      proposals: [`update proposals set score = 0.9`, /: the log gives score 0.51, the tables score 0.9$/],
      items: [
        `update items set basis = '{}' where item_id = ${id}`,
        /^ci_\S+: the log gives basis sha256:\S+, the tables basis "{}"$/,
      ],
      'price points': [
        `delete from price_points where item_id = ${id} and market = ''`,
        /^ci_\S+ {2}2026-\S+: the log gives cents \d+, currency "EUR", the tables nothing$/,
      ],
      categories: [
        `update categories set name = 'another' where depth = 1`,
        /^cat_\S+: the log gives name "[^"]+", the tables name "another"$/,
      ],
      'run marks': [
        `update run_marks set items_published = -1 where run_id = 'run_1'`,
        /^run_1: .*items_published -1$/,
      ],
      'scope heads': [
        `update scope_heads set chain = '\\x00' where scope = 'region/ES'`,
        /^region\/ES: the log gives chain [0-9a-f]{64}, the tables chain 00$/,
      ],
      changes: [
        `update changes set former_median = '{}' where seq = 7`,
        /^7: the log gives former_median null, the tables former_median "{}"$/,
      ],
      numbers: [
        `update change_scopes set op = 'leave' where scope = 'items' and rseq = 8`,
        /^items: the log gives 8 seq 8 upsert chain \S+, the tables 8 seq 8 leave chain \S+$/,
      ],
    }
    const { rows, restore } = await savedTables(path.store)
    expect(rows).toBeGreaterThan(100)
    for (const [sql] of Object.values(changed)) await path.store.query(sql)
    const { checks, ok } = await verifyCatalog(path)
    await restore()
    expect(ok).toBe(false)
    // A root changes with its table.
    expect(checks.filter(({ ok, name }) => ok && name !== 'catalog root').map(({ name }) => name)).toEqual([])
    for (const [name, [, difference]] of Object.entries(changed)) {
      expect(checks.find((check) => check.name === name)?.first_difference, name).toMatch(difference)
    }
    expect(Object.keys(changed)).toEqual(checks.map(({ name }) => name).filter((name) => !name.endsWith(' root')))
  })

  test('finds bytes that differ from their hash, in both roots', async () => {
    const { restore } = await savedTables(path.store)
    await path.store.query(`update observations set payload = replace(payload, '100', '101')`)
    await path.store.query(`update items set public_state = replace(public_state, 'type 7', 'type 8')`)
    const failed = (await verify(path)).filter(({ ok }) => !ok)
    await restore()
    expect(failed.map(({ name }) => name)).toEqual(['vendor root', 'catalog root', 'observations', 'items'])
    expect(failed[2]?.first_difference).toMatch(/^[0-9a-f]{64}: the log gives .*, the tables .*payload "[0-9a-f]{64}"/)
  })

  test('finds rows after the positions', async () => {
    const { restore } = await savedTables(path.store)
    await path.store.query(
      `insert into observations select observation + 1000000, '\\xff', sku, terms, crawl, recorded_at, observed_at, cents,
         payload from observations order by observation limit 1`,
    )
    await path.store.query(`insert into decisions values (999999, 'TrustChanged', 'x', '2026-01-01', '{}')`)
    await path.store.query(`insert into change_scopes values ('region/GB', 999999, 1, 'leave', '\\x00')`)
    const failed = (await verify(path)).filter(({ ok }) => !ok)
    await restore()
    expect(failed.map(({ name }) => name)).toEqual(expect.arrayContaining(['observations', 'decisions', 'numbers']))
    expect(failed.find(({ name }) => name === 'decisions')?.first_difference).toBe(
      '999999: the log gives nothing, the tables row at 999999, behind its position',
    )
  })

  test('keeps its rate, reports its progress, and stops on abort', async () => {
    const told: [number, number][] = []
    const begunMs = performance.now()
    const options: VerifyOptions = { rate: 4_000, onProgress: (done, total) => told.push([done, total]) }
    await verifyCatalog(path, options)
    const [done, total] = told.at(-1) as [number, number]
    expect(done).toBeGreaterThan(2_000)
    expect(performance.now() - begunMs).toBeGreaterThan((done / 4_000) * 1000 - 50)
    expect(done / total).toBeGreaterThan(0.5)
    expect(told.map(([done]) => done)).toEqual(told.map(([done]) => done).sort((a, b) => a - b))

    const stopping = new AbortController()
    const stopped = verifyCatalog(path, { rate: 1, signal: stopping.signal, onProgress: () => stopping.abort() })
    await expect(stopped).rejects.toThrow(/abort/)
  })
})

describe('verify beside projectors and aggregator', () => {
  let path: Path
  beforeAll(async () => {
    path = await openPath()
  })
  afterAll(() => path[Symbol.asyncDispose]())
  beforeEach(() => path.reset())

  /** Verifies while something happens just before the first statement that matches. */
  const verifiedAt = (at: RegExp, happens: () => Promise<unknown>) =>
    verifyCatalog({ log: path.log, store: interrupted(path.store, at, happens) })

  test.each([
    ['before any table is read', /from observations o/],
    ['before items are read', /from items where/],
    ['before the last table is read', /from change_scopes/],
  ])('explains changes that happen %s', async (_when, at) => {
    await live(path)
    const found = await verifiedAt(at, async () => {
      await path.append([...said(1), ...said(2), merge(await itemOf(path, skuOf(uno)), await itemOf(path, skuOf(dos)))])
      await liveWeek(path, 6)
    })
    expect(differences(found)).toEqual([])
    expect(touched(found)).toBeGreaterThan(0)
  })

  test('finds a wrong row, whether events touched it meanwhile or not', async () => {
    await live(path)
    const found = await verifiedAt(/from sources where/, async () => {
      await liveWeek(path, 6)
      await path.store.query(`update items set name = 'another'`)
    })
    const item = found.checks.find(({ name }) => name === 'items')
    expect(item?.first_difference).toMatch(/^ci_\S+: the log gives .*name "Ceramic brick .*the tables .*name "another"/)
    await path.store.query(`update items set name = item_json::jsonb->>'name'`)
    expect(differences(await verifyCatalog(path))).toEqual([])
  })

  test('accepts rows that retention deletes meanwhile', async () => {
    const dayMs = DAY_MS
    for (let day = 0; day < 4; day++) {
      const asOf = instant(new Date(Date.UTC(2026, 0, 1 + day)))
      await path.append(
        Array.from({ length: 300 }, (_, i) =>
          published({ id: `ci_${1000 + i}`, cents: 100 + day, version: day + 1, asOf }),
        ),
      )
    }
    await path.store.query(`insert into search_indexes (identity, next) values ('exact model', 1201)`)
    const found = await verifiedAt(/from changes where/, () =>
      trimChanges(path.store, { before: new Date(Date.UTC(2026, 0, 1) + 3 * dayMs), snapshotSeq: 1_200n }),
    )
    expect(differences(found)).toEqual([])
    expect(Number(found.checks.find(({ name }) => name === 'changes')?.log)).toBeLessThan(1_200)
  })

  test('does not compare across two generations', async () => {
    await path.append([published({ id: 'ci_1' })])
    const across = verifiedAt(/from items where/, () => beginGeneration(path.store, { gen: 'another' }))
    await expect(across).rejects.toThrow(/generation \S+ ended while the tables were compared/)
  })

  test('finds no difference on a log that was never projected', async () => {
    await using log = await openTableLog(path.store)
    await log.append(TOPICS.observations, [{ key: 'k', value: JSON.stringify(uno) }])
    expect(differences(await verifyCatalog({ store: path.store, log }))).toEqual([])
    await drain({ store: path.store, log, projections: [vendorProjection] })
    expect(differences(await verifyCatalog({ store: path.store, log }))).toEqual([])
  })
})

/** Repeats crawls, retractions, runs and merges. Returns how often it verified, and the differences. */
async function besideEverything(path: Path): Promise<{ found: readonly string[]; times: number; touched: number }> {
  const WEEKS = 8
  await live(path)
  let isOver = false
  const happening = (async () => {
    for (let week = 6; week < 6 + WEEKS; week++) {
      await path.append(said(week))
      await liveWeek(path, week)
      const fresh = ['A', 'B'].map((ref) =>
        observation({
          vendor: `New ${ref}`,
          ref: `N${week}`,
          name: `Thing ${ref} ${week}`,
          at: '2026-02-03T00:00:00Z',
        }),
      ) as [ObservationRecorded, ObservationRecorded]
      await path.append(fresh)
      await path.run(instant(new Date(Date.UTC(2026, 0, 3 + 7 * week))))
      const [from, into] = [await itemOf(path, skuOf(fresh[0])), await itemOf(path, skuOf(fresh[1]))]
      const target = { scope: 'crawl' as const, crawl_id: `week-${week}` }
      await path.append([merge(from, into), observationRetracted(north, target)])
    }
  })().finally(() => {
    isOver = true
  })
  const found: string[] = []
  let times = 0
  let seen = 0
  while (!isOver) {
    // Slow enough for much to happen between its statements.
    const once = await verifyCatalog(path, { rate: 15_000 })
    found.push(...differences(once))
    seen += touched(once)
    times++
  }
  await happening
  found.push(...differences(await verifyCatalog(path)))
  return { found, times, touched: seen }
}

test('repeated verify beside all writers reports nothing', async () => {
  await using path = await openPath({ batchRecords: 50 })
  const { found, times, touched } = await besideEverything(path)
  expect(found).toEqual([])
  expect(times).toBeGreaterThan(1)
  expect(touched).toBeGreaterThan(0)
})

/** Saves the rows that a test changes, to restore them afterwards. */
async function savedTables(store: Store): Promise<{ rows: number; restore: () => Promise<void> }> {
  const tables = await store.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = current_schema() order by 1`,
  )
  await store.query('create schema saved')
  let rows = 0
  for (const [i, { name }] of tables.entries()) {
    await store.query(`create table saved.t${i} as table ${name}`)
    rows += (await store.query<{ n: number }>(`select count(*)::int as n from saved.t${i}`))[0]?.n ?? 0
  }
  return {
    rows,
    async restore() {
      await store.query(`truncate ${tables.map(({ name }) => name)}`)
      await store.transaction(async (tx) => {
        await tx.query(`set local session_replication_role = replica`)
        for (const [i, { name }] of tables.entries()) {
          await tx.query(`insert into ${name} overriding system value select * from saved.t${i}`)
        }
      })
      await store.query('drop schema saved cascade')
    },
  }
}
