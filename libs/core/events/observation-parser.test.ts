import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { observation } from '@catalog/stack/testing/events.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { observationPayload, parsedPayload } from './ids.ts'
import { parseOrdinaryObservation } from './observation-parser.ts'
import { ObservationRecorded } from './observations.ts'

const GOLDEN = join(import.meta.dirname, '../golden')

/** An observation with every optional field. */
const WHOLE = {
  ...observation(),
  availability: 'OutOfStock' as const,
  category_path: ['Materials', 'Cement'],
  cpv: '44111200-3',
  description: 'In bags.\nOn pallets.',
  edition: '2026-10',
  gtin: '8412345678905',
  lang: 'es',
  manufacturer_ref: 'CEM-42',
  pack: { quantity: '25', unit: 'kg' },
  price: { ...observation().price, min_quantity: '10', tax: { included: null, rate: '0.21' } },
  source: { ...observation().source, region: 'LATAM', url: 'https://vendor.example/es' },
  url: 'https://vendor.example/cement?bag=25',
}
const LEAVES = [
  ...Object.keys(WHOLE).map((key) => [key]),
  ...(['price', 'source', 'pack'] as const).flatMap((part) => Object.keys(WHOLE[part]).map((key) => [part, key])),
  ['price', 'tax', 'included'],
  ['price', 'tax', 'rate'],
  ['category_path', '0'],
  ['surplus'],
  ['price', 'surplus'],
  ['__proto__'],
]

/** Values that lie on either side of a rule, for any field. */
const EDGES: readonly unknown[] = [
  ...[
    undefined,
    null,
    true,
    0,
    -0,
    1,
    1.5,
    1e15,
    1e15 + 2,
    2 ** 53,
    -(2 ** 53),
    '',
    ' ',
    'x\u0000',
    '\ud800',
    'a\ud83d\ude00',
  ],
  ...[
    'ES',
    'EU',
    'LATAM',
    'BR-SP',
    'BR-',
    'LATAM-SP',
    'ESP',
    'es',
    'EUR\n',
    'eur',
    'list',
    '2026',
    '2026-13',
    '2026-02-31',
    'bank',
    'gift',
    'InStock',
    'instock',
    '12345678',
    '44111200-3',
    '1234567',
  ],
  ...['25', '-0.5', '+1', '1e3', '1.', '1234567890123456789', '0.1234567890123456789', '١'],
  ...['https://a.example', ' https://a.example', 'https://a.example/\n', 'https://ä.example', 'a:', 'http://', '//a'],
  ...['2026-02-28T00:00:00Z', '2026-02-29T00:00:00Z', '2024-02-29T00:00:00Z', '2026-04-31T00:00:00Z'],
  ...['2026-01-31T23:59:59.100Z', '2026-01-05T06:00:00.000Z', '2026-01-05T24:00:00Z', '2026-13-05T06:00:00Z'],
  ...[
    '2026-00-10T06:00:00Z',
    '2026-01-00T06:00:00Z',
    '2026-01-05T06:60:00Z',
    '2026-01-05T06:00:00+00:00',
    '0000-01-01T00:00:00Z',
  ],
  ...[[], ['a'], ['a', ''], Array(12).fill('a'), Array(13).fill('a'), {}, { scope: 'source' }],
  ...[40, 80, 100, 200, 300, 2000, 20_000].flatMap((max) => ['x'.repeat(max), 'x'.repeat(max + 1)]),
  ...[2000, 2001].map((length) => 'https://a.example/'.padEnd(length, 'x')),
]
const VALUES = fc.oneof(
  fc.constantFrom(...EDGES),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.jsonValue({ maxDepth: 1 }),
)
const MUTATIONS = fc.array(fc.record({ path: fc.constantFrom(...LEAVES), value: VALUES }), { maxLength: 3 })

/** The event as a log holds it: `undefined` removes the field. */
function mutated(mutations: readonly { path: readonly string[]; value: unknown }[]): unknown {
  const event = structuredClone(WHOLE) as Record<string, unknown>
  for (const { path, value } of mutations) {
    let at: unknown = event
    for (const key of path.slice(0, -1)) at = (at as Record<string, unknown> | null)?.[key]
    if (typeof at !== 'object' || at === null) continue
    const key = path.at(-1) as string
    Object.defineProperty(at, key, { value, enumerable: true, configurable: true, writable: true })
  }
  return JSON.parse(JSON.stringify(event))
}

/** Whether null, or byte for byte what the schema returns. */
function agrees(event: unknown): boolean {
  const ordinary = parseOrdinaryObservation(event)
  return ordinary === null || JSON.stringify(ordinary) === JSON.stringify(ObservationRecorded.safeParse(event).data)
}

test('agrees with the schema on every edge of every field', () => {
  const wrong = LEAVES.flatMap((path) =>
    EDGES.flatMap((value) => (agrees(mutated([{ path, value }])) ? [] : [[path, value]])),
  )
  expect(wrong).toEqual([])
})

test('agrees with the schema on arbitrary mutations', () => {
  fc.assert(
    fc.property(MUTATIONS, (mutations) => agrees(mutated(mutations))),
    { numRuns: 1_000 },
  )
})

test('refuses no event for a field that it could have left out, and its payload is canonical', () => {
  expect(Object.keys(WHOLE).sort()).toEqual(Object.keys(ObservationRecorded.shape).sort())
  const optional = Object.entries(ObservationRecorded.shape).flatMap(([key, field]) =>
    field.safeParse(undefined).success ? [[key]] : [],
  )
  fc.assert(
    fc.property(fc.subarray([...optional, ['price', 'min_quantity'], ['price', 'tax', 'rate']]), (absent) => {
      const event = mutated(absent.map((path) => ({ path, value: undefined })))
      const parsed = ObservationRecorded.parse(event)
      expect(parseOrdinaryObservation(event)).toEqual(parsed)
      expect(parsedPayload(parsed)).toBe(observationPayload(parsed))
    }),
  )
})

test('parses every observation of the golden logs', () => {
  const events = readdirSync(GOLDEN)
    .filter((name) => name.endsWith('.ndjson'))
    .flatMap((name) => readFileSync(join(GOLDEN, name), 'utf8').trimEnd().split('\n').slice(0, -1))
    .map((line) => JSON.parse(line).event)
    .filter(({ type }) => type === 'ObservationRecorded')
  expect(events.length).toBeGreaterThan(0)
  for (const event of events) {
    expect(JSON.stringify(parseOrdinaryObservation(event))).toBe(JSON.stringify(ObservationRecorded.parse(event)))
  }
})
