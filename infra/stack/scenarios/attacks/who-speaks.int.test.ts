import { parseMapping } from '@catalog/formats/mapping/mapping.ts'
import { retract } from '@catalog/operations/decisions/retract.ts'
import { changeTrust } from '@catalog/operations/decisions/trust.ts'
import { catalogOf } from '@catalog/stack/path/commands.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { FAR, HEAD, HONEST, line, mappingOf, NAME, openAttacks } from './attack.ts'

const EU = 'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ')
const countries = (regions: readonly string[]) =>
  [`${HEAD};region`, ...regions.map((region) => `${line('14,90', { date: '09/03/2026' })};${region}`)].join('\n')

const { path, send, run, begin, held } = await openAttacks()
beforeEach(() => begin())

const invented = (count: number) =>
  [`${HEAD};vendor;trust`, ...Array.from({ length: count }, (_, i) => `${FAR};Vendor ${i};100`)].join('\n')

describe('a file that says who speaks', () => {
  test('its columns of vendors and trust are not heard', async () => {
    await send({ source: 'Falso', text: invented(4).replaceAll('PYL-13', 'X'), mapping: null })
    const sources = await path.store.query<{ name: string; trust: number }>(
      `select name, trust_score as trust from sources`,
    )
    expect(sources.filter(({ name }) => name.startsWith('Vendor'))).toEqual([])
    await held()
  })

  test('a mapping without leave refuses them', async () => {
    expect(() => parseMapping(mappingOf('source: vendor'), 'm.yaml')).toThrow('sources')
    const report = await send({
      source: 'Falso',
      text: invented(4),
      mapping: mappingOf('source: vendor, trust: trust', 'sources: { allow: [Falso] }'),
    })
    expect(report?.parked).toMatchObject({ SOURCE_NOT_ALLOWED: 4 })
    await held()
  })

  test('a file chooses no id, whatever its mapping allows', async () => {
    for (const rule of ['[Falso]', '[Falso, Obramat]', 'any']) {
      const mapping = mappingOf('source: vendor, source_id: id', `sources: { allow: ${rule} }`)
      expect(() => parseMapping(mapping, 'm.yaml')).toThrow('never chooses the id')
    }
    const [obramat] = await path.store.query<{ id: string }>(
      `select source_id as id from sources where name = 'Obramat'`,
    )
    const mapping = mappingOf('source: vendor', 'sources: { allow: [Falso] }')
    const text = [`${HEAD};vendor;id;source_id`, `${FAR};Falso;${obramat?.id};${obramat?.id}`].join('\n')
    expect((await send({ source: 'Falso', text, mapping }))?.sources.map(({ name }) => name)).toEqual(['Falso'])
    await held()
  })

  test('a mapping that allows any is refused until a person lets new sources in', async () => {
    const mapping = mappingOf('source: vendor, trust: trust', 'sources: { allow: any }')
    await expect(send({ source: 'Falso', text: invented(4), mapping })).rejects.toThrow('the catalog has never met')
    await held()
    await send({ source: 'Falso', text: invented(4), mapping, newSources: true })
    const trusts = await path.store.query<{ trust: number }>(
      `select trust_score as trust from sources where name like 'Vendor%'`,
    )
    expect(trusts.map(({ trust }) => trust)).toEqual([50, 50, 50, 50])
    const after = await held()
    expect(after.excluded).toEqual(['FIRST_PRICE_QUARANTINED'])
  })

  test('the countries of a listed name wait for a person, and then cast one vote', async () => {
    const mapping = mappingOf('region: region', 'sources: { allow: [Falso] }')
    const text = countries(EU)
    await expect(send({ source: 'Falso', text, mapping })).rejects.toThrow('26 sources that the catalog has never met')
    await send({ source: 'Falso', text, mapping, newSources: true })
    await send({ source: 'Falso', text: text.replaceAll('09/03', '10/03'), mapping })
    const { state } = await held()
    expect(state.item.vendor_count).toBe(5)
    expect(state.markets.map(({ region, vendor_count }) => [region, vendor_count])).toEqual([
      ['ES', 5],
      ['EU', 5],
    ])
  })

  test('one command by their name silences or retracts them, after it listed them', async () => {
    const mapping = mappingOf('region: region')
    await send({ source: 'Falso', text: countries(EU), mapping, newSources: true })
    await run()
    const catalog = catalogOf(path)
    const listed = /expected an id, or --all, because several have that name: (Falso [A-Z]{2} \(src_\w+\)(, )?){27}$/
    const silence = { source: 'Falso', score: '0', reason: 'a bad export' }
    await expect(changeTrust(catalog, silence)).rejects.toThrow(listed)
    expect((await changeTrust(catalog, { ...silence, all: true })).said).toMatch(
      /^all 27 sources named Falso have trust 0/,
    )
    expect((await held()).state.item.vendor_count).toBe(4)
    const taken = { source: 'Falso', reason: 'a bad export' }
    await expect(retract(catalog, { ...taken, dryRun: true })).rejects.toThrow(listed)
    const tooLong = { ...taken, all: true, dryRun: false, reason: 'a'.repeat(1_001) }
    await expect(retract(catalog, tooLong)).rejects.toThrow(/^reason: .*1000 characters/)
    expect((await retract(catalog, { ...taken, all: true, dryRun: true })).said).toBe(
      'would retract 27 of 27 observations in 1 item',
    )
    expect((await retract(catalog, { ...taken, all: true, dryRun: false })).said).toBe(
      'retracted 27 of 27 observations in 1 item',
    )
    await held()
    expect(await path.store.query(`select from hidden_observations('{}')`)).toHaveLength(27)
  })

  test('a JSON file cannot name its source, region or trust either', async () => {
    const text = JSON.stringify([
      {
        sku: 'X',
        name: NAME,
        unit: 'm2',
        price: 0.05,
        currency: 'EUR',
        source: 'Obramat',
        vendor: 'Obramat',
        trust: 100,
        region: 'MX',
        date: '2026-03-09',
      },
    ])
    await send({ source: 'Falso', text, file: 'prices.json', mapping: null })
    expect(await path.store.query(`select from sources where name = 'Obramat'`)).toHaveLength(1)
    await held()
  })

  test('the brand of a shop’s export is no vendor', async () => {
    const text = [
      'Handle,Title,Vendor,Variant SKU,Variant Price,Variant Barcode',
      ...['Obramat', 'Bricomart', 'Knauf'].map((brand, i) => `pyl-${i},${NAME},${brand},S${i},0.05,`),
    ].join('\n')
    await send({ source: 'Falso', text, mapping: null, currency: 'EUR', observedAt: '2026-03-09' })
    const [row] = await path.store.query<{ sources: number }>(`select count(*)::int as sources from sources`)
    expect(row?.sources).toBe(HONEST.length + 1)
    await held()
  })
})
