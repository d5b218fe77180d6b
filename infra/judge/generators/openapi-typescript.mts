// The five calls by the types of openapi-typescript.
import createClient from 'openapi-fetch'
import type { paths } from './client/api.ts'

const client = createClient<paths>({ baseUrl: process.argv[2] ?? '' })

const { data: page } = await client.GET('/items', {
  params: { query: { region: 'ES', kind: 'material', sort: '-updated', include: 'total', limit: 3 } },
})
const id = page?.items[0]?.id ?? ''
console.log('listItems', page?.total?.count, page?.items.length, id)

const { data: detail } = await client.GET('/items/{id}', { params: { path: { id } } })
if (typeof detail === 'string') throw new Error(`expected JSON, found ${detail}`)
console.log('getItem', detail?.item.id, detail?.item.median_price?.cents, detail?.vendors.length)

const { data: found } = await client.GET('/search', { params: { query: { q: 'cement 25 kg', limit: 3 } } })
console.log('search', found?.mode, found?.results.length, found?.results[0]?.id)

const { data: tree } = await client.GET('/categories', { params: { query: { limit: 3 } } })
console.log('listCategories', tree?.categories.length, tree?.categories[0]?.id)

const region = { params: { path: { region: 'ES' }, query: { limit: 3 } }, parseAs: 'text' } as const
const { data: feed } = await client.GET('/feeds/region/{region}', region)
console.log('getRegionAtom', feed?.split('<entry>').length)

// @ts-expect-error The types refuse what the API refuses; were they loose, this line would be an error itself.
await client.GET('/items', { params: { query: { region: 'XX' } } })
