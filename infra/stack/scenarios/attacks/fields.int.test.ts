import type { PublicState } from '@catalog/core/events/items.ts'
import { MAPPING_KEYS, type MappingKey } from '@catalog/formats/mapping/mapping-keys.ts'
import { expect, test } from 'vitest'
import { HONEST, openAttacks } from './attack.ts'

const { path, send, run, begin, reproduced } = await openAttacks()

/**
 * What each field that a file can fill does to an item of four honest vendors, by the trust of its vendor. Each field has an
 * item of its own, where a vendor offers the same at an honest price, but for this field.
 */
const GTIN = '4006381333931'
const WORST: Readonly<Partial<Record<MappingKey, string>>> = {
  vendor_ref: 'R0',
  name: 'PLACA DE YESO',
  description: 'Sold by the pallet',
  unit: 'm3',
  price: '0,01',
  currency: 'USD',
  per_quantity: '1000',
  min_quantity: '500',
  pack_quantity: '100',
  pack_unit: 'm2',
  tax_included: 'yes',
  tax_rate: '99',
  kind: 'bid',
  observed_at: '10/03/2026',
  valid_from: '2027-01-01',
  valid_to: '2025-01-01',
  source: 'Obramat',
  source_url: 'https://falso.example',
  region: 'FR',
  trust: '100',
  validity: 'until_superseded',
  validity_days: '3650',
  category_path: 'Jardín > Plantas',
  gtin: GTIN,
  manufacturer_ref: 'AB-482001',
  availability: 'discontinued',
  cpv: '03110000',
  url: 'https://falso.example/a',
  lang: 'en',
}
/** A file chooses no id, so no mapping has its column. */
const FIELDS: readonly MappingKey[] = MAPPING_KEYS.filter((key) => key !== 'source_id')
const nameOf = (field: MappingKey) => `Placa de yeso laminado ${FIELDS.indexOf(field) + 20} mm`
const BASE: Readonly<Partial<Record<MappingKey, string>>> = {
  unit: 'm2',
  price: '4,71',
  currency: 'EUR',
  tax_included: 'no',
  observed_at: '09/03/2026',
}
const row = (values: Readonly<Partial<Record<MappingKey, string>>>) => FIELDS.map((key) => values[key] ?? '').join(';')
const HEAD = FIELDS.join(';')
const MAPPING = `columns: { ${FIELDS.map((key) => `${key}: ${key}`).join(', ')} }\nsources: { allow: [Falso] }`
const OWN =
  'columns: { vendor_ref: vendor_ref, name: name, unit: unit, price: price, currency: currency, observed_at: observed_at, tax_included: tax_included }'

const EFFECTS = ['median', 'name', 'CPV', 'counts', 'links', 'feeds'] as const
type Standing = Readonly<Record<(typeof EFFECTS)[number], unknown>> & Readonly<{ cents: number | undefined }>

/** The item of each field, as readers see it and with its honest SKUs. */
async function standings(): Promise<ReadonlyMap<MappingKey, Standing>> {
  const rows = await path.store.query<{ ref: string; state: string; version: number; skus: string }>(
    `select first.vendor_ref as ref, public_state as state, version,
       (select string_agg(name || ' ' || vendor_ref, ', ' order by name, vendor_ref)
          from vendor_skus join sources using (source) where vendor_sku_id = any(items.vendor_sku_ids) and name <> 'Falso') as skus
     from items join vendor_skus first on first.vendor_sku_id = any(items.vendor_sku_ids)
       join sources using (source) where sources.name = 'Obramat' and items.state = 'active'`,
  )
  return new Map(
    rows.map(({ ref, state, version, skus }) => {
      const { item, markets, names } = JSON.parse(state) as PublicState
      const standing: Standing = {
        cents: item.median_price?.cents,
        median: [item, ...markets].map(({ median_price: price }) => [price?.cents, price?.currency]),
        name: [item.name, names],
        CPV: item.cpv,
        counts: [item.vendor_count, item.observation_count, ...markets.map((market) => market.vendor_count)],
        links: skus,
        feeds: version,
      }
      return [ref as MappingKey, standing]
    }),
  )
}

const TRUSTS = [0, 5, 50]

async function prepare(): Promise<void> {
  await begin()
  for (const observed_at of ['01/03/2026', '08/03/2026']) {
    for (const { source, trust, price } of HONEST) {
      const offers = FIELDS.map((field) => row({ ...BASE, vendor_ref: field, name: nameOf(field), price, observed_at }))
      await send({ source, trust, text: [HEAD, ...offers].join('\n'), mapping: OWN })
    }
  }
  await run()
}

async function effects(trust: number): Promise<readonly string[]> {
  const before = await standings()
  const offers = FIELDS.map((field) => {
    const offer = { ...BASE, vendor_ref: `F-${field}`, name: nameOf(field), [field]: WORST[field] }
    return row(field === 'name' ? { ...offer, name: `${nameOf(field)} ${WORST.name}` } : offer)
  })
  await send({ source: 'Falso', trust, text: [HEAD, ...offers].join('\n'), mapping: MAPPING, newSources: true })
  // A later vendor with the number that the file claims.
  const number = (field: MappingKey, name: string) => row({ ...BASE, vendor_ref: field, name, [field]: WORST[field] })
  const later = [number('gtin', 'Ladrillo perforado'), number('manufacturer_ref', 'Cemento gris')]
  await send({
    source: 'Posterior',
    trust: 60,
    text: [HEAD, ...later].join('\n'),
    mapping: `columns: { ${FIELDS.filter((key) => !['source', 'region', 'trust'].includes(key))
      .map((key) => `${key}: ${key}`)
      .join(', ')} }`,
  })
  await run()
  await reproduced()
  const after = await standings()
  return FIELDS.map((field) => {
    const [was, is] = [before.get(field) as Standing, after.get(field) as Standing]
    expect(is.cents, `the median of ${field}`).toBeGreaterThanOrEqual(460)
    expect(is.cents, `the median of ${field}`).toBeLessThanOrEqual(495)
    const moved = EFFECTS.filter((effect) => JSON.stringify(was[effect]) !== JSON.stringify(is[effect]))
    return moved.join(', ') || '-'
  })
}

test('each field of a file does what this table says, by the trust of its vendor, and nothing without trust', async () => {
  const columns: (readonly string[])[] = []
  for (const trust of TRUSTS) {
    await prepare()
    columns.push(await effects(trust))
  }
  const lines = [
    ['field', ...TRUSTS.map((trust) => `trust ${trust}`)],
    ...FIELDS.map((field, at) => [field, ...columns.map((column) => column[at] as string)]),
  ]
  const table = lines.map(([field = '', ...cells]) =>
    [field.padEnd(17), ...cells.map((cell) => cell.padEnd(18))].join('| ').trimEnd(),
  )
  expect(columns[0]).toEqual(FIELDS.map(() => '-'))
  expect(`\n${table.join('\n')}\n`).toMatchInlineSnapshot(`
    "
    field            | trust 0           | trust 5           | trust 50
    vendor_ref       | -                 | counts, feeds     | counts, feeds
    name             | -                 | -                 | -
    description      | -                 | counts, feeds     | counts, feeds
    unit             | -                 | -                 | -
    price            | -                 | counts, feeds     | counts, feeds
    currency         | -                 | counts, feeds     | counts, feeds
    per_quantity     | -                 | counts, feeds     | counts, feeds
    min_quantity     | -                 | counts, feeds     | counts, feeds
    pack_quantity    | -                 | counts, feeds     | counts, feeds
    pack_unit        | -                 | counts, feeds     | counts, feeds
    tax_included     | -                 | counts, feeds     | counts, feeds
    tax_rate         | -                 | counts, feeds     | counts, feeds
    kind             | -                 | counts, feeds     | counts, feeds
    observed_at      | -                 | counts, feeds     | counts, feeds
    valid_from       | -                 | -                 | -
    valid_to         | -                 | -                 | -
    source           | -                 | -                 | -
    source_url       | -                 | counts, feeds     | counts, feeds
    region           | -                 | counts, feeds     | counts, feeds
    trust            | -                 | counts, feeds     | counts, feeds
    validity         | -                 | counts, feeds     | counts, feeds
    validity_days    | -                 | counts, feeds     | counts, feeds
    category_path    | -                 | counts, feeds     | counts, feeds
    gtin             | -                 | counts, feeds     | counts, feeds
    manufacturer_ref | -                 | counts, feeds     | counts, feeds
    availability     | -                 | counts, feeds     | counts, feeds
    cpv              | -                 | CPV, counts, feeds| CPV, counts, feeds
    url              | -                 | counts, feeds     | counts, feeds
    lang             | -                 | counts, feeds     | counts, feeds
    "
  `)
}, 120_000)
