import type * as contract from '@catalog/api/contract/contract.ts'
import { EXAMPLE } from '@catalog/api/contract/shared/fields.ts'
import { type Category, categoryTree } from '@catalog/embed/categories/tree.ts'
import type { z } from 'zod'

/** Example items, sources and recipes for the OpenAPI document; a test validates them against the contract. */

export const ITEM_ID = EXAMPLE.item
const SKU_ID = 'vsku_r3k6hzqf5m2xwtjd7cnyvboua4'
const SOURCE_ID = EXAMPLE.source
export const RUN_ID = 'run_20261120020000_5f0c1a2b3d'
export const NIGHT = '2026-11-20T02:00:00Z'
export const CURSOR = EXAMPLE.cursor

export const item: z.infer<typeof contract.CanonicalItem> = {
  id: ITEM_ID,
  name: 'Placa de yeso laminado 13 mm',
  unit: 'm²',
  cpv: '44112300',
  category_id: EXAMPLE.category,
  vendor_count: 3,
  observation_count: 12,
  median_price: { cents: 485, currency: 'EUR', recorded_at: NIGHT },
  updated_at: NIGHT,
}
export const detail: contract.ItemDetail = {
  item,
  vendors: [
    {
      vendor_sku_id: SKU_ID,
      source: { name: 'Materiales Norte', region: 'ES', trust_score: 70, url: 'https://materiales-norte.example' },
      price: { cents: 485, currency: 'EUR' },
      unit: 'm²',
      observed_at: '2026-11-19T08:30:00Z',
    },
  ],
  price_history: [
    { recorded_at: '2026-08-22T02:00:00Z', price_cents: 472, currency: 'EUR' },
    { recorded_at: NIGHT, price_cents: 485, currency: 'EUR' },
  ],
}
export const exportEnd: contract.ExportEnd = {
  complete: true,
  items: 1,
  after: null,
  stopped_by: null,
  retry_after_seconds: null,
  gen: '5f0c1a2b3d4e6f70',
  seq_from: 1,
  seq_to: 1,
  ended_at: NIGHT,
}
export const market = { cents: 485, currency: 'EUR' }
export const category: z.infer<typeof contract.Category> = {
  id: EXAMPLE.category,
  name: 'Plaster and drywall',
  names: { ...(categoryTree().byId.get('drywall') as Category).names },
  parent_id: 'cat_z7kq4hwx2mjd5ty3',
  item_count: 42,
}
const crawl: z.infer<typeof contract.Crawl> = {
  id: 'crawl_20261119083000_0a1b2c3d4e',
  started_at: '2026-11-19T08:30:00Z',
  finished_at: '2026-11-19T08:31:12Z',
  outcome: 'recorded',
  complete: true,
  partial: false,
  read: 1_850,
  appended: 1_612,
  duplicates: 230,
  parked: 8,
  parse_rate: 0.9957,
  missed: 0,
  known: 1_840,
  vanished: 4,
  changed: 51,
  changed_share: 0.0278,
  drift: 0.002,
  problems: [],
}
export const source: z.infer<typeof contract.Source> = {
  id: SOURCE_ID,
  name: 'Materiales Norte',
  region: 'ES',
  url: 'https://materiales-norte.example',
  kind: 'shop',
  trust_score: 70,
  validity_days: 30,
  enabled: true,
  licence: {
    name: 'CC-BY-4.0',
    terms: null,
    url: 'https://materiales-norte.example/datos',
    redistribution: 'yes',
    commercial_use: 'yes',
    attribution: 'Materiales Norte',
    checked_on: '2026-11-01',
  },
  alias_of: null,
  aliases: [],
  vendor_sku_count: 1_840,
  observation_count: 22_310,
  last_observed_at: '2026-11-19T08:30:00Z',
  last_crawl: {
    ...crawl,
    id: 'crawl_20261120083000_5f6a7b8c9d',
    started_at: '2026-11-20T08:30:00Z',
    finished_at: '2026-11-20T08:30:01Z',
    outcome: 'unchanged',
    read: 0,
    appended: 0,
    duplicates: 0,
    parked: 0,
    parse_rate: null,
    known: null,
    vanished: null,
    changed: null,
    changed_share: null,
    drift: null,
  },
  last_complete_crawl: crawl,
  held_crawl: null,
}
export const index: z.infer<typeof contract.Index> = {
  id: EXAMPLE.index,
  publisher: { id: 'fr-insee', name: 'Insee', url: 'https://www.insee.fr/' },
  series: '001710986',
  title: 'Index du bâtiment BT01, tous corps d’état',
  region: 'FR',
  base: '2010=100',
  frequency: 'month',
  point_count: 2,
  first_period: '2026-08',
  last: { period: '2026-09', value: '140.1', observed_at: '2026-11-15T08:00:00Z' },
  licence: source.licence,
}
export const indexDetail: z.infer<typeof contract.IndexDetail> = {
  index,
  points: [
    {
      period: '2026-08',
      value: '139.8',
      observed_at: '2026-11-15T08:00:00Z',
      revisions: 1,
      point_id: '9b0f2c1de38a4d8c9e7a1b6f40d35c2ab7e9f1083d6c4a52be0f7d91c8a3e614',
    },
    {
      period: '2026-09',
      value: '140.1',
      observed_at: '2026-11-15T08:00:00Z',
      revisions: 0,
      point_id: '1c0f2c1de38a4d8c9e7a1b6f40d35c2ab7e9f1083d6c4a52be0f7d91c8a3e614',
    },
  ],
}

const named = {
  vendor_ref: 'PYL-13',
  vendor_sku_name: 'Placa yeso laminado 13 mm',
  source_id: SOURCE_ID,
  source_name: 'Materiales Norte',
  vendor_category_path: ['Materiales', 'Tabiquería seca'],
}

export const basis: contract.ItemBasis = {
  item_id: ITEM_ID,
  name: item.name,
  unit: 'm²',
  kind: 'material',
  names: [{ lang: 'es', name: item.name, regions: ['ES'] }],
  category: {
    id: category.id,
    path: ['Materials', 'Plaster and drywall'],
    by: 'vendor_path',
    text: 'Materiales > Tabiquería seca',
    confidence_percent: 99,
  },
  merged_into: null,
  run_id: RUN_ID,
  as_of: NIGHT,
  median: market,
  markets: [{ region: 'ES', median: market, vendor_count: 3, voters: 1 }],
  vendor_sku_ids: [SKU_ID],
  basis: {
    method_version: 'twm/3',
    currency: 'EUR',
    voters: 1,
    single_voter: true,
    note: 'rests on one vendor alone',
    trust_total: 70,
    p25: 485,
    p75: 485,
    last_observed_at: '2026-11-19T08:30:00Z',
    dispersion: { ratio: null, region: null, markets: [], apart: false, groups: null },
    tax: { net: 0, gross_with_rate: 1, gross_without_rate: 0, not_stated: 0 },
    votes: [
      {
        vendor_sku_id: SKU_ID,
        ...named,
        alias_of: null,
        observation_id: '5b0f2c1de38a4d8c9e7a1b6f40d35c2ab7e9f1083d6c4a52be0f7d91c8a3e614',
        price: '58685/121',
        price_cents: 485,
        currency: 'EUR',
        trust: 70,
        observed_at: '2026-11-19T08:30:00Z',
        markets: ['ES'],
        kind: 'list',
        min_quantity: null,
        tax: { state: 'gross_with_rate', rate: '0.21', by: 'vendor' },
        sku_kind: {
          kind: 'material',
          grade: null,
          trades: [],
          action: null,
          operator: null,
          evidence: [{ about: 'kind', value: 'material', by: 'category', text: 'materiales' }],
        },
        flags: [],
      },
    ],
    excluded: [{ id: 'vsku_q5xw2zk7hjd4ty6m3rncvboua2', reason: 'EXPIRED', vendor_sku_id: null, ...named }],
  },
}

/** The common fields of a purchased line. */
const bought = {
  factor: '1',
  quantity: '1',
  price_basis: 'file' as const,
  base_amount: null,
  item: null,
  now: null,
  children: [],
  omitted: null,
}
export const decomposition: contract.Decomposition = {
  item: { id: ITEM_ID, name: 'Tabique de placa de yeso', unit: 'm²', median_price: item.median_price },
  recipe: {
    vendor_sku_id: SKU_ID,
    vendor_ref: 'TAB013',
    unit: 'm2',
    currency: 'EUR',
    declared_price: '15.10',
    observed_at: '2026-11-01T00:00:00Z',
    source: { id: SOURCE_ID, name: 'Banco de precios', region: 'ES', trust_score: 80, url: null },
  },
  alternatives: [],
  region: null,
  quantity: '1',
  lines: [
    {
      ...bought,
      position: 1,
      kind: 'material',
      code: 'PYL-13',
      name: 'Placa de yeso laminado 13 mm',
      unit: 'm2',
      factor: '1.05',
      yield: '2',
      quantity: '2.1',
      unit_price: '4.60',
      amount: '9.66',
      item: { id: ITEM_ID, name: item.name, unit: 'm²', median_price: item.median_price },
      now: { basis: 'item', unit_price: '4.85', amount: '10.19' },
    },
    {
      ...bought,
      position: 2,
      kind: 'labor',
      code: 'MO001',
      name: 'Montador',
      unit: 'h',
      yield: '0.25',
      quantity: '0.25',
      unit_price: '20.56',
      amount: '5.14',
    },
    {
      ...bought,
      position: 3,
      kind: 'percentage',
      code: '%',
      name: 'Costes complementarios',
      unit: '%',
      yield: '0.02',
      quantity: '0.02',
      unit_price: null,
      price_basis: null,
      base_amount: '14.80',
      amount: '0.30',
    },
  ],
  totals: {
    labor: '5.14',
    machinery: '0.00',
    material: '9.66',
    auxiliary: '0.00',
    percentage: '0.30',
    waste: '0.00',
    unclassified: '0.00',
    indirect: '0.00',
    total: '15.10',
  },
  resources: {
    labor: '5.14',
    machinery: '0.00',
    material: '9.66',
    auxiliary: '0.00',
    percentage: '0.30',
    waste: '0.00',
    unclassified: '0.00',
  },
  computed_price: '15.10',
  difference: '0.00',
  reconciles: true,
  rule: 'line_rounded_2',
  now: { total: '15.64', at_file_prices: '5.24', priced_lines: 1, lines: 2 },
  warnings: [],
  truncated: false,
}
export const PRICE_BOOK = '~V|Construction Cost Catalog|FIEBDC-3/2020\\20112026|catalog|Median price\\EUR|ANSI||1|'

export const status = {
  state: 'ok',
  problems: [],
  checked_at: '2026-11-20T12:00:00Z',
  database: { answers: true, away_seconds: 0 },
  catalog: {
    seq: 21_300,
    run: { id: RUN_ID, as_of: NIGHT, finished_at: '2026-11-20T02:03:11Z' },
    snapshot: { seq: 21_300, created_at: '2026-11-20T03:30:00Z' },
  },
  projections: { records: 0, seconds: 0 },
  replica: { seq: 21_300, lag: { records: 0, seconds: 0 } },
  search: { answers: true, seq: 21_300, lag: { records: 0, seconds: 0 } },
  incidents: [
    {
      id: '2026-11-18-search',
      title: 'Search was slow',
      text: null,
      impact: 'degraded',
      began_at: '2026-11-18T09:00:00Z',
      ended_at: '2026-11-18T09:40:00Z',
    },
  ],
} satisfies z.infer<typeof contract.StatusResponse>
