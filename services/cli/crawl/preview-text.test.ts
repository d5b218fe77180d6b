import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { preview } from '@catalog/crawler/ingest/preview.ts'
import { parseMapping } from '@catalog/formats/mapping/mapping.ts'
import { zipOf } from '@catalog/stack/testing/archives.ts'
import { expect, test } from 'vitest'
import { nextAfterPreview, previewText } from './preview-text.ts'

test('a preview for people shows figures of all records, and the first of them', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'preview-'))
  const path = join(folder.path, 'prices.csv')
  const rows = Array.from({ length: 9 }, (_, n) => `R${n};Brick ${n};${n < 6 ? 'u' : 'tramex'};${n + 1},50;2026-01-01`)
  writeFileSync(
    path,
    ['sku;name;unit;price;date', ...rows, 'X;Lime;kg;x;2026-01-01', 'Y;Sand;t;1,50;31/02/2026'].join('\n'),
  )
  const options = { source: 'Norte', currency: 'EUR' }
  const shown = await preview({ path, options }, { now: () => new Date('2026-11-21') }, 5)
  expect(shown.figures).toEqual({
    records: 11,
    duplicates: 0,
    isWhole: true,
    sources: { Norte: 9 },
    currencies: { EUR: 9 },
    units: { u: 6, tramex: 3 },
    taxes: { 'not stated': 9 },
    parked: { BAD_DATE: 1, BAD_PRICE: 1 },
  })
  expect(nextAfterPreview([shown])).toBe('the same command without --preview')
  const lines = previewText(shown).split('\n')
  expect(lines).toContain('11 records read, 9 would be recorded, 2 parked: BAD_DATE 1, BAD_PRICE 1')
  expect(lines).toContain('  units: u 6, tramex 3')
  expect(lines.filter((line) => /^R\d +Brick \d +u +\d\.50 EUR/.test(line))).toHaveLength(5)
  expect(lines.at(-2)).toMatch(/^prices.csv line 11 +BAD_PRICE +'x' is not one number/)
})

test('the next step after a preview without observations is no crawl', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'preview-'))
  const path = join(folder.path, 'prices.csv')
  const shown = async (text: string) => {
    writeFileSync(path, text)
    return preview({ path, options: { source: 'Norte', currency: 'EUR' } }, { now: () => new Date('2026-11-21') }, 5)
  }
  const undated = await shown('sku;name;price\n1;Brick;1,50\n')
  expect(nextAfterPreview([undated])).toBe(
    'the same command with --observed-at YYYY-MM-DD; nothing would be recorded now',
  )
  expect(nextAfterPreview([await shown('a;b\n1;2\n'), null])).toContain('nothing would be recorded now')
})

test('a preview says which rows of an export sell nothing', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'preview-'))
  const path = join(folder.path, 'woo.csv')
  writeFileSync(
    path,
    [
      'Type,SKU,Name,Published,Regular price,Sale price',
      'variable,P,Paint,1,,',
      'variation,P-1,Paint 1 l,1,10,',
      'variation,P-5,Paint 5 l,1,40,',
    ].join('\n'),
  )
  const options = { source: 'Norte', currency: 'EUR', observedAt: '2026-01-01' }
  const shown = await preview({ path, options }, { now: () => new Date('2026-11-21') }, 5)
  expect(shown.detected).toMatchObject([{ shop_system: 'woocommerce', rows_not_sold: 1 }])
  expect(previewText(shown)).toContain(', rows that sell nothing: 1')
})

test('a preview says what the steps of a mapping changed, and what was not read', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'preview-'))
  const path = join(folder.path, 'list.zip')
  writeFileSync(path, zipOf({ 'a.csv': 'code;name;SP;PA\nE1;Tube;1.005;\nTOTAL;1;;\n', 'manual.csv': 'x' }))
  const mapping = parseMapping(
    `{ member: a.csv, decimal: ".", round: 2, replace: [{ in: code, pattern: "^E", with: "" }],
    unpivot: { columns: [SP, PA], heading: state, value: price }, rows: { except: { code: TOTAL } },
    columns: { vendor_ref: code, name: name, price: price } }`,
    'm.yaml',
  )
  const options = { source: 'Norte', currency: 'EUR', observedAt: '2026-01-01', mapping }
  const lines = previewText(await preview({ path, options }, { now: () => new Date('2026-11-21') }, 5)).split('\n')
  expect(lines[0]).toMatch(/^ {2}list.zip\/a.csv: csv, .*, not read: files manual.csv$/)
  expect(lines.slice(1, 5)).toEqual([
    "  cells replaced: 1, for example list.zip/a.csv line 2, code: 'E1' → '1'",
    "  prices from columns: 1, for example list.zip/a.csv line 2, SP: state 'SP', price '1.005'",
    '  blank prices left out: 3, for example list.zip/a.csv line 2, PA',
    '  prices rounded: 1, for example list.zip/a.csv line 2 SP: 1.005 → 1.01',
  ])
})
