import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { readOutcomes } from '@catalog/formats/read.ts'
import { expect, test } from 'vitest'
import { BadMapping, type Mapping, parseMapping } from './mapping.ts'

const defaults = { source: 'Shop', currency: 'EUR', observedAt: '2026-11-20', notAfter: new Date('2026-11-21') }

async function read(json: unknown, mapping: Mapping) {
  const found: string[] = []
  const source = bytesSource('list.json', Buffer.from(JSON.stringify(json)))
  for await (const { outcomes } of readOutcomes(source, { defaults, mapping })) {
    for (const { result } of outcomes) {
      if ('content' in result)
        found.push(`${result.content.vendor_ref} ${result.content.name} ${result.content.price.cents}`)
      else found.push(`${result.reason}: ${result.detail}`)
    }
  }
  return found
}

const GOODS = {
  results: [
    {
      label: 'Bolt',
      maker: { name: 'Acme' },
      sizes: [
        { code: 'B1', size: 'M8', price: 1 },
        { code: 'B2', size: 'M10', price: 2 },
      ],
    },
    { label: 'Nut', maker: { name: 'Acme' }, sizes: [{ code: 'N1', size: 'M8', price: 3, label: 'Own' }] },
    { label: 'None', maker: { name: 'Acme' }, sizes: [] },
  ],
}

test.each<[string, Mapping['columns'], string[]]>([
  [
    'results[*].sizes[*]',
    { vendor_ref: 'code', name: ['label', 'size'], price: 'price' },
    ['B1 Bolt M8 100', 'B2 Bolt M10 200', 'N1 Own M8 300'],
  ],
  [
    'results[*].sizes[*]',
    { vendor_ref: 'code', name: ['results[*].label', 'results[*].maker.name'], price: 'price' },
    ['B1 Bolt Acme 100', 'B2 Bolt Acme 200', 'N1 Nut Acme 300'],
  ],
  [
    'results',
    { vendor_ref: 'sizes[*].code', name: ['label', 'sizes[*].size'], price: 'sizes[*].price' },
    ['B1 Bolt M8 100', 'B2 Bolt M10 200', 'N1 Nut M8 300', 'NO_VENDOR_REF: the vendor reference is blank'],
  ],
])(
  'given records at %s and columns %j, when they are read, then each element is a record',
  async (records, columns, expected) => {
    expect(await read(GOODS, { records, columns })).toEqual(expected)
  },
)

test('given columns that read the first of several elements, when they are read, then the record is parked with a hint', async () => {
  const columns = { vendor_ref: 'sizes.0.code', name: 'label', price: 'sizes.0.price' }
  expect(await read(GOODS, { records: 'results', columns })).toEqual([
    'LOSES_RECORDS: vendor_ref reads sizes.0.code, and the record has 1 more of sizes: expected sizes[*].code',
    'N1 Nut 300',
    'NO_VENDOR_REF: the vendor reference is blank',
  ])
})

test('given a path that is not there, when it is read, then the document is parked with its keys', async () => {
  const columns = { vendor_ref: 'code', name: 'label', price: 'price' }
  expect(await read(GOODS, { records: 'rows[*].sizes[*]', columns })).toEqual([
    "NO_RECORDS: records 'rows[*].sizes[*]': no 'rows' in the document, which has results",
  ])
})

test.each(['[*].a', 'a[*]', 'a[*].b[*].c', '[*][*]'])(
  'given the path %s, when the mapping is parsed, then it is accepted',
  (records) => {
    expect(parseMapping(JSON.stringify({ records }), 'm.yaml')).toEqual({ records })
  },
)

test.each(['.a', 'a..b', 'a.'])('given the path %s, when the mapping is parsed, then it is refused', (records) => {
  expect(() => parseMapping(JSON.stringify({ records }), 'm.yaml')).toThrow(BadMapping)
})

test('given a guess and prices in columns that become records, when variants have prices too, then each record is parked', async () => {
  const records = [{ sku: 'A', name: 'Bolt', es: 1, pt: 2, variants: [{ price: 3 }, { price: 4 }] }]
  const unpivot = { columns: ['es', 'pt'], heading: 'market', value: 'price' }
  const hint =
    'LOSES_RECORDS: the record has 2 prices of variants: expected a mapping with columns such as variants[*].price'
  expect(await read(records, { unpivot })).toEqual([hint, hint])
})
