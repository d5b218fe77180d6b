// The five calls by the client of @hey-api/openapi-ts.
import { client } from './client/client.gen.ts'
import { getItem, getRegionAtom, listCategories, listItems, search } from './client/sdk.gen.ts'

client.setConfig({ baseUrl: process.argv[2] ?? '' })

const { data: page } = await listItems({
  query: { region: 'ES', kind: 'material', sort: '-updated', include: 'total', limit: 3 },
})
const id = page?.items[0]?.id ?? ''
console.log('listItems', page?.total?.count, page?.items.length, id)

const { data: detail } = await getItem({ path: { id } })
if (typeof detail === 'string') throw new Error(`expected JSON, found ${detail}`)
console.log('getItem', detail?.item.id, detail?.item.median_price?.cents, detail?.vendors.length)

const { data: found } = await search({ query: { q: 'cement 25 kg', limit: 3 } })
console.log('search', found?.mode, found?.results.length, found?.results[0]?.id)

const { data: tree } = await listCategories({ query: { limit: 3 } })
console.log('listCategories', tree?.categories.length, tree?.categories[0]?.id)

const { data: feed } = await getRegionAtom({ path: { region: 'ES' }, query: { limit: 3 }, parseAs: 'text' })
console.log('getRegionAtom', feed?.split('<entry>').length)
