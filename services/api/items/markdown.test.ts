import type { ItemDetail } from '@catalog/api/contract/contract.ts'
import { expect, test } from 'vitest'
import { itemMarkdown } from './markdown.ts'

const item: ItemDetail['item'] = {
  id: 'ci_a',
  name: 'Cement',
  unit: null,
  cpv: null,
  category_id: null,
  vendor_count: 0,
  observation_count: 0,
  median_price: null,
  updated_at: '2026-11-20T02:00:00Z',
}
const vendor = (source: Partial<ItemDetail['vendors'][number]['source']>): ItemDetail['vendors'][number] => ({
  vendor_sku_id: 'vsku_a',
  source: { name: 'Shop', region: null, trust_score: 80, url: null, ...source },
  price: { cents: 12_990, currency: 'CLP' },
  unit: null,
  observed_at: '2026-11-19T00:00:00Z',
})

test('an item without a price, vendors or history takes a few lines', () => {
  expect(itemMarkdown({ item, vendors: [], price_history: [] })).toBe(
    '# Cement\n\n- Price: none at present\n- Id: ci_a\n- Vendors: 0, observations: 0\n- Updated: 2026-11-20T02:00:00Z\n',
  )
})

test('a market says its own price, and the headline after it', () => {
  const median_price = { cents: 735, currency: 'EUR', recorded_at: null }
  const detail = { item: { ...item, median_price }, vendors: [], price_history: [] }
  const headline = { cents: 900, currency: 'USD', recorded_at: null }
  const beginning = (market: Parameters<typeof itemMarkdown>[1]) => itemMarkdown(detail, market).split('\n').slice(2, 4)
  expect(beginning({ market: { region: 'ES', headline } })).toEqual([
    '- Price: 7.35 EUR, net of tax, trust-weighted median',
    '- Market: ES. Headline, in the currency with the most trust: 9.00 USD',
  ])
  expect(beginning({ market: { region: 'ES', headline: null } })[1]).toContain(': no price')
  expect(beginning({})[1]).toBe('- Id: ci_a')
})

test('prices carry their currency with its own number of decimals', () => {
  const markdown = itemMarkdown({
    item: { ...item, unit: '25 kg', median_price: { cents: 5, currency: 'EUR', recorded_at: '2026-11-01T02:00:00Z' } },
    vendors: [vendor({})],
    price_history: [{ recorded_at: '2026-11-01T02:00:00Z', price_cents: 1, currency: 'XQQ' }],
  })
  expect(markdown).toContain(
    '- Price: 0.05 EUR per 25 kg, net of tax, trust-weighted median, unchanged since 2026-11-01T02:00:00Z\n',
  )
  expect(markdown).toContain('| Shop | - | 80 | 12990 CLP | - | - | - | 2026-11-19T00:00:00Z |')
  expect(markdown).toContain('| 2026-11-01T02:00:00Z | 1 minor units of XQQ |')
})

test('a price as published stands beside the net one that votes, and the median beside its newest price', () => {
  const median_price = { cents: 551, currency: 'PEN', recorded_at: '2026-11-20T02:00:00Z' }
  const published = { ...vendor({}), price: { cents: 650, currency: 'PEN' }, unit: 'm' }
  const detail = {
    item: { ...item, unit: 'm', median_price },
    vendors: [published, { ...published, vendor_sku_id: 'vsku_b' }],
    price_history: [],
  }
  const votes = [
    { vendor_sku_id: 'vsku_a', price: '32500/59', currency: 'PEN', observed_at: '2024-10-01T09:00:00Z' },
    { vendor_sku_id: 'vsku_c', price: '551', currency: 'PEN', observed_at: '2024-09-01T09:00:00Z' },
  ]
  const lines = itemMarkdown(detail, { votes }).split('\n')
  expect(lines[2]).toBe(
    '- Price: 5.51 PEN per m, net of tax, trust-weighted median, newest price of 2024-10-01, unchanged since 2026-11-20T02:00:00Z',
  )
  const rows = lines.filter((line) => line.startsWith('| S')).map((line) => line.split(' | ').slice(3, -1))
  expect(rows).toEqual([
    ['Price', 'Per', 'Unit price', 'Net of tax per m'],
    ['6.50 PEN', 'm', '6.50 PEN/m', '5.5085 PEN of 2024-10-01'],
    ['6.50 PEN', 'm', '6.50 PEN/m', '-'],
  ])
})

test('a price with tax at an unknown rate is not called net', () => {
  const median_price = { cents: 1_190, currency: 'EUR', recorded_at: null }
  const vote = { vendor_sku_id: 'vsku_a', price: '1190', currency: 'EUR', observed_at: '2026-11-20T09:00:00Z' }
  const votes = [
    { ...vote, flags: ['TAX_UNKNOWN' as const] },
    { ...vote, flags: [] },
  ]
  expect(itemMarkdown({ item: { ...item, median_price }, vendors: [], price_history: [] }, { votes })).toContain(
    '- Price: 11.90 EUR, net of tax, but for 1 of 2 prices with tax at an unknown rate, trust-weighted median',
  )
})

test("a category is its path in words, and each vendor's price is per kilogram, metre or litre too", () => {
  const asked = (cents: number, unit: string | null, currency = 'EUR') => ({
    ...vendor({}),
    price: { cents, currency },
    unit,
  })
  const markdown = itemMarkdown(
    {
      item: { ...item, category_id: 'cat_a' },
      vendors: [
        asked(485, '25 kg'),
        asked(3_990, '15 l'),
        asked(9_600, 'm³'),
        asked(12_990, '2.5 m²', 'CLP'),
        asked(100, 'unit'),
        asked(100, null),
      ],
      price_history: [],
    },
    { category: ['Materiales', 'Cementos | cales'] },
  )
  expect(markdown).toContain('- Category: Materiales › Cementos \\| cales\n')
  expect(
    markdown
      .split('\n')
      .filter((line) => line.startsWith('| Shop'))
      .map((line) => line.split(' | ').at(-3)),
  ).toEqual(['0.194 EUR/kg', '2.66 EUR/l', '96.00 EUR/m³', '5196 CLP/m²', '-', '-'])
  // A category of an earlier tree has no names here.
  expect(itemMarkdown({ item: { ...item, category_id: 'cat_a' }, vendors: [], price_history: [] })).toContain(
    '- Category: cat\\_a\n',
  )
})

test('details of a price stand beside it, and never beside a missing price', () => {
  const priced = { ...item, median_price: { cents: 5, currency: 'EUR', recorded_at: null } }
  const first = (shown: ItemDetail['item']) =>
    itemMarkdown({ item: shown, vendors: [], price_history: [] }, { note: 'rests on one vendor' }).split('\n')[2]
  expect(first(priced)).toBe('- Price: 0.05 EUR, net of tax, trust-weighted median, rests on one vendor')
  expect(first(item)).toBe('- Price: none at present')
})

test("a vendor's wording never becomes markup, a line or a cell", () => {
  const name = '# Not | a [title](http://x)\n\n- `code` <script>*'
  const markdown = itemMarkdown({ item: { ...item, name }, vendors: [vendor({ name })], price_history: [] })
  const escaped = '\\# Not \\| a \\[title\\]\\(http: // x\\) - \\`code\\` \\<script\\>\\*'
  expect(markdown.split('\n')[0]).toBe(`# ${escaped.replace(') -', ') -')}`)
  expect(markdown).toContain(`| ${escaped} | - | 80 |`)
})

test.each([
  ['Cemento https://evil.example/a?b', 'Cemento https: // evil. example/a?b'],
  ['HTTP://1.2.3.4/x', 'HTTP: // 1.2.3.4/x'],
  ['www.evil.example', 'www. evil. example'],
  ['see evil.com, or shop.evil.co.uk', 'see evil. com, or shop. evil. co. uk'],
  ['mailto:a@evil.com', 'mailto: a@evil. com'],
  ['//evil.com/x', '// evil. com/x'],
  ['javascript:alert', 'javascript: alert'],
  ['a.com xn--ls8h.la 3m.com 3.dé.com', 'a. com xn--ls8h. la 3m. com 3. dé. com'],
])('an address in a name is no link, by any reader: %s', (name, shown) => {
  const heading = itemMarkdown({ item: { ...item, name }, vendors: [], price_history: [] }).split('\n')[0]
  expect(heading).toBe(`# ${shown}`)
  // What cmark-gfm, remark and linkify take for an address, also after the escapes.
  expect(heading).not.toMatch(/:\/\/|www\.\S|mailto:\S|\/\/\S|[\p{L}\d]\.\p{L}{2}/iu)
})

test.each([
  'Tubo 1.5 mm',
  'Perfil S.A.U.',
  'Relación 1:4',
  'RAL:9010',
  'Ladrillo 24x11.5x7',
  'M.G.',
  'CEM II/B-L 32.5 N',
])('a name without an address stays as it is: %s', (name) => {
  expect(itemMarkdown({ item: { ...item, name }, vendors: [], price_history: [] }).split('\n')[0]).toBe(`# ${name}`)
})

test('a source is linked only by a web address, which cannot break out of the link', () => {
  const lines = (url: string) => itemMarkdown({ item, vendors: [vendor({ url })], price_history: [] })
  expect(lines('https://shop.example/a b|c>d')).toContain('| [Shop](<https://shop.example/a%20b%7Cc%3Ed>) |')
  expect(lines('javascript:alert(1)')).toContain('| Shop |')
})
