import { parseDecimal, rational } from '@catalog/core/money/rational.ts'
import { DiagnosticLog, openBc3 } from '@catalog/formats/bc3/entry-stream.ts'
import { bytesSource } from '@catalog/formats/bytes/record.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildPriceBook } from './price-book-builder.ts'
import { codesBelow, recipePrices, recipesOf } from './recipe-prices.ts'

async function bookOf(records: string) {
  const log = new DiagnosticLog()
  const { entries } = await openBc3(
    bytesSource('book.bc3', Buffer.from(`~V|Ours|FIEBDC-3/2016|test||ANSI|\n${records}`)),
    {
      log,
    },
  )
  return buildPriceBook(entries, log)
}

const EUR = { currency: 'EUR', fileCurrency: 'EUR' }
const present = (prices: Readonly<Record<string, string>>) =>
  new Map(
    Object.entries(prices).map(([code, price]) => [
      code,
      { price: parseDecimal(price), currency: 'EUR', isCertain: false },
    ]),
  )

test('a work changes as its components do, through recipes of recipes and whatever its percentages', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 9_999 }), fc.integer({ min: 1, max: 999 })), {
        minLength: 1,
        maxLength: 5,
      }),
      fc.constantFrom(rational(1n, 2n), rational(1n), rational(3n, 2n), rational(5n)),
      async (parts, factor) => {
        const resources = parts.map(([cents], i) => `~C|R${i}|u|Resource ${i}|${(cents / 100).toFixed(2)}||3|`)
        const lines = parts.map(([, yielded], i) => `R${i}\\\\${(yielded / 10).toFixed(1)}\\`).join('')
        const recipes = recipesOf(
          await bookOf(
            [
              ...resources,
              `~C|A|u|Part|70.00||0|\n~D|A|${lines}|`,
              `~C|W|u|Work|90.00||0|\n~D|W|A\\\\2\\%CI\\\\0.03\\|\n~C|%CI|%|Indirect|3||0|`,
            ].join('\n'),
          ),
          ['W'],
        )
        const now = parts.map(([cents], i) => {
          const price = {
            price: rational(BigInt(cents) * factor.n, 100n * factor.d),
            currency: 'EUR',
            isCertain: false,
          }
          return [`R${i}`, price] as const
        })
        const found = recipePrices(recipes, { ...EUR, present: new Map(now) }).get('W')
        expect(found).toMatchObject({ recipe: { components: 1, priced: 1, covered_share: 1 } })
        const { n, d } = found?.price ?? rational(0n)
        expect(Number(n) / Number(d)).toBeCloseTo((90 * Number(factor.n)) / Number(factor.d), 6)
      },
    ),
    { numRuns: 30 },
  )
})

test('a price many times the declared one counts at the declared one, unless it is of the very concept', async () => {
  const recipes = recipesOf(await bookOf('~C|R|u|Resource|1||3|\n~C|W|u|Work|2||0|\n~D|W|R\\\\2\\|'), ['W'])
  const far = { price: parseDecimal('5.01'), currency: 'EUR' }
  const priceOf = (isCertain: boolean) =>
    recipePrices(recipes, { ...EUR, present: new Map([['R', { ...far, isCertain }]]) }).get('W')?.price
  expect([priceOf(false), priceOf(true)]).toEqual([undefined, parseDecimal('10.02')])
})

test('recipes that share parts at sixty levels are priced in a moment, and cyclic ones not at all', async () => {
  const levels = Array.from(
    { length: 60 },
    (_, i) => `~C|L${i}|u|Level|1||0|\n~D|L${i}|L${i + 1}\\\\1\\L${i + 1}\\\\1\\|`,
  )
  const book = await bookOf([...levels, '~C|L60|u|Resource|1||3|', '~C|X|u|Cyclic|1||0|', '~D|X|X\\\\1\\|'].join('\n'))
  const recipes = recipesOf(book, ['L0', 'X'])
  expect(codesBelow(recipes, new Set(['L58', 'X']))).toEqual(['L59', 'L60'])
  const prices = recipePrices(recipes, { ...EUR, present: present({ L60: '2' }) })
  expect([prices.get('L0')?.price, prices.get('X')]).toEqual([parseDecimal('2'), undefined])
})
