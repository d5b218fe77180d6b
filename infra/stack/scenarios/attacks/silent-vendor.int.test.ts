import { sourceIdOf } from '@catalog/core/events/ids.ts'
import { instant } from '@catalog/core/time.ts'
import { itemsMerged, trustChanged } from '@catalog/stack/testing/events.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { HEAD, line, mappingOf, openAttacks } from './attack.ts'

const { path, send, run, look, begin, held } = await openAttacks()
beforeEach(() => begin())

const EVERYTHING = mappingOf('cpv: cpv, gtin: ean, category_path: path, lang: lang')
/** All that a file can say of the honest vendors' item. */
const said = ({ name = 'Plasterboard 13 mm', cpv = '99999999', path = 'Jardín > Plantas', lang = 'en' } = {}) =>
  [
    `${HEAD};cpv;ean;path;lang`,
    `${line('4,71', { name, date: '09/03/2026' })};${cpv};4006381333931;${path};${lang}`,
  ].join('\n')
const falso = { source: 'Falso', text: said(), mapping: EVERYTHING }
const now = () => instant(new Date(path.nowMs))

/** Sends the file, and a person puts its SKU into the item of the honest vendors. */
async function sendInto(sent: Parameters<typeof send>[0]): Promise<void> {
  await send(sent)
  await run()
  const itemOf = async (name: string) => {
    const [row] = await path.store.query<{ id: string }>(
      `select item_id as id from sources join vendor_skus using (source) join memberships using (sku) join item_keys using (item) where name = $1`,
      [name],
    )
    return row?.id as string
  }
  path.nowMs += 60_000
  await path.append([itemsMerged(await itemOf('Falso'), await itemOf('Obramat'), now())])
}

describe('a vendor of trust 0', () => {
  test('says nothing of an item', async () => {
    const before = await look()
    await sendInto({ ...falso, trust: 0 })
    const after = await held()
    expect(await path.store.query(`select from items where state = 'active'`)).toHaveLength(1)
    expect(after.state).toEqual(before.state)
    expect(after.excluded).toEqual(['NO_TRUST'])
  })

  test('founds nothing that readers see', async () => {
    await send({ ...falso, trust: 0, text: said({ name: 'Carretilla elevadora' }) })
    await held()
    expect(await path.store.query(`select from items where state = 'active'`)).toHaveLength(1)
  })

  test.each([5, 50])('takes back all that it said with trust %i', async (trust) => {
    const before = await look()
    await sendInto({ ...falso, trust, text: said({ cpv: '44111200-3' }) })
    const heard = await held()
    expect(heard.state.item).toMatchObject({ vendor_count: 5, cpv: '44111200-3' })
    expect(heard.state.names).toContainEqual(expect.objectContaining({ lang: 'en' }))
    path.nowMs += 60_000
    const id = sourceIdOf({ name: 'Falso', region: 'ES' })
    await path.append([trustChanged(id, 0, now())])
    const after = await held()
    const { updated_at: _, ...item } = before.state.item
    expect(after.state).toMatchObject({ ...before.state, item })
  })
})

test('a code that the vocabulary does not have is nobody’s CPV', async () => {
  await sendInto({ ...falso, trust: 40 })
  expect((await held()).state.item.cpv).toBeNull()
})
