import { join } from 'node:path'
import type { Basis, PublicState } from '@catalog/core/events/items.ts'
import type { BasisRow, ObservationRow } from '@catalog/store/catalog/snapshot-facts.ts'
import type { PricePoint } from '@catalog/store/catalog/snapshots.ts'
import type { TableFile } from './manifest.ts'
import { type Columns, createTable } from './parquet.ts'
import TABLES from './tables.json' with { type: 'json' }

/**
 * Parquet tables for analysts with the API's names: `median_price.cents` becomes `median_price_cents`. They are written
 * from the states of the shards, so they cannot differ from them. tables.json has their columns with their types in SQL, and
 * docs/sql.md describes them.
 */

type ColumnsOf<Name extends keyof typeof TABLES> = Readonly<Record<keyof (typeof TABLES)[Name], Columns[string]>>
type ItemBasis = Readonly<Omit<BasisRow, 'basis'> & { basis: Pick<Basis, 'votes' | 'excluded'> }>

/** The seven tables of a snapshot. A table has the order in which its rows are added: ids ascend. */
export function createTables(folder: string) {
  const create = <Name extends keyof typeof TABLES>(name: Name) =>
    createTable(join(folder, fileOf(name)), TABLES[name] as ColumnsOf<Name>)
  const tables = {
    items: create('items'),
    markets: create('markets'),
    names: create('names'),
    price_history: create('price_history'),
    observations: create('observations'),
    votes: create('votes'),
    exclusions: create('exclusions'),
  }
  return {
    addStates(states: readonly PublicState[]): void {
      tables.items.add(
        states.map(({ item: { median_price, ...item }, regions, kind }) => ({
          ...item,
          ...medianOf(median_price),
          regions,
          kind,
        })),
      )
      tables.markets.add(
        states.flatMap(({ item, markets }) =>
          markets.map(({ region, vendor_count, median_price }) => ({
            item_id: item.id,
            region,
            ...medianOf(median_price),
            vendor_count,
          })),
        ),
      )
      tables.names.add(
        states.flatMap(({ item, names = [] }) =>
          names.map(({ minor_regions = [], ...name }, i) => ({
            item_id: item.id,
            place: i + 1,
            ...name,
            minor_regions,
          })),
        ),
      )
    },
    addPoints(points: readonly PricePoint[]): void {
      // The headline has no region, as in the API.
      tables.price_history.add(
        points.map(({ market, cents, ...point }) => ({ ...point, price_region: market || null, price_cents: cents })),
      )
    },
    addObservations: (observations: readonly ObservationRow[]): void => tables.observations.add(observations),
    addBases(bases: readonly ItemBasis[]): void {
      tables.votes.add(
        bases.flatMap(({ basis, ...run }) =>
          basis.votes.toSorted(by(({ vendor_sku_id }) => vendor_sku_id)).map(({ price, tax, flags, ...vote }) => ({
            ...run,
            ...vote,
            flags,
            price_exact: price,
            price_cents: doubleOf(price),
            tax_state: tax?.state,
            tax_rate: tax?.rate,
            tax_rate_by: tax?.by,
          })),
        ),
      )
      tables.exclusions.add(
        bases.flatMap(({ basis, ...run }) =>
          basis.excluded
            .toSorted(by(({ id, reason }) => `${id} ${reason}`))
            .map(({ id, reason }) => ({ ...run, excluded_id: id, reason })),
        ),
      )
    },
    async finish(): Promise<readonly TableFile[]> {
      const files: TableFile[] = []
      for (const [name, table] of Object.entries(tables)) files.push({ file: fileOf(name), ...(await table.finish()) })
      return files
    },
  }
}

export type Tables = ReturnType<typeof createTables>

const fileOf = (name: string) => `${name}.parquet`

const medianOf = (median: PublicState['item']['median_price']) => ({
  median_price_cents: median?.cents,
  median_price_currency: median?.currency,
  median_price_recorded_at: median?.recorded_at,
})

/** The exact price is a fraction of minor units, so a double stands beside it. */
function doubleOf(price: string): number {
  const [numerator, denominator = 1] = price.split('/')
  return Number(numerator) / Number(denominator)
}

/** Compares by UTF-16 code units, which is the order of bytes for our ASCII ids. */
const by =
  <T>(key: (value: T) => string) =>
  (a: T, b: T) =>
    key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0
