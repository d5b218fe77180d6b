import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readBmecat } from '@catalog/formats/bmecat/bmecat.ts'
import { bytesSource, isBroken, type ReadRecord } from '@catalog/formats/bytes/record.ts'
import { realInputsFolder } from '@catalog/stack/servers/real-inputs.ts'
import { expect, test } from 'vitest'

const folder = realInputsFolder()

test.skipIf(folder === null)('a real BMEcat catalogue gives all its articles, tiers and taxes', async () => {
  const bytes = readFileSync(join(folder ?? '', 'bmecat/new_catalog.golden.xml'))
  const written = (name: string) =>
    [...bytes.toString().matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, value]) => value)
  const read = async (options: { observedAt?: string } = {}) => {
    const records: ReadRecord[] = []
    const source = bytesSource('catalogue.xml', bytes)
    for await (const batch of readBmecat(source, { name: source.name, ...options })) records.push(...batch)
    return records
  }
  const column = (records: readonly ReadRecord[], key: string) =>
    records.map((record) => (isBroken(record) ? record.reason : record.fields[key]))

  // The prices hold for the first half of 2001, after the file was made.
  const records = await read({ observedAt: '2001-03-01' })
  for (const [key, name] of Object.entries({ price: 'PRICE_AMOUNT', min_quantity: 'LOWER_BOUND', tax_rate: 'TAX' })) {
    expect(written(name).length).toBeGreaterThan(1)
    expect(column(records, key)).toEqual(written(name))
  }
  expect([...new Set(column(records, 'vendor_ref'))]).toEqual(written('SUPPLIER_AID'))
  expect(records[0]).toMatchObject({
    fields: {
      unit: 'BOX',
      pack_quantity: '6',
      pack_unit: 'PCE',
      kind: 'net',
      tax_included: 'false',
      currency: 'EUR',
      region: 'DE',
      category_path: 'Hardware > Notebook > Mac',
      gtin: '8712670911213',
      lang: 'de',
    },
  })
  expect(column(await read(), 'price')).toEqual(records.map(() => 'NOT_VALID_NOW'))
})
