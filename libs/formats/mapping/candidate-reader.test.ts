import { sourceIdOf } from '@catalog/core/events/ids.ts'
import { ObservationRecorded } from '@catalog/core/events/observations.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Candidate, Defaults } from './candidate.ts'
import { type CandidateOptions, CandidateReader } from './candidate-reader.ts'
import { MAPPING_KEYS } from './mapping-keys.ts'

const identity = Object.fromEntries(MAPPING_KEYS.map((key) => [key, key]))
const base = { vendor_ref: 'A1', name: 'Brick', unit: 'u', price: '12,50', currency: 'EUR', observed_at: '01/11/2026' }

type Given = Partial<Omit<CandidateOptions, 'defaults'>> & { defaults?: Partial<Defaults>; numbers?: readonly string[] }
function readerOf({ defaults, numbers: _numbers, ...options }: Given = {}) {
  return new CandidateReader({
    mapping: { columns: identity, constants: {}, guessed: [] },
    decimal: ',',
    dateOrder: 'dmy',
    hasTwoDigitYears: false,
    sources: { allow: 'any', trust_max: 100 },
    defaults: { source: 'Ours', notAfter: new Date('2026-11-21T00:10:00Z'), ...defaults },
    ...options,
  })
}
const record = (fields: Record<string, string>, numbers?: readonly string[]) => ({
  position: 'f line 2',
  raw: '',
  fields,
  ...(numbers && { numbers: new Set(numbers) }),
})
const read = (fields: Record<string, string>, given: Given = {}) => readerOf(given).read(record(fields, given.numbers))
const content = (fields: Record<string, string>, given?: Given) =>
  (read({ ...base, ...fields }, given) as Candidate).content
const reason = (fields: Record<string, string>, given?: Given) => {
  const result = read({ ...base, ...fields }, given)
  return 'reason' in result ? result.reason : null
}

describe('the unit of a record', () => {
  const units = { sets: [], spellings: { tramex: 'm²' } } as const
  const bids = { region: 'US', kind: 'bid', lang: 'en' }

  test.each([
    ['what the operator calls it', 'TRAMEX', { units }, 'm²'],
    ['that of the named set', 'SYS', { units: { sets: ['us-dot'] as const, spellings: {} } }, 'yd²'],
    ['that of US road departments for their bids', 'M.G.', { defaults: bids }, '1000 US gal'],
    ['the text of the vendor in every other source', 'M.G.', { defaults: { ...bids, kind: 'shop' } }, 'M.G.'],
    ['the text of the vendor where it is known', 'KG.', { units, defaults: { region: 'ES' } }, 'KG.'],
    ['that of the country where it is open', 'gl', { defaults: { region: 'CL', lang: 'es' } }, 'lump sum'],
  ] as const)('is %s: %s', (_whose, unit, given, recorded) => {
    expect(content({ unit }, given).unit).toBe(recorded)
  })
})

describe('a record becomes an observation', () => {
  test.each([
    ['', undefined, 'list', 'shop'],
    ['', 'bank', 'bank', 'bank'],
    ['', 'net', 'net', 'shop'],
    ['net', 'bank', 'net', 'bank'],
    ['list', 'bid', 'list', 'bid'],
    ['bid', 'shop', 'bid', 'bid'],
    ['list', 'net', 'list', 'shop'],
  ])("with kind '%s' and the operator's %s: a %s price of a %s", (kind, operators, price, source) => {
    const result = read({ ...base, kind }, { defaults: { kind: operators } }) as Candidate
    expect([result.content.price.kind, result.registration.kind]).toEqual([price, source])
  })

  test('with all of its fields', () => {
    const result = read(
      {
        ...base,
        description: 'Perforated, 24 × 11',
        per_quantity: '1000',
        min_quantity: '2,5',
        pack_quantity: '25',
        pack_unit: 'kg',
        tax_included: 'Sí',
        tax_rate: '21 %',
        kind: 'net',
        source: 'Shop',
        source_url: 'https://shop.example',
        region: 'es',
        trust: '80',
        validity_days: '60',
        category_path: 'Walls > Bricks',
        gtin: '4006381333931',
        manufacturer_ref: 'MR-1',
        cpv: '44111100-3',
        url: 'https://shop.example/a1',
        lang: 'es-ES',
      },
      { defaults: { region: 'PT', currency: 'CLP' } },
    )
    expect(result).toEqual({
      content: {
        source: {
          id: sourceIdOf({ name: 'Shop', region: 'ES' }),
          name: 'Shop',
          region: 'ES',
          url: 'https://shop.example',
        },
        vendor_ref: 'A1',
        name: 'Brick',
        description: 'Perforated, 24 × 11',
        unit: 'u',
        price: {
          cents: 1250,
          currency: 'EUR',
          per_quantity: 1000,
          min_quantity: '2.5',
          tax: { included: true, rate: '0.21' },
          kind: 'net',
        },
        pack: { quantity: '25', unit: 'kg' },
        cpv: '44111100-3',
        category_path: ['Walls', 'Bricks'],
        gtin: '4006381333931',
        manufacturer_ref: 'MR-1',
        url: 'https://shop.example/a1',
        observed_at: '2026-11-01T00:00:00Z',
        lang: 'es',
      },
      registration: { kind: 'shop', trust: 80, validityDays: 60 },
    })
  })

  test("with the operator's defaults for missing columns and constants", () => {
    const given = {
      defaults: {
        currency: 'CLP',
        observedAt: '2026-10-01',
        kind: 'bid',
        sourceId: 'src_ours',
        region: 'UK',
        lang: 'en',
      },
    }
    const { content, registration } = read(
      { ...base, currency: '', observed_at: '', price: '1250' },
      given,
    ) as Candidate
    expect(content).toMatchObject({
      source: { id: 'src_ours', name: 'Ours', region: 'GB', url: null },
      price: { cents: 1250, currency: 'CLP', kind: 'bid', tax: { included: null } },
      observed_at: '2026-10-01T00:00:00Z',
      lang: 'en',
    })
    expect(registration).toEqual({ kind: 'bid' })
  })

  test('with several columns joined, and levels from columns or a separator', () => {
    const columns = { ...identity, vendor_ref: ['vendor_ref', 'unit'], category_path: ['a', 'b', 'c'] }
    const joined = content({ a: 'Walls', c: 'Bricks' }, { mapping: { columns, constants: {}, guessed: [] } })
    expect(joined).toMatchObject({ vendor_ref: 'A1|u', category_path: ['Walls', 'Bricks'] })
    const split = { ...identity, category_path: { column: 'a', separator: '/' } }
    expect(
      content({ a: 'Walls/Bricks' }, { mapping: { columns: split, constants: {}, guessed: [] } }).category_path,
    ).toEqual(['Walls', 'Bricks'])
    expect(content({ category_path: 'Sand/Gravel' }).category_path).toEqual(['Sand/Gravel'])
  })

  test.each([
    ['1.234,56', {}, 123_456, 1],
    ['0,0125', {}, 125, 100],
    ['12,50 €', {}, 1250, 1],
    ['1.234', { decimal: '.' }, 1234, 10],
    ['1.234', { numbers: ['price'] }, 1234, 10],
    ['1.25e-2', { numbers: ['price'] }, 125, 100],
    ['1E+3', { numbers: ['price'] }, 100_000, 1],
  ] as const)('with the exact price of %j', (price, given, cents, perQuantity) => {
    expect(content({ price }, given as Given).price).toMatchObject({ cents, per_quantity: perQuantity })
  })

  test.each([
    ['21', '0.21'],
    ['0.21', '0.21'],
    ['5,5 %', '0.055'],
    ['0', '0'],
    ['101', undefined],
    ['reduced', undefined],
  ])('with the tax rate %s as %s', (tax_rate, rate) => {
    expect(content({ tax_rate }).price.tax.rate).toBe(rate)
  })

  test('without its invalid optional fields', () => {
    const wrong = {
      gtin: '4006381333932',
      cpv: '123',
      url: 'javascript:alert(1)',
      lang: 'spanish',
      trust: '900',
      pack_quantity: '25',
      min_quantity: '-1',
    }
    const { content, registration } = read({ ...base, ...wrong }) as Candidate
    expect(Object.keys(content).sort()).toEqual(['name', 'observed_at', 'price', 'source', 'unit', 'vendor_ref'])
    expect(content.price).not.toHaveProperty('min_quantity')
    expect(registration).toEqual({ kind: 'shop' })
  })
})

test.each([
  ['NO_VENDOR_REF', { vendor_ref: ' ' }],
  ['NO_NAME', { name: '\t' }],
  ['NO_PRICE', { price: '' }],
  ['BAD_PRICE', { price: 'on request' }],
  ['BAD_PRICE', { price: '-3' }],
  ['BAD_PRICE', { price: '0,00' }],
  ['BAD_PRICE', { price: '12 $US', currency: 'EUR' }],
  ['BAD_PRICE', { per_quantity: 'ten' }],
  ['BAD_PRICE', { kind: 'gift' }],
  ['PRICE_TOO_PRECISE', { price: '0,1234567890123456789' }],
  ['NO_CURRENCY', { currency: '' }],
  ['UNKNOWN_CURRENCY', { currency: 'XYZ' }],
  ['NO_DATE', { observed_at: '' }],
  ['BAD_DATE', { observed_at: '31/02/2026' }],
  ['BAD_DATE', { observed_at: '01/11/1899' }],
  ['FUTURE_OBSERVATION', { observed_at: '2026-11-21T00:10:01Z' }],
  ['BAD_REGION', { region: 'Spain' }],
  ['BAD_TEXT', { name: 'Hormig\ufffdn' }],
  ['BAD_TEXT', { name: 'x'.repeat(2001) }],
  ['BAD_TEXT', { vendor_ref: 'x'.repeat(301) }],
  ['PERSONAL_DATA', { vendor_ref: 'jane\u200b@example.org' }],
  ['NO_NAME', { name: 'jane@example.org' }],
  [null, { observed_at: '2026-11-21T00:10:00Z' }],
  [null, { name: 'Tube 25 @ 3 m' }],
] as const)('gives %s for %j', (expected, fields) => {
  expect(reason(fields)).toBe(expected)
})

test('a price with an ambiguous decimal mark is refused with a hint', () => {
  const result = read({ ...base, price: '1.234' }, { decimal: null })
  expect(result).toMatchObject({ reason: 'BAD_PRICE', detail: expect.stringContaining('`decimal`') })
})

describe('given a currency without minor unit', () => {
  const money = (price: string, given: Given = {}) => {
    const result = read({ ...base, currency: 'CLP', price }, { decimal: null, ...given })
    return 'reason' in result ? result.reason : [result.content.price.cents, result.content.price.per_quantity]
  }

  test.each([
    ['12.990', { numbers: ['price'] }, [12_990, 1]],
    ['12.99', { numbers: ['price'] }, 'BAD_PRICE'],
    ['12.995', { numbers: ['price'] }, 'BAD_PRICE'],
    ['12990.5', { numbers: ['price'] }, [129_905, 10]],
    ['12.995', {}, [12_995, 1]],
    ['12,995', {}, [12_995, 1]],
    ['$12.995', {}, [12_995, 1]],
    ['12.990', { decimal: '.' }, [12_990, 1]],
    ['12.990', { decimal: '.', isDecimalGiven: true }, [1299, 100]],
    ['12.99', { numbers: ['price'], isDecimalGiven: true }, [1299, 100]],
    ['12.99', { numbers: ['price'], hasVisibleNumbers: true }, [1299, 100]],
    ['12.995', { hasVisibleNumbers: true }, [12_995, 1]],
    ['12,50', { decimal: ',' }, [125, 10]],
  ] as const)('when %j is read with %j, then it gives %j', (price, given, expected) => {
    expect(money(price, given as Given)).toEqual(expected)
  })

  test('when only the price names it, then it is read as if the column named it', () => {
    expect(content({ price: '12.995 CLP', currency: '' }, { decimal: null }).price).toMatchObject({ cents: 12_995 })
    expect(reason({ price: '12.995 EUR', currency: '' }, { decimal: null })).toBe('BAD_PRICE')
    expect(reason({ price: '12.995 CLP', currency: 'EUR' }, { decimal: null })).toBe('BAD_PRICE')
  })
})

test('given float debris, when a number of the format is read, then it is the intended decimal', () => {
  const { price } = content({ price: '12.990000000000002' }, { numbers: ['price'] })
  expect(price).toMatchObject({ cents: 1299, per_quantity: 1 })
})

test('given hidden characters and e-mail addresses, when a record is read, then no text of the candidate has them', () => {
  const hidden = '\u0007\u202e\u{e0041}\u200b'
  const text = (plain: string) => `${hidden}${plain} (jane.doe@${hidden}example.org)`
  const { content } = read({
    ...base,
    vendor_ref: text('A-1'),
    name: text('Brick'),
    description: text('Red\nclay'),
    unit: text('u'),
    category_path: `${text('Walls')} > ${text('Bricks')}`,
    manufacturer_ref: text('M 7'),
    pack_quantity: '25',
    pack_unit: text('kg'),
    url: 'https://shop.example/a?user=jane%40example.org&id=5',
    source: text('Acme'),
    source_url: 'https://shop.example/jane@example.org',
  }) as Candidate
  expect(content).toMatchObject({
    source: { name: 'Acme', url: null },
    vendor_ref: 'A-1',
    name: 'Brick',
    description: 'Red\nclay',
    unit: 'u',
    category_path: ['Walls', 'Bricks'],
    manufacturer_ref: 'M 7',
    pack: { unit: 'kg' },
    url: 'https://shop.example/a?id=5',
  })
})

test('takes no id from a file, nor gives the operator’s id to a name from a file', () => {
  const named = sourceIdOf({ name: 'Shop', region: null })
  expect(content({ source: 'Shop', source_id: 'norte' }).source.id).toBe(named)
  const ownId = { mapping: { columns: identity, constants: { source_id: 'ours' }, guessed: [] } }
  expect(content({ source: 'Shop' }, ownId).source.id).toBe(named)
  expect(content({ source: '', source_id: 'norte' }, ownId).source.id).toBe('ours')
})

test('collapses white space of any kind and length in a name to one blank', () => {
  expect(content({ name: ' Brick\tof \u00a0clay\r\n12  cm ' }).name).toBe('Brick of clay 12 cm')
  expect(content({ name: 'Brick\tof clay' }).name).toBe('Brick of clay')
})

test('each record has its own currency', () => {
  const reader = readerOf()
  const currencies = ['EUR', '€', 'us$', 'EUR'].map((currency) => reader.read(record({ ...base, currency })))
  expect(currencies).toMatchObject(
    ['EUR', 'EUR', 'USD', 'EUR'].map((currency) => ({ content: { price: { currency } } })),
  )
})

describe('every observation satisfies the contract', () => {
  const Content = ObservationRecorded.omit({ type: true, v: true, event_id: true, recorded_at: true, crawl_id: true })
  const values = [
    ...[40, 41, 80, 81, 100, 101, 200, 201, 300, 301, 2000, 2001, 20_000, 20_001].map((length) => 'x'.repeat(length)),
    '',
    ' ',
    '\0',
    '\u000b',
    '\ud800',
    'a\ufffeb',
    'a\ufffdb',
    'a\u2028b',
    'e\u0301',
    'a  b',
    ' > ',
    '|',
    '_',
    ...[...Array(30).keys()].map((levels) => 'x > '.repeat(levels)),
    '1',
    '0,5',
    '1e9',
    '-1',
    '0,000001',
    '999999999999999,999',
    '9007199254740993',
    '1000000000000001',
    'list',
    '21 %',
    '0,000001 %',
    '100 %',
    '101 %',
    'EUR',
    '€',
    'eur',
    'ES',
    'latam',
    'es-ES',
    'ſt',
    '84',
    '4006381333931',
    '1970-01-01',
    '9999-12-31T23:59:59-12:00',
    '2026-06-01T24:00:00Z',
    '2026-06-01T01:02:03.0004Z',
    '46000,5',
    '44111100-3',
    'https://a',
    'HTTP://a.example/ñ',
    'https://a b',
    'http://[',
    ...[1982, 1983].map((length) => `https://a.example/${'a'.repeat(length)}`),
  ]
  const expectParsed = (fields: Record<string, string>, given?: Given) => {
    const result = read({ ...base, ...fields }, given)
    if ('content' in result) expect(Content.parse(result.content)).toStrictEqual(result.content)
  }

  test.each(MAPPING_KEYS)('for any text in %s', (key) => {
    for (const value of values) {
      expectParsed({ [key]: value })
      expectParsed({ [key]: value }, { numbers: ['price'] })
      if (key === 'pack_quantity') expectParsed({ [key]: value, pack_unit: 'kg' })
      if (key === 'pack_unit') expectParsed({ [key]: value, pack_quantity: '1' })
    }
  })

  test('for any texts in all fields', () => {
    const value = fc.oneof(fc.constantFrom(...values), fc.string({ unit: 'binary', maxLength: 12 }))
    const fields = fc.dictionary(fc.constantFrom(...MAPPING_KEYS), value, { maxKeys: 5 })
    fc.assert(fc.property(fields, (fields) => expectParsed(fields)))
  })

  test.each(['source', 'sourceId', 'sourceUrl', 'region', 'kind', 'currency', 'lang'])(
    'for any %s from the operator',
    (key) => {
      for (const value of values) expectParsed({ currency: '' }, { defaults: { currency: 'EUR', [key]: value } })
    },
  )
})

test('reads any record without throwing', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('12,5', 'EUR', '2026-01-01', 'ES', '\ud800', '1e9'),
  )
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...MAPPING_KEYS), value), fc.boolean(), (fields, exact) => {
      const result = read(fields, exact ? { numbers: ['price'] } : {})
      expect('reason' in result ? result.reason : result.content.name).toMatch(/./)
    }),
  )
})

describe('the sign of a currency', () => {
  test.each([
    ['$12,50', 'EUR', 'BAD_PRICE'],
    ['12,50 kr', 'EUR', 'BAD_PRICE'],
    ['¥1200', 'USD', 'BAD_PRICE'],
    ['$12,50', 'MXN', null],
    ['12,50 kr', 'NOK', null],
    ['¥1200', 'JPY', null],
  ])('%s contradicts a stated %s: %s', (price, currency, expected) => {
    expect(reason({ price, currency })).toBe(expected)
    expect(reason({ price, currency: '' }, { defaults: { currency } })).toBe(expected)
  })

  test('of several currencies names none', () => {
    expect(read({ ...base, price: '$12,50', currency: '' })).toMatchObject({
      reason: 'NO_CURRENCY',
      detail: "'$' is the sign of several currencies: expected `currency` of the source or the mapping, or --currency",
    })
  })
})

test.each([
  [{ unit: 'month' }, undefined, 'NOT_A_SALE'],
  [{ unit: '', price: '12,50 €/Monat' }, undefined, 'NOT_A_SALE'],
  [{ unit: 'per week' }, 'shop', 'NOT_A_SALE'],
  [{ unit: 'month' }, 'bid', null],
  [{ unit: 'mes' }, 'bank', null],
  [{ unit: 'day' }, 'shop', null],
] as const)('a table of a shop with %j for a kind %s: %s', (fields, kind, expected) => {
  expect(reason(fields, { defaults: { kind } })).toBe(expected)
})

test('only a number whose mark is open asks for a decimal mark', () => {
  const detail = (price: string) => (read({ ...base, price }, { decimal: null }) as { detail: string }).detail
  expect(detail('1.234')).toContain('its decimal mark is ambiguous')
  for (const price of ['POA', 'from 5 EUR', 'true', '{{ product.price }}', '#DIV/0!'])
    expect(detail(price)).toBe(`'${price}' is not one number`)
})
