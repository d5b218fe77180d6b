import { instant } from '@catalog/core/time.ts'
import { retract } from '@catalog/operations/decisions/retract.ts'
import { changeTrust } from '@catalog/operations/decisions/trust.ts'
import { catalogOf } from '@catalog/stack/path/commands.ts'
import { event } from '@catalog/stack/testing/events.ts'
import { openProposals } from '@catalog/store/vendor/matching.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { HEAD, line, mappingOf, NAME, openAttacks } from './attack.ts'

const { path, send, run, look, begin, held } = await openAttacks()
beforeEach(() => begin())

const GTIN = '4006381333931'
const OTHER_GTIN = '4006381333948'
const MAPPING = mappingOf('gtin: gtin, manufacturer_ref: maker')
type Offer = Readonly<{ name: string; gtin?: string; maker?: string; price?: string; unit?: string }>
const offers = (...all: readonly Offer[]) =>
  [
    `${HEAD};gtin;maker`,
    ...all.map(
      ({ name, gtin = '', maker = '', price = '4,71', unit = 'm2' }, at) =>
        `${line(price, { ref: `R${at}`, name, unit, date: '09/03/2026' })};${gtin};${maker}`,
    ),
  ].join('\n')
const sendOffers = (source: string, trust: number, ...all: readonly Offer[]) =>
  send({ source, trust, text: offers(...all), mapping: MAPPING })
/** Names of the vendors in each item, by item. */
async function items(): Promise<string[]> {
  const rows = await path.store.query<{ names: string }>(
    `select string_agg(name, ' + ' order by name) as names from sources join vendor_skus using (source)
       join memberships using (sku) where name not in ('Almacenes Norte', 'Bricomart', 'Materiales Sur')
       group by item order by names`,
  )
  return rows.map(({ names }) => names)
}
const proposed = async () => (await openProposals(path.store, { after: null, limit: 10 })).map(({ why }) => why)

describe('a number alone', () => {
  test.each([
    ['GTIN', { gtin: GTIN }],
    ['reference', { maker: 'AB-482001' }],
    ['reference with its brand', { maker: 'Knauf 482001' }],
  ])(
    'a %s on another article joins nobody whose name has no word in common, and waits in review',
    async (_of, number) => {
      await sendOffers('Falso', 50, { name: NAME, ...number })
      await sendOffers('Honesto', 60, { name: 'Ladrillo perforado', ...number })
      await held()
      expect(await items()).toEqual(['Falso + Obramat', 'Honesto'])
      expect(await proposed()).toEqual([[`same ${'gtin' in number ? 'gtin' : 'ref'}, no common word`]])
    },
  )

  test('joins two languages of one thing', async () => {
    await sendOffers('Uno', 50, { name: 'Ladrillo', gtin: GTIN })
    await sendOffers('Dos', 50, { name: 'Brick', gtin: GTIN })
    await held()
    expect(await items()).toEqual(['Dos + Uno', 'Obramat'])
  })

  test('joins nothing against its size, whatever words they share', async () => {
    await sendOffers('Falso', 50, { name: NAME, gtin: GTIN })
    await sendOffers('Honesto', 60, { name: 'Placa de yeso laminado 15 mm', gtin: GTIN })
    await held()
    expect(await items()).toEqual(['Falso + Obramat', 'Honesto'])
  })

  test('of a vendor of trust 0 joins nobody, and keeps nobody out', async () => {
    await sendOffers('Falso', 0, { name: NAME, gtin: GTIN }, { name: 'Placa aislante', gtin: OTHER_GTIN })
    await sendOffers('Honesto', 60, { name: NAME, gtin: OTHER_GTIN }, { name: 'Placa aislante XPS', gtin: GTIN })
    await held()
    const heard = (await items()).map((names) => names.replace('Falso + ', ''))
    expect(heard).toEqual(expect.arrayContaining(['Honesto', 'Honesto + Obramat']))
  })
})

describe('evidence that falls away', () => {
  const silence = () => changeTrust(catalogOf(path), { source: 'Falso', score: '0', reason: 'swapped numbers' })
  const takeBack = () => retract(catalogOf(path), { source: 'Falso', reason: 'swapped numbers', dryRun: false })

  test.each([
    ['retracted', takeBack],
    ['without trust', silence],
  ])('is %s: the next run opens what it linked, once, and says so', async (_how, undo) => {
    const before = await look()
    await sendOffers('Falso', 50, { name: NAME, gtin: GTIN })
    await run()
    await sendOffers('Honesto', 40, { name: 'Placa aislante', gtin: GTIN, price: '4,90' })
    await sendOffers('Otro', 40, { name: 'Placa aislante fina', gtin: GTIN, price: '4,80' })
    await held()
    expect(await items()).toEqual(['Falso + Honesto + Obramat + Otro'])
    const seq = await path.seq()
    path.nowMs += 60_000
    await undo()
    const after = await held()
    expect(await items()).toEqual(['Falso + Obramat', 'Honesto + Otro'])
    const told = ({ cents, state: { item, markets } }: typeof after) => [
      cents,
      item.name,
      item.vendor_count,
      item.observation_count,
      ...markets.map((market) => market.vendor_count),
    ]
    expect(told(after)).toEqual(told(before))
    expect((await look('Honesto')).state.item).toMatchObject({
      vendor_count: 2,
      name: expect.stringContaining('aislante'),
    })
    expect(await path.seq()).toBe(seq + 2)
    expect(await proposed()).toContainEqual(['its link is retracted or without trust'])
    await held()
    expect(await path.seq()).toBe(seq + 2)
  })

  test('that another vendor gives too stays', async () => {
    await sendOffers('Falso', 50, { name: NAME, gtin: GTIN })
    await run()
    await sendOffers('Honesto', 40, { name: 'Placa aislante', gtin: GTIN })
    await sendOffers('Otro', 40, { name: NAME, gtin: GTIN })
    await held()
    const before = await items()
    path.nowMs += 60_000
    await silence()
    await held()
    expect(await items()).toEqual(before)
  })

  test('of an item that a person confirmed opens nothing', async () => {
    await sendOffers('Falso', 50, { name: NAME, gtin: GTIN })
    await run()
    await sendOffers('Honesto', 40, { name: 'Placa aislante', gtin: GTIN })
    await held()
    const { id } = (await look()).state.item
    const skus = await path.store.query<{ id: string }>(`select vendor_sku_id as id from vendor_skus`)
    path.nowMs += 60_000
    await path.append([
      event({
        type: 'ItemConfirmed',
        decided_at: instant(new Date(path.nowMs)),
        item_id: id,
        vendor_sku_ids: skus.map((sku) => sku.id),
        reason: 'looked',
      }),
    ])
    await silence()
    await held()
    expect(await items()).toEqual(['Falso + Honesto + Obramat'])
  })
})
