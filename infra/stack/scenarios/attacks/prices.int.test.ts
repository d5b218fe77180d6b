import { acceptSpellings } from '@catalog/operations/decisions/vendor-spellings.ts'
import { catalogOf, heardBy } from '@catalog/stack/path/commands.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { FAR, HONEST, line, list, NAME, openAttacks } from './attack.ts'

const { path, send, run, begin, held } = await openAttacks()
beforeEach(() => begin())

test('copied references of a known vendor stay the copier’s own', async () => {
  await send({ source: 'Falso', text: list(FAR) })
  const refs = await path.store.query(`select from vendor_skus where vendor_ref = 'PYL-13'`)
  expect(refs).toHaveLength(HONEST.length + 1)
  expect((await held()).excluded).toEqual(['FIRST_PRICE_QUARANTINED'])
})

test.each([
  ['a first price × 100', '471,00'],
  ['a first price / 100', '0,05'],
  ['a price for the pallet', '235,00'],
])('%s waits in quarantine', async (_attack, price) => {
  await send({ source: 'Falso', text: list(line(price, { date: '09/03/2026' })) })
  expect((await held()).excluded).toEqual(['FIRST_PRICE_QUARANTINED'])
})

test.each([
  ['a known vendor’s next price × 100', '471,00'],
  ['a known vendor’s next price / 100', '0,05'],
])('%s meets the fence', async (_attack, price) => {
  await send({ ...HONEST[0], source: 'Obramat', text: list(line(price, { date: '09/03/2026' })) })
  expect((await held()).excluded).toEqual(['PRICE_FENCE'])
})

test('a slip that two crawls repeat is outvoted', async () => {
  for (const date of ['08/03/2026', '09/03/2026']) await send({ source: 'Falso', text: list(line('471,00', { date })) })
  const after = await held()
  expect(after.votes).toBe(5)
})

test('two prices of one file do not confirm each other', async () => {
  const text = list(line('471,00', { date: '08/03/2026' }), line('471,00', { date: '09/03/2026' }))
  await send({ source: 'Falso', text })
  expect((await held()).excluded).toEqual(['FIRST_PRICE_QUARANTINED'])
})

test.each([
  ['gross instead of net', '5,70', 'no'],
  ['gross without a rate', '5,70', 'yes'],
  ['net called gross', '3,89', 'yes'],
])('a vendor that flips its tax (%s) is outvoted', async (_attack, price, tax) => {
  await send({ source: 'Obramat', trust: 70, text: list(line(price, { date: '09/03/2026', tax })) })
  await held()
})

describe('one vendor under several spellings', () => {
  const SPELLINGS = ['Falso, S.L.', 'FALSO SL', 'Falso S.L.U.', 'Falso', 'Falso SA']
  test.each([2, 5])('%i spellings cast one vote once a person accepts the proposals', async (count) => {
    for (const source of SPELLINGS.slice(0, count))
      await send({ source, trust: 40, text: list(line('6,90', { date: '09/03/2026' })) })
    await run()
    const asked = { pair: [], all: true, reason: 'one company' }
    const { answers } = await heardBy(catalogOf(path), (catalog) => acceptSpellings(catalog, asked))
    expect(answers[0]).toMatchObject({ accepted: expect.objectContaining({ length: count - 1 }) })
    const after = await held()
    expect([after.votes, after.excluded]).toEqual([5, ['SAME_VENDOR']])
  })
})

test('a flood of like names from one source casts one vote', async () => {
  const lines = Array.from({ length: 50 }, (_, i) => line('4,40', { ref: `F${i}`, date: '09/03/2026' }))
  await send({ source: 'Falso', text: list(...lines) })
  expect((await held()).votes).toBe(5)
})

test.each([
  ['a price in an unknown unit', 'm2 aprox.'],
  ['a price by the kilogram', 'kg'],
  ['a price by the square centimetre', 'cm2'],
])('%s stands in an item of its own', async (_attack, unit) => {
  await send({ source: 'Falso', text: list(line('0,05', { unit, date: '09/03/2026' })) })
  expect((await held()).votes).toBe(4)
  expect(await path.store.query(`select from items where state = 'active'`)).toHaveLength(2)
})

test('another currency settles nothing against more trust', async () => {
  await send({
    source: 'Falso',
    trust: 100,
    text: list(line('4,71', { currency: 'USD', date: '09/03/2026' })),
  })
  expect((await held()).excluded).toEqual(['OTHER_CURRENCY'])
})

test('a vendor in quarantine names nothing', async () => {
  await send({
    source: 'Falso',
    trust: 100,
    text: list(line('0,05', { name: NAME.toUpperCase(), date: '09/03/2026' })),
  })
  expect((await held()).excluded).toEqual(['FIRST_PRICE_QUARANTINED'])
})

describe('a name with special digits', () => {
  const plain = (name: string) => list(line('4,71', { ref: 'P', name }))
  const items = async () =>
    (await path.store.query<{ name: string }>(`select name from items where state = 'active' order by name`)).map(
      ({ name }) => name,
    )

  test.each([
    ['Perfil omega 5⁰ mm', 'Perfil omega 50 mm'],
    ['Perfil omega serie 2²', 'Perfil omega serie 22'],
    ['Perfil omega A²', 'Perfil omega A2'],
    ['Perfil omega serie ⑤', 'Perfil omega serie 5'],
    ['Perfil omega serie 5₀', 'Perfil omega serie 50'],
    ['Perfil omega 5¼0 mm', 'Perfil omega 51/40 mm'],
  ])('%s is not %s', async (special, name) => {
    await send({ source: 'Primero', text: plain(name) })
    await send({ source: 'Falso', trust: 100, text: plain(special) })
    await held()
    expect(await items()).toHaveLength(3)
  })

  test('with a power of a unit is the same product', async () => {
    await send({ source: 'Primero', text: plain('Cable flexible 2,5 mm²') })
    await send({ source: 'Norte', text: plain('Cable flexible 2,5 mm2') })
    await held()
    expect(await items()).toHaveLength(2)
  })
})
