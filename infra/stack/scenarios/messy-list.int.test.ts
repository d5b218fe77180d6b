import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aggregate } from '@catalog/aggregator/run.ts'
import { answerReports, crawlInputs, inputsOf } from '@catalog/cli/crawl/crawl-inputs.ts'
import { showTaxRules } from '@catalog/cli/review/decision-lists.ts'
import type { Terminal } from '@catalog/cli/shared/terminal.ts'
import type { Basis } from '@catalog/core/events/items.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { resolveDeadLetters } from '@catalog/operations/decisions/dead-letters.ts'
import { editDeadLetter } from '@catalog/operations/decisions/edit-dead-letter.ts'
import { retract } from '@catalog/operations/decisions/retract.ts'
import { setTaxRule } from '@catalog/operations/decisions/tax.ts'
import { aliasUnit } from '@catalog/operations/decisions/units.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import { listening, openTestCatalog } from '@catalog/stack/testing/cli.ts'
import { openDeadLetters, readCounts } from '@catalog/store/builds/status.ts'
import { readUnknownUnits } from '@catalog/store/vendor/unknown-units.ts'
import { expect, test } from 'vitest'

/** The steps of docs/dead-letters.md, "A messy list, step by step". */
/** The catalog runs at the present instant, so the list is of yesterday. */
const YESTERDAY = instant(new Date(Date.now() - DAY_MS)).slice(0, 10)
const DATE = YESTERDAY.split('-').reverse().join('/')
const LIST = `sku;descripcion;unidad;precio con IVA;moneda;fecha
A1;Placa de yeso laminado 13 mm;m2;5,87;EUR;${DATE}
A2;Rejilla electrosoldada tramex 30x30;tramex;61,20;EUR;${DATE}
B7;Saco de cemento CEM II 32,5 25 kg;saco 25 kg;4,45;EUR;${DATE}
B7;Saco de cemento CEM II 32,5 25 kg;palet 56 sacos;229,00;EUR;${DATE}
C3;Ladrillo perforado 24x11,5x7;ud;0,31;EUR;31/02/2026
`
const mappingOf = (ref: string) =>
  `columns: { vendor_ref: ${ref}, name: descripcion, unit: unidad, price: precio con IVA, currency: moneda, observed_at: fecha }
constants: { tax_included: yes }`

test('a list with wrong tax, an unknown unit, a conflict and a bad date becomes clean without an edit of the file', async () => {
  await using opened = await openTestCatalog()
  const { folder, catalog } = opened
  const path = join(folder, 'norte.csv')
  writeFileSync(path, LIST)
  const said = async (title: string, command: (terminal: Terminal) => Promise<unknown>) => {
    const { heard, terminal } = listening({ json: false })
    await command(terminal)
    await catalog.catchUp()
    process.stdout.write(`$ ${title}\n${heard.text}\n`)
    return heard
  }
  const open = () => openDeadLetters(catalog.store, { limit: 100 })
  const crawl = (ref: string) => async (terminal: Terminal) => {
    const mapping = join(folder, 'norte.yaml')
    writeFileSync(mapping, mappingOf(ref))
    const inputs = inputsOf([path], { source: 'Norte', region: 'ES', mapping })
    answerReports(terminal, await crawlInputs(catalog, terminal, inputs))
  }

  const first = await said('catalog crawl', crawl('sku'))
  expect(first.next).toMatch(/catalog parked names the mapping; then catalog retract --crawl crawl_/)
  expect((await open()).map(({ reason }) => reason).sort()).toEqual(['BAD_DATE', 'SKU_CONFLICT', 'SKU_CONFLICT'])
  expect((await open()).some(({ detail }) => detail.includes('vendor_ref: [sku, unidad]'))).toBe(true)

  const [conflict] = await open()
  await said('catalog retract', () =>
    retract(catalog, { crawl: conflict?.crawl_id as string, reason: 'references not unique', dryRun: false }),
  )
  await said('catalog crawl', crawl('[sku, unidad]'))
  await said('catalog parked resolve', () =>
    resolveDeadLetters(catalog, { ids: [], of: 'SKU_CONFLICT', as: 'recorded', reason: 'recorded anew' }),
  )
  const [badDate, ...others] = await open()
  expect([badDate?.reason, others]).toEqual(['BAD_DATE', []])
  await said('catalog parked edit', () =>
    editDeadLetter(catalog, {
      id: badDate?.parked_id as string,
      set: ['vendor_ref=C3|ud', `observed_at=${YESTERDAY}`],
      reason: 'asked the vendor',
    }),
  )
  await said('catalog units alias', () =>
    aliasUnit(catalog, { unit: 'tramex', canonical: 'm2', reason: 'sold by the square metre' }),
  )
  await said('catalog tax set', () =>
    setTaxRule(catalog, {
      region: 'ES',
      flags: { grossWithoutRate: 'standard_rate', reason: 'for consumers' },
    }),
  )
  const tax = await said('catalog tax', (terminal) => showTaxRules({ catalog, terminal }))
  expect(tax.text).not.toContain('does not read these rules')
  const asOf = instant(catalog.now())
  await aggregate(catalog.aggregator, { asOf })

  expect(await readCounts(catalog.store)).toMatchObject({ parked: 0, items: 5, items_priced: 5 })
  expect(await readUnknownUnits(catalog.store, asOf)).toEqual([])
  const items = await catalog.store.query<{ name: string; cents: number; basis: string }>(
    `select name, (item_json::jsonb->'median_price'->>'cents')::int as cents, basis from items where state = 'active' order by name`,
  )
  // 5.87 with 21 % of tax is 4.85 without.
  expect(items.find(({ name }) => name.startsWith('Placa'))?.cents).toBe(485)
  for (const { basis } of items) expect((JSON.parse(basis) as Basis).excluded).toEqual([])
  expect((await verify(catalog)).filter(({ ok }) => !ok)).toEqual([])
}, 120_000)
