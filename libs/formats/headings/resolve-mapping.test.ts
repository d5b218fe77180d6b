import { describe, expect, test } from 'vitest'
import { guessColumns, resolveMapping } from './resolve-mapping.ts'

describe('a mapping', () => {
  test('finds its columns despite case, accents and blanks, and names missing ones', () => {
    const mapping = { columns: { vendor_ref: 'codigo', name: 'Nombre', price: 'PVP' } }
    const { resolved, missing } = resolveMapping(mapping, ['CÓDIGO ', 'Nombre', 'Precio'])
    expect(resolved.columns).toMatchObject({ vendor_ref: 'CÓDIGO ', name: 'Nombre' })
    expect(resolved.guessed).toEqual([])
    expect(missing).toEqual(["price: no column 'PVP'"])
  })

  test('without columns guesses them, and a constant overrides a guess', () => {
    const { resolved, missing } = resolveMapping({ constants: { unit: 'u' } }, ['Ref.', 'Nombre', 'Ud', 'Precio (€)'])
    expect(resolved.columns).toEqual({ vendor_ref: 'Ref.', name: 'Nombre', price: 'Precio (€)' })
    expect(resolved.constants).toEqual({ unit: 'u', currency: 'EUR' })
    expect(resolved.guessed).toEqual(['vendor_ref', 'name', 'price', 'currency'])
    expect(missing).toEqual([])
    expect(resolveMapping({}, ['a', 'b']).missing).toHaveLength(3)
  })
})

test.each([
  [
    'es',
    ['Código', 'Descripción', 'Ud.', 'PVP', 'Fecha', 'Familia', 'EAN'],
    ['vendor_ref', 'name', 'unit', 'price', 'observed_at', 'category_path', 'gtin'],
  ],
  [
    'en',
    ['SKU', 'Product name', 'Description', 'UoM', 'Unit price', 'Currency', 'Vendor'],
    ['vendor_ref', 'name', 'description', 'unit', 'price', 'currency'],
  ],
  [
    'pt',
    ['Referência', 'Designação', 'Unidade', 'Preço unitário', 'Moeda', 'Data'],
    ['vendor_ref', 'name', 'unit', 'price', 'currency', 'observed_at'],
  ],
  [
    'fr',
    ['Code article', 'Libellé', 'Unité', 'Prix HT', 'TVA', 'Fournisseur'],
    ['vendor_ref', 'name', 'unit', 'price', 'tax_rate'],
  ],
  [
    'de',
    ['Artikel-Nr.', 'Bezeichnung', 'Mengeneinheit', 'Einzelpreis', 'Währung', 'Warengruppe'],
    ['vendor_ref', 'name', 'unit', 'price', 'currency', 'category_path'],
  ],
  [
    'it',
    ['Codice articolo', 'Descrizione', 'Unità di misura', 'Prezzo', 'Categoria'],
    ['vendor_ref', 'name', 'unit', 'price', 'category_path'],
  ],
])('recognises well-known headings in %s', (_language, headings, keys) => {
  expect(guessColumns(headings).columns).toEqual(Object.fromEntries(keys.map((key, i) => [key, headings[i]])))
})

test('an ambiguous heading of goods is the name when no other column is', () => {
  expect(guessColumns(['Ref.', 'Artículo', 'PVP']).columns).toMatchObject({ vendor_ref: 'Ref.', name: 'Artículo' })
  expect(guessColumns(['Código', 'Artículo', 'Descripción']).columns).toMatchObject({ name: 'Descripción' })
  expect(guessColumns(['Artículo', 'Precio']).columns).toEqual({ vendor_ref: 'Artículo', price: 'Precio' })
})

test.each(['Unidad de precio', 'Preisbasis', 'Prix pour', 'PE'])(
  'recognises %s as the base quantity of a price',
  (heading) => {
    expect(guessColumns(['Ref.', 'Nombre', 'Precio', heading]).columns).toMatchObject({ per_quantity: heading })
  },
)

test('the total of a bill is no price, and a net price precedes a list one', () => {
  const priceOf = (...headings: readonly string[]) => guessColumns(['Ref.', 'Nombre', ...headings]).columns.price
  expect(priceOf('Cantidad', 'Importe')).toBeUndefined()
  expect(priceOf('Importe')).toBe('Importe')
  expect(priceOf('Cantidad', 'Importe', 'Precio')).toBe('Precio')
  expect(priceOf('Listenpreis', 'Nettopreis')).toBe('Nettopreis')
})

test('recognises a price heading with full stops', () => {
  expect(guessColumns(['Cód.', 'Descripción', 'P.V.P. (EUR)'])).toMatchObject({
    columns: { price: 'P.V.P. (EUR)' },
    stated: { currency: 'EUR' },
  })
})

test.each([
  ['Preis (exkl. MwSt.)', { tax_included: 'no' }],
  ['Price incl. VAT (GBP)', { tax_included: 'yes', currency: 'GBP' }],
  ['Precio sin IVA', { tax_included: 'no' }],
  ['Prezzo IVA inclusa', { tax_included: 'yes' }],
  ['€/m²', { unit: 'm²', currency: 'EUR' }],
  ['Preis/m²', { unit: 'm²' }],
  ['Price per kg', { unit: 'kg' }],
])('the heading %s of a price states %j', (heading, stated) => {
  const { resolved, missing } = resolveMapping({}, ['SKU', 'Name', 'Unit', heading])
  expect(missing).toEqual([])
  expect(resolved.columns.price).toBe(heading)
  expect(resolved.constants).toEqual(stated)
  expect(resolved.columns.unit).toBe('unit' in stated ? undefined : 'Unit')
})

test.each([
  ['€/m²', '€/box'],
  ['Preis exkl. MwSt.', 'Preis inkl. MwSt.'],
  ['Price per 100'],
  ['Price per user'],
  ['exkl. MwSt.'],
])('headings that leave the price open name none: %s %s', (...headings) => {
  expect(guessColumns(['SKU', 'Name', ...headings]).columns.price).toBeUndefined()
})

test('finds prices in the objects of shop APIs', () => {
  const woo = guessColumns(['id', 'name', 'sku', 'prices.price', 'prices.regular_price', 'prices.currency_code'])
  expect(woo.columns).toMatchObject({ vendor_ref: 'sku', price: 'prices.price', currency: 'prices.currency_code' })
  const hybris = guessColumns(['code', 'name', 'price.value', 'price.currencyIso', 'price.formattedValue'])
  expect(hybris.columns).toMatchObject({ vendor_ref: 'code', price: 'price.value', currency: 'price.currencyIso' })
})

test.each([
  ['vendor', 'source'],
  ['proveedor', 'source'],
  ['country', 'region'],
  ['trust score', 'trust'],
  ['trust', 'trust'],
  ['kind', 'kind'],
  ['validity_days', 'validity_days'],
  ['updated at', 'observed_at'],
  ['last updated', 'observed_at'],
] as const)('the heading %s gives no %s', (heading, key) => {
  expect(guessColumns(['sku', 'name', 'price', heading]).columns[key]).toBeUndefined()
})
