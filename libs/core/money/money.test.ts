import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  canMean,
  exponentOf,
  formatMoney,
  InvalidPrice,
  MoneyOutOfRange,
  moneyFromDecimal,
  parsePrice,
  priceOfThousands,
  priceWithoutDecimals,
  UnknownCurrency,
  withoutFloatError,
} from './money.ts'
import { divide, multiply, parseDecimal, rational } from './rational.ts'

const currencies = ['EUR', 'USD', 'CLP', 'JPY', 'PYG', 'KWD', 'CLF', 'ESP', 'DEM', 'BRL']

describe('the minor unit of a currency', () => {
  test.each([
    ['EUR', 2],
    ['CLP', 0],
    ['PYG', 0],
    ['UYI', 0],
    ['KWD', 3],
    ['CLF', 4],
    ['UYW', 4],
    ['ESP', 0],
    ['PTE', 0],
    ['ITL', 0],
    ['DEM', 2],
    ['FRF', 2],
    ['BGN', 2],
  ])('of %s has %i decimals', (currency, decimals) => {
    expect(exponentOf(currency)).toBe(decimals)
  })

  test.each(['XXX', 'XAU', 'eur', 'EURO', '', 'ZZZ'])('of %j is not known', (currency) => {
    expect(exponentOf(currency)).toBeNull()
  })

  test('is known for every currency of this platform, except units of account', () => {
    const unknown = Intl.supportedValuesOf('currency').filter((code) => exponentOf(code) === null)
    expect(
      unknown.filter((code) => !['XDR', 'XSU', 'XAU', 'XAG', 'XPT', 'XPD', 'XXX', 'XTS', 'XUA'].includes(code)),
    ).toEqual([])
  })
})

describe('the money of a decimal', () => {
  test.each([
    ['4.85', 'EUR', 485, 1],
    ['4.8', 'EUR', 480, 1],
    ['1.2345', 'EUR', 12345, 100],
    ['1.2300', 'EUR', 123, 1],
    ['1200', 'CLP', 1200, 1],
    ['0.5', 'CLP', 5, 10],
    ['1.2345', 'KWD', 12345, 10],
    ['0.00012', 'CLF', 12, 10],
    ['-0.05', 'USD', -5, 1],
    ['0.000', 'USD', 0, 1],
    ['-0', 'USD', 0, 1],
    ['007.50', 'USD', 750, 1],
  ])('%s %s is %i for %i', (text, currency, cents, per_quantity) => {
    expect(moneyFromDecimal(text, currency)).toEqual({ cents, per_quantity })
  })

  test('is exact for every decimal that fits', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
        fc.integer({ min: 0, max: 9 }),
        fc.constantFrom(...currencies),
        (digits, places, currency) => {
          fc.pre(places > 0 || digits > -(10n ** 11n))
          const padded = String(digits < 0n ? -digits : digits).padStart(places + 1, '0')
          const at = padded.length - places
          const text = `${digits < 0n ? '-' : ''}${padded.slice(0, at)}${places === 0 ? '' : `.${padded.slice(at)}`}`
          const exponent = exponentOf(currency) as number
          fc.pre(digits * 10n ** BigInt(Math.max(0, exponent - places)) <= BigInt(Number.MAX_SAFE_INTEGER))
          fc.pre(-digits * 10n ** BigInt(Math.max(0, exponent - places)) <= BigInt(Number.MAX_SAFE_INTEGER))
          const { cents, per_quantity } = moneyFromDecimal(text, currency)
          const perUnit = divide(rational(BigInt(cents)), rational(BigInt(per_quantity)))
          expect(perUnit).toEqual(multiply(parseDecimal(text), rational(10n ** BigInt(exponent))))
        },
      ),
    )
  })

  test('throws MoneyOutOfRange beyond safe integers', () => {
    expect(moneyFromDecimal('90071992547409.91', 'EUR').cents).toBe(Number.MAX_SAFE_INTEGER)
    expect(() => moneyFromDecimal('90071992547409.92', 'EUR')).toThrow(MoneyOutOfRange)
    expect(() => moneyFromDecimal('-90071992547409.92', 'EUR')).toThrow(MoneyOutOfRange)
    expect(moneyFromDecimal(`0.${'0'.repeat(14)}1`, 'CLP').per_quantity).toBe(10 ** 15)
    expect(() => moneyFromDecimal(`0.${'0'.repeat(15)}1`, 'CLP')).toThrow(MoneyOutOfRange)
  })

  test('needs a known currency and a plain decimal', () => {
    expect(() => moneyFromDecimal('1', 'XXX')).toThrow(UnknownCurrency)
    for (const text of ['', '1,5', '1e3', '.5', ' 1', 'NaN'])
      expect(() => moneyFromDecimal(text, 'EUR')).toThrow(InvalidPrice)
  })
})

describe('money shown to a person', () => {
  test.each([
    [485, 'EUR', '4.85 EUR'],
    [5, 'EUR', '0.05 EUR'],
    [-5, 'USD', '-0.05 USD'],
    [0, 'USD', '0.00 USD'],
    [1200, 'CLP', '1200 CLP'],
    [1, 'CLF', '0.0001 CLF'],
    [1500, 'KWD', '1.500 KWD'],
  ])('%i minor units of %s are %s', (cents, currency, text) => {
    expect(formatMoney(cents, currency)).toBe(text)
  })

  test('reads back as the same money', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.constantFrom(...currencies), (cents, currency) => {
        const [decimal = '', code = ''] = formatMoney(cents, currency).split(' ')
        expect(moneyFromDecimal(decimal, code)).toEqual({ cents: cents === 0 ? 0 : cents, per_quantity: 1 })
      }),
    )
  })

  test('needs a known currency', () => {
    expect(() => formatMoney(1, 'XXX')).toThrow(UnknownCurrency)
  })
})

describe('a price text', () => {
  test.each([
    ['1.234,56 €', '1234.56', 'EUR', '€'],
    ['1,234.56', '1234.56', null, null],
    ['R$ 12,50', '12.50', 'BRL', 'R$'],
    ['12.5', '12.5', null, null],
    ['$1 234,50', '1234.50', null, '$'],
    ['$1\u00a0234,50', '1234.50', null, '$'],
    ['S/.50', '50', 'PEN', 'S/.'],
    ['S/. 12.50', '12.50', 'PEN', 'S/.'],
    ['$.50', '0.50', null, '$'],
    ['usd 1,234.56', '1234.56', 'USD', 'usd'],
    ['$12.50 CLP', '12.50', 'CLP', 'CLP'],
    ['EUR 12,50 €', '12.50', 'EUR', '€'],
    ['UF 3,25', '3.25', 'CLF', 'UF'],
    ['12,-', '12', null, null],
    ['Fr. 12.–', '12', null, 'Fr.'],
    ['12,- €', '12', 'EUR', '€'],
    ['(12.50)', '-12.50', null, null],
    ['-12,50 €', '-12.50', 'EUR', '€'],
    ['€ -12,50', '-12.50', 'EUR', '€'],
    ['12,50-', '-12.50', null, null],
    ['−0,00', '0.00', null, null],
    ["CHF 1'234.50", '1234.50', 'CHF', 'CHF'],
    ['1.250.000 Gs.', '1250000', 'PYG', 'Gs.'],
  ])('%j is %s in %s', (text, decimal, currency, mark) => {
    expect(parsePrice(text)).toEqual({ decimal, currency, mark })
  })

  test('that could be off by a factor of 1000 needs a known decimal mark', () => {
    expect(parsePrice('$ 1.234')).toBeNull()
    expect(parsePrice('$ 1.234', { decimal: ',' })?.decimal).toBe('1234')
    expect(parsePrice('$ 1.234', { decimal: '.' })?.decimal).toBe('1.234')
    expect(parsePrice('12,50', { decimal: '.' })).toBeNull()
  })

  test.each([
    '',
    '€',
    'from 12 €',
    '12 €/m²',
    '12 - 15',
    '12 € 15',
    '12%',
    '€ 12 $US',
    '--5',
    '(-5)',
    '-5-',
    '1e3',
    'n/a',
    '9'.repeat(81),
  ])('%j gives null', (text) => {
    expect(parsePrice(text)).toBeNull()
  })

  test('never throws, and gives a plain decimal', () => {
    const characters = fc.constantFrom(..."0123456789.,'’ -−()€$R/SEURsd\u00a0½²")
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: characters, maxLength: 12 })), (text) => {
        const found = parsePrice(text)
        if (found) expect(found.decimal).toMatch(/^-?\d+(\.\d+)?$/)
      }),
      { numRuns: 2000 },
    )
  })
})

test.each([
  ['12.990', true, '12990'],
  ['12.990', false, '12990'],
  ['$12.995', false, '12995'],
  ['12,995 CLP', false, '12995'],
  ['12.995', false, undefined],
  ['12.995', true, null],
  ['12.99', true, null],
  ['0.990', true, null],
  ['12.99', false, undefined],
  ['12.00', true, undefined],
  ['12990.5', true, undefined],
  ['1.234.990', false, undefined],
])('given no decimals in the currency, when %j is read (a number: %j), then it means %j', (text, exact, meant) => {
  expect(priceWithoutDecimals(text, { exact })).toBe(meant)
})

test.each([
  ['12.995', '12995'],
  ['12,995 CLP', '12995'],
  ['12.99', null],
  ['0.995', null],
  ['1.234.995', null],
])('given one mark that groups thousands, when %j is read, then it is %j', (text, decimal) => {
  expect(priceOfThousands(text)).toBe(decimal)
})

test.each([
  ['12.990000000000002', '12.99'],
  ['19.989999999999998', '19.99'],
  ['1.123456789012', '1.123456789012'],
  ['0.0000000000123', '0.0000000000123'],
  ['1234567890123456.5', '1234567890123456.5'],
])('given a float, when %s is read, then its debris is left out: %s', (number, clean) => {
  expect(withoutFloatError(number)).toBe(clean)
})

test.each([
  ['$', 'USD', true],
  ['$', 'CLP', true],
  ['$', 'EUR', false],
  ['kr', 'SEK', true],
  ['Kr.', 'EUR', false],
  ['¥', 'CNY', true],
  ['¥', 'USD', false],
  ['lei', 'RON', true],
  ['€', 'EUR', true],
  ['€', 'USD', false],
])('the mark %s of a price in %s: %s', (mark, currency, expected) => {
  expect(canMean(mark, currency)).toBe(expected)
})
