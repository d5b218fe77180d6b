import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readBc3Header } from '@catalog/formats/bc3/header.ts'
import { readBc3 } from '@catalog/formats/bc3/prices.ts'
import { bytesSource, isBroken } from '@catalog/formats/bytes/record.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type RecipeContent, type RecipeOptions, type RecipeOutcome, readRecipes } from './recipes.ts'

const SOURCE = { id: 'src_bank', name: 'Bank', region: 'ES', url: null }

async function outcomesOf(text: string | Uint8Array, options: Partial<RecipeOptions> = {}): Promise<RecipeOutcome[]> {
  const source = bytesSource('bank.bc3', typeof text === 'string' ? Buffer.from(text) : text)
  const { header, encoding } = await readBc3Header(source, {})
  const found: RecipeOutcome[] = []
  const notAfter = new Date('2026-12-01T00:00:00Z')
  const given = { header, encoding: encoding.used, source: SOURCE, currency: 'EUR', notAfter }
  for await (const batch of readRecipes(source, { ...given, ...options })) found.push(...batch)
  return found
}

async function recipesOf(text: string | Uint8Array, options: Partial<RecipeOptions> = {}): Promise<RecipeContent[]> {
  const outcomes = await outcomesOf(text, options)
  expect(outcomes.filter((outcome) => 'reason' in outcome)).toEqual([])
  return outcomes.flatMap((outcome) => ('content' in outcome ? [outcome.content] : []))
}

const HEAD = '~V|Bank|FIEBDC-3/2016\\20112026|program||UTF-8|\r\n'
const EXAMPLE = `${HEAD}~K|2\\3\\3\\3\\2\\2\\2\\2\\EUR\\|
~C|EJ001|kg|Example unit|2.06|201126|0|
~D|EJ001|M001\\1.05\\1\\Q001\\1\\0.02\\O001\\1\\.02\\%\\1\\0.02\\|
~C|M001|kg|Bars|1.40|201126|3|
~C|Q001|h|Tool|3.50|201126|2|
~C|O001|h|Fitter|21.00|201126|1|
~C|%|%|Complementary costs|0||0|
`

describe('recipes of a price book', () => {
  test('have a percentage where the unit of a line is %, as its price is none', async () => {
    const text = `${HEAD}~C|A|m2|Painting|41.60|201126|0|\n~D|A|PN\\1\\2\\AUX\\1\\0.04\\|
~C|PN|h|Painter|20|201126|1|\n~C|AUX|%|Auxiliary means|4|201126|0|\n`
    const [recipe] = await recipesOf(text)
    expect(recipe?.components.map(({ kind }) => kind)).toEqual(['labor', 'percentage'])
    const prices: string[] = []
    for await (const batch of readBc3(bytesSource('f.bc3', Buffer.from(text)), { name: 'f.bc3', currency: 'EUR' }))
      for (const record of batch) prices.push(isBroken(record) ? record.reason : (record.fields.vendor_ref ?? ''))
    expect(prices).toEqual(['A', 'PN', 'NOT_A_PRICE'])
    const [old] = await recipesOf(text.replace('41.60', '40.16'))
    expect(old?.components.map(({ kind }) => kind)).toEqual(['labor', 'unclassified'])
  })

  test('name their components with kind, factor, yield and the file’s own price, before or after the recipe', async () => {
    const [recipe, ...others] = await recipesOf(EXAMPLE)
    expect(others).toEqual([])
    expect(recipe).toMatchObject({
      source: SOURCE,
      vendor_ref: 'EJ001',
      unit: 'kg',
      declared_price: '2.06',
      currency: 'EUR',
      observed_at: '2026-11-20T00:00:00Z',
    })
    expect(recipe?.components).toEqual([
      {
        position: 1,
        kind: 'material',
        vendor_ref: 'M001',
        name: 'Bars',
        unit: 'kg',
        factor: '1.05',
        yield: '1',
        price: '1.40',
      },
      {
        position: 2,
        kind: 'machinery',
        vendor_ref: 'Q001',
        name: 'Tool',
        unit: 'h',
        factor: '1',
        yield: '0.02',
        price: '3.50',
      },
      {
        position: 3,
        kind: 'labor',
        vendor_ref: 'O001',
        name: 'Fitter',
        unit: 'h',
        factor: '1',
        yield: '0.02',
        price: '21.00',
      },
      {
        position: 4,
        kind: 'percentage',
        vendor_ref: '%',
        name: 'Complementary costs',
        unit: '%',
        factor: '1',
        yield: '0.02',
        price: '0',
      },
    ])
  })

  test('read blank factors and yields as 1 and an explicit 0 as 0, and have a position', async () => {
    const text = `${HEAD}~C|A||a|1|201126|0|\n~C|B||b|1|201126|3|\n~C|C||c|1|201126|3|\n~D|A|B\\\\\\C\\0\\2\\|`
    const [outcome] = await outcomesOf(text, { currency: 'EUR' })
    expect(outcome?.position).toBe('bank.bc3 line 5 ~D A')
    expect(outcome && 'content' in outcome && outcome.content.components.map((c) => [c.factor, c.yield])).toEqual([
      ['1', '1'],
      ['0', '2'],
    ])
  })

  test('leave out chapters, the root, percentages and parametric families', async () => {
    const concepts = ['ROOT##', '01#', 'A%', 'P$', 'UNIT'].map((code) => `~C|${code}|u|n|5|201126|0|\n`).join('')
    const recipes = ['ROOT', '01', 'A%', 'P$', 'UNIT', 'GHOST'].map((code) => `~D|${code}|X\\1\\1\\|\n`).join('')
    expect((await recipesOf(HEAD + concepts + recipes)).map(({ vendor_ref }) => vendor_ref)).toEqual(['UNIT'])
  })

  test('come once, replaced by a later ~D and continued by ~Y', async () => {
    const text = `${HEAD}~C|A||a|1|201126|0|\n~D|A|OLD\\1\\1\\|~D|A|B\\1\\1\\|\n~Y|A|C\\1\\2\\|\n~C|C||c|9|201126|3|\n~D|C|B\\1\\1\\|\n~Y|C|D\\1\\1\\|`
    const found = await recipesOf(text)
    expect(
      found.map(({ vendor_ref, components }) => [vendor_ref, ...components.map((c) => [c.vendor_ref, c.kind])]),
    ).toEqual([
      ['A', ['B', 'unclassified'], ['C', 'auxiliary']],
      ['C', ['B', 'unclassified'], ['D', 'unclassified']],
    ])
  })

  test('have the rule that reproduces most declared prices of their file', async () => {
    // 7 units of 1.05 plus 5 % are 7.7175, in whole units 8. No other rule gives all three.
    const unit = (n: number, price: number) => `~C|U${n}|u|u|${price}|201126|0|\n~D|U${n}|M\\1\\${n}\\|\n`
    const text = `${HEAD}~K|2\\3\\3\\3\\2\\2\\2\\2\\ESP\\|5|\n~C|M|kg|m|1.05|201126|3|\n`
    const units = [unit(7, 8), unit(100, 110), unit(333, 367), unit(1_000, 1_103)].join('')
    const rules = (await recipesOf(text + units)).map(({ rule }) => rule)
    const rule = { percentages: 'share', line_decimals: 2, indirect_rate: '0.05', total_decimals: 0 }
    expect(rules).toEqual([rule, rule, rule, rule])
    const [alone] = await recipesOf(`${HEAD}~C|A||a|0|201126|0|\n~D|A|B\\1\\1\\|`, { currency: 'EUR' })
    expect(alone && 'rule' in alone).toBe(false)
  })

  test('have the rule of their own label, which may have another currency', async () => {
    const text = `~V|Bank|FIEBDC-3/2016\\20112026|p|Region\\Pesetas\\Euro\\|UTF-8|
~K|2\\3\\3\\3\\2\\2\\0\\2\\ESP\\2\\3\\3\\3\\2\\2\\2\\2\\EUR\\|0|
~C|A|u|a|17\\0.10|201126|0|\n~C|B|u|b|5.60\\0.0333|201126|3|\n~D|A|B\\1\\3\\|\n`
    expect((await recipesOf(text)).map(({ vendor_ref, rule }) => [vendor_ref, rule?.total_decimals])).toEqual([
      ['A@Pesetas', 0],
      ['A@Euro', 2],
    ])
  })

  test('beyond those that infer the rule are recorded too, wherever their concept stands', async () => {
    // The first three recipes have 5 % on their line, the other six do not.
    const prices = ['1.58', '2.63', '3.68', '4.50', '5.50', '6.50', '7.50', '8.50', '9.50']
    const units = prices.map((price, n) => `~D|U${n}|M\\1\\${n + 1}.5\\|\n~C|U${n}|u|u|${price}|201126|0|\n`)
    const text = `${HEAD}~K|2\\3\\3\\3\\2\\2\\2\\2\\EUR\\|5|\n~C|M|kg|m|1|201126|3|\n${units.join('')}`
    const found = await recipesOf(text, { ruleLinesMax: 3 })
    expect(found.map(({ vendor_ref, components }) => [vendor_ref, components[0]?.yield])).toEqual(
      prices.map((_, n) => [`U${n}`, `${n + 1}.5`]),
    )
    const rates = (recipes: typeof found) => new Set(recipes.map(({ rule }) => rule?.indirect_rate))
    expect([rates(found), rates(await recipesOf(text))]).toEqual([new Set(['0.05']), new Set(['0'])])
  })

  test('name the percentages of their lines where the file names them', async () => {
    const text = `${HEAD}~C|A|u|a|1|201126|0|\n~C|%X|%|x|0||%|\n~D|A||B\\1\\1\\%X;\\C\\1\\1\\\\%X\\1\\0.1\\\\|\n`
    const [recipe] = await recipesOf(text, { currency: 'EUR' })
    expect(recipe?.components.map(({ vendor_ref, percentages }) => [vendor_ref, percentages])).toEqual([
      ['B', ['%X']],
      ['C', undefined],
      ['%X', undefined],
    ])
  })

  test('are one for each price of a concept, priced and linked by its label', async () => {
    const text = `~V|Bank|FIEBDC-3/2016\\20112026|p|Region\\Norte\\Sur\\|UTF-8|
~C|A|u|a|10\\12|201126|0|\n~C|B|u|b|5\\6|201126|3|\n~C|C|u|c|7|201126|3|\n~C|E|u|e|0|201126|0|
~D|A|B\\1\\1\\C\\1\\1\\E\\1\\1\\|\n~D|E|B\\1\\1\\|\n`
    const found = await recipesOf(text)
    const told = found.map(({ vendor_ref, declared_price, components }) => [
      vendor_ref,
      declared_price,
      ...components.map((c) => `${c.vendor_ref} ${c.price}`),
    ])
    expect(told).toEqual([
      ['A@Norte', '10', 'B@Norte 5', 'C 7', 'E@Norte null'],
      ['A@Sur', '12', 'B@Sur 6', 'C 7', 'E@Sur null'],
      // Without a price of its own, it is computed, with one recipe for each label.
      ['E@Norte', null, 'B@Norte 5'],
      ['E@Sur', null, 'B@Sur 6'],
    ])
  })

  describe('after a change of codes', () => {
    const concept = (code: string, price = 1) => `~C|${code}|u|named ${code}|${price}|201126|3|\n`
    const told = async (text: string) =>
      (await recipesOf(HEAD + text, { currency: 'EUR' })).map(({ vendor_ref, components }) => [
        vendor_ref,
        ...components.map((c) => `${c.vendor_ref} ${c.name} ${c.price}`),
      ])

    test('keep their concept and the reference of its price', async () => {
      const text = `${concept('A', 5)}${concept('B', 2)}~B|A|A2|\n~B|B|B2|\n~D|A2|B2\\1\\1\\|\n`
      expect(await told(text)).toEqual([['A', 'B named B 2']])
      // A new price under the new code is observed under that code.
      expect(await told(`${text}${concept('B2', 3)}`)).toEqual([['A', 'B2 named B2 3']])
      expect(await told(`${concept('A')}${concept('B')}~D|A|B\\1\\1\\|\n~B|A|A2|\n~B|B|B2|\n`)).toEqual([
        ['A', 'B named B 1'],
      ])
    })

    test('that swaps two codes, recipes keep the meaning of the codes at their place', async () => {
      const swap = '~B|A|T|\n~B|B|A|\n~B|T|B|\n'
      const found = await told(
        `${concept('A', 5)}${concept('B', 2)}${concept('M')}~D|A|M\\1\\1\\|\n${swap}~D|A|B\\1\\1\\|\n~Y|B|M\\2\\1\\|\n`,
      )
      expect(found).toEqual([
        ['B', 'A named A 5'],
        ['A', 'M named M 1', 'M named M 1'],
      ])
    })

    test('to a taken code nothing changes, and a deleted concept has no recipe', async () => {
      const book = `${concept('A', 5)}${concept('B', 2)}~D|A|B\\1\\1\\|\n`
      expect(await told(`${book}~B|A|B|\n`)).toEqual([['A', 'B named B 2']])
      expect(await told(`${book}~B|B||\n`)).toEqual([['A', 'B  null']])
      expect(await told(`${book}~B|A||\n`)).toEqual([])
      expect(await told(`${book}~B|A||\n${concept('A', 9)}`)).toEqual([])
      expect(await told(`${book}~B|A||\n${concept('A', 9)}~Y|A|C\\1\\1\\|\n`)).toEqual([['A', 'C  null']])
    })
  })

  test.each([
    ['BAD_NUMBER', '~C|A||a|1|201126|0|\n~D|A|B\\x\\1\\|'],
    ['NO_LINES', '~C|A||a|1|201126|0|\n~D|A|\\|'],
    ['FUTURE_OBSERVATION', '~C|A||a|1|01122027|0|\n~D|A|B\\1\\1\\|'],
    ['BAD_RECORD', `~C|A||a|1|201126|0|\n~D|A|${'B'.repeat(301)}\\1\\1\\|`],
    ['BAD_RECORD', `~C|A||a|1|201126|0|\n~D|A|${'B\\1\\1\\'.repeat(10_001)}|`],
  ])('are refused with a reason: %s', async (reason, text) => {
    const [outcome, ...others] = await outcomesOf(HEAD + text)
    expect(others).toEqual([])
    expect(outcome).toMatchObject({ reason })
  })

  test('are refused without a date, and when the concepts of the file are too large', async () => {
    const undated = '~C|A||a|1||0|\n~D|A|B\\1\\1\\|'
    expect(await outcomesOf(undated, { currency: 'EUR' })).toMatchObject([{ reason: 'NO_DATE' }])
    expect(await outcomesOf(EXAMPLE, { charsMax: 200 })).toMatchObject([{ reason: 'TOO_LARGE' }])
  })

  test('contain no e-mail address and no character that a database refuses', async () => {
    const text = `${HEAD}~C|A||a|1|201126|0|\n~C|B|m\u00012|ask jane@example.org\u0002|1|201126|3|\n~D|A|B\\1\\1\\|`
    const [recipe] = await recipesOf(text)
    expect(recipe?.components[0]).toMatchObject({ name: 'ask', unit: 'm2' })
  })

  test('in a thousand pieces are read as fast as in one', async () => {
    const pieces = Array.from({ length: 100_000 }, (_, i) => `~Y|A|B${i % 7}\\1\\1\\|\n`).join('')
    const begun = performance.now()
    expect(await outcomesOf(`${HEAD}~C|A||a|1|201126|0|\n${pieces}`)).toMatchObject([{ reason: 'BAD_RECORD' }])
    expect(performance.now() - begun).toBeLessThan(10_000)
  })

  test('are read to the end from any bytes', async () => {
    const part = fc.constantFrom(
      '~C|A|',
      '~D|A|',
      '~Y|B|',
      'A\\1\\',
      '\\',
      '|',
      '~V|',
      '##',
      '%',
      '$',
      '\n',
      '\0',
      '5',
      'ñ',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 60 }), async (parts) => {
        for (const outcome of await outcomesOf(parts.join(''))) expect(outcome.position).toMatch(/^bank\.bc3/)
      }),
      { numRuns: 200 },
    )
  })
})

/** Runs on real files where their folder exists. */
const FOLDER = resolve(process.env.REAL_INPUTS_DIR ?? '../shared/data', 'bc3')
const files = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => /\.bc3$/i.test(name)) : []

describe.skipIf(files.length === 0)('real price books', () => {
  test.each(files)('%s: a recipe has the reference of its price, and so have its components', async (name) => {
    const bytes = readFileSync(join(FOLDER, name))
    const source = bytesSource(name, bytes)
    const observed = new Set<string>()
    for await (const batch of readBc3(source, { name, currency: 'EUR', observedAt: '2026-01-01' })) {
      for (const record of batch) if (!isBroken(record)) observed.add(record.fields.vendor_ref as string)
    }
    const found = await recipesOf(bytes, { currency: 'EUR', observedAt: '2026-01-01' })
    for (const { vendor_ref, declared_price, components } of found) {
      expect([vendor_ref, observed.has(vendor_ref)]).toEqual([vendor_ref, declared_price !== null])
      for (const { vendor_ref, price, kind, unit } of components) {
        // A unit of per cent marks a percentage, whatever its code.
        if (kind !== 'percentage' && unit !== '%')
          expect([vendor_ref, observed.has(vendor_ref)]).toEqual([vendor_ref, Number(price) !== 0])
      }
    }
  })
})
