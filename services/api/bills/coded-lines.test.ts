import { vendorSkuIdOf } from '@catalog/core/events/ids.ts'
import type { LinkedItem } from '@catalog/store/vendor/recipes.ts'
import { expect, test } from 'vitest'
import { openCodes } from './coded-lines.ts'
import type { LineItems } from './line-items.ts'

const SOURCES = [
  { id: 'src_pa', name: 'SINAPI insumos PA', region: 'BR-PA' },
  { id: 'src_bcca', name: 'BCCA', region: 'ES' },
  { id: 'src_shop', name: 'Depósito Norte', region: 'BR' },
]
/** [source, reference, item, name, unit] */
const SKUS = [
  ['src_pa', '370', 'ci_sand', 'AREIA MEDIA - POSTO JAZIDA', 'm³'],
  ['src_pa', '1379', 'ci_cement', 'CIMENTO PORTLAND COMPOSTO CP II-32', 'kg'],
  ['src_bcca', '1379', 'ci_mortar', 'CIMENTO PORTLAND COMPOSTO CP II-32', 'kg'],
  ['src_shop', '370', 'ci_tap', 'TORNEIRA CROMADA', 'un'],
  ['src_pa', '9836', 'ci_pipe', 'TUBO PVC SOLDAVEL 25 MM', 'm'],
  ['src_pa', '367', 'ci_coarse', 'AREIA GROSSA', 'm³'],
  ['src_shop', '367', 'ci_river', 'AREIA GROSSA', 'm³'],
] as const

const LONG =
  'Areia media, posto jazida, conforme memorial do projeto basico da prefeitura, quadro geral, volume segundo, pagina quarta'

const linked = ([, , item_id, name, unit]: (typeof SKUS)[number]): LinkedItem =>
  ({ item_id, item_json: JSON.stringify({ id: item_id, name, unit }), names_json: null }) as LinkedItem

const items = {
  sources: async () => SOURCES,
  bySku: async ({ skuIds }: { skuIds: readonly string[] }) =>
    new Map(
      SKUS.map((sku) => [vendorSkuIdOf(sku[0], sku[1]) as string, linked(sku)] as const).filter(([id]) =>
        skuIds.includes(id),
      ),
    ),
} as unknown as LineItems

type Asked = { text: string; unit?: string; code: string; source?: string; region?: string; of?: string }

async function itemOf({ text, unit, code, source, region, of }: Asked): Promise<string | undefined> {
  const lines = [{ text: 'another line' }, { text, unit, code, source }]
  const found = openCodes(lines, { items, source: of, region })
  return (await found(1, { text, unit: unit ?? null }, region))?.row?.item_id
}

test.each([
  ['the item that agrees, of all with the code', { text: 'Areia média', unit: 'm3', code: '370' }, 'ci_sand'],
  ['a code behind the name of its list', { text: 'Areia média', code: 'SINAPI 00000370' }, 'ci_sand'],
  ['a convertible unit', { text: 'Cimento Portland CP II-32', unit: 't', code: '1379', of: 'SINAPI' }, 'ci_cement'],
  ['the list of the line', { text: 'Cimento Portland', code: '1379', source: 'BCCA', of: 'SINAPI' }, 'ci_mortar'],
  ['a list by its id', { text: 'Areia grossa', code: '367', of: 'src_shop' }, 'ci_river'],
  ['no list of another market', { text: 'Cimento Portland', code: '1379', region: 'BR' }, 'ci_cement'],
  ['a list of a part of the country', { text: 'Areia grossa', code: '367', of: 'SINAPI', region: 'BR' }, 'ci_coarse'],
  ['an item in a long text, of a known list', { text: LONG, code: '370', of: 'SINAPI' }, 'ci_sand'],
  [
    'a trait that the name of a known list leaves out',
    { text: 'Areia média lavada', code: '370', of: 'SINAPI' },
    'ci_sand',
  ],
  ['no trait that a name of any list leaves out', { text: 'Areia média lavada', code: '370' }, undefined],
  ['no other size in a known list', { text: 'Tubo PVC soldável 50 mm', code: '9836', of: 'SINAPI' }, undefined],
  ['no other thing in a known list', { text: 'Porta de madeira', code: '370', of: 'SINAPI' }, undefined],
  ['no other unit in a known list', { text: 'Areia média', unit: 'm2', code: '370', of: 'SINAPI' }, undefined],
  ['no item in a long text, of any list', { text: LONG, code: '370' }, undefined],
  ['no code that several items have', { text: 'Cimento Portland', code: '1379' }, undefined],
  ['no code of another thing', { text: 'Porta de madeira', code: '370' }, undefined],
  ['no other size', { text: 'Tubo PVC soldável 50 mm', code: '9836' }, undefined],
  ['no other kind of unit', { text: 'Areia média', unit: 'm2', code: '370' }, undefined],
  ['no unknown code', { text: 'Areia média', code: '371' }, undefined],
  ['no code of blanks', { text: 'Areia média', code: ' ' }, undefined],
] as const)('a code names %s', async (_, asked, item) => {
  expect(await itemOf(asked)).toBe(item)
})
