import { ExtendedSearchResponse, ItemDetailResponse, ListItemsResponse } from '@catalog/api/contract/contract.ts'
import { publish, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { closedAfterAll, storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { beforeAll, describe, expect, test } from 'vitest'

const store = await storeOfFile()
const clock = testClock()
const api = closedAfterAll(testApi(store, clock))

/** Advances the clock by 250 ms, after which the API sees new publications. */
async function get(url: string, headers: Record<string, string> = {}) {
  clock.advance(250)
  return await api.inject({ url, headers })
}

describe('the name of an item', () => {
  const elbow = testId('ci_', 'elbow')
  const names = [
    { lang: 'en', name: 'End feed elbow', regions: ['GB'] },
    { lang: 'es', name: 'Codo "soldable"', regions: ['LATAM', 'MX'] },
    { lang: 'es', name: 'Codo de soldar', regions: ['ES'], minor_regions: ['EU'] },
    { lang: 'pt', name: 'Cotovelo de cobre', regions: ['EU'] },
    { lang: 'pt', name: 'Joelho, "name": {$&}', regions: ['BR'], minor_regions: ['LATAM'] },
  ]
  beforeAll(async () => {
    await publish(store, { id: elbow, name: 'End feed elbow', regions: ['BR', 'ES', 'EU', 'GB', 'MX'], names })
  })

  test.each([
    ['price_region=ES', 'Codo de soldar'],
    ['price_region=mx', 'Codo "soldable"'],
    ['price_region=BR', 'Joelho, "name": {$&}'],
    ['lang=pt&price_region=BR', 'Joelho, "name": {$&}'],
    ['lang=pt', 'Cotovelo de cobre'],
    ['lang=PT-br', 'Joelho, "name": {$&}'],
    ['lang=en&price_region=ES', 'End feed elbow'],
    ['price_region=GB', 'End feed elbow'],
    ['lang=de', 'End feed elbow'],
    ['', 'End feed elbow'],
  ])('by %s is %s in details, lists and searches', async (query, name) => {
    const detail = ItemDetailResponse.parse((await get(`/v1/items/${elbow}?${query}`)).json()).item
    expect(detail.name).toBe(name)
    const listed = ListItemsResponse.parse((await get(`/v1/items?q=elbow&${query}`)).json()).items
    expect(listed).toEqual([detail])
    const updated = ListItemsResponse.parse((await get(`/v1/items?q=elbow&sort=updated&${query}`)).json()).items
    expect(updated).toEqual([detail])
    const [found] = ExtendedSearchResponse.parse(
      (await get(`/v1/search?q=elbow&include=page_url&${query}`)).json(),
    ).results
    expect(found).toEqual({ ...detail, score: found?.score, page_url: expect.any(String) })
    expect(found?.page_url).toMatch(new RegExp(`^https://catalog.example.org/items/${elbow}(\\?price_region=[A-Z]+)?$`))
  })

  test.each(['', 'e', 'esp', 'es-ESP', 'es_ES', '*'])('refuses the language "%s"', async (lang) => {
    const response = await get(`/v1/items/${elbow}?lang=${encodeURIComponent(lang)}`)
    expect([response.statusCode, response.json().error]).toEqual([400, 'invalid_parameter'])
  })

  test('follows Accept-Language in Markdown, with Vary, and never in JSON', async () => {
    const asked = { 'accept-language': 'ca, pt-BR;q=0.4, es;q=0.8, *;q=0.1' }
    const markdown = (path: string, headers = {}) => get(path, { accept: 'text/markdown', ...headers })
    // Twice: the second answer may come from a cache.
    for (const _ of [1, 2]) {
      const spanish = await markdown(`/v1/items/${elbow}`, asked)
      expect(spanish.body).toMatch(/^# Codo "soldable"\n/)
      expect(spanish.body).toContain('- Also called: End feed elbow\n')
      expect(spanish.headers.vary).toBe('Authorization, Accept, Accept-Language, Accept-Encoding')
      expect((await markdown(`/v1/items/${elbow}`, { 'accept-language': 'pt-BR' })).body).toMatch(/^# Joelho/)
      expect((await markdown(`/v1/items/${elbow}`)).body).toMatch(/^# End feed elbow\n/)
      expect((await markdown(`/v1/items/${elbow}?lang=pt`, asked)).body).toMatch(/^# Cotovelo de cobre\n/)
      expect((await markdown(`/v1/items/${elbow}?price_region=ES`, asked)).body).toMatch(/^# Codo de soldar\n/)
      const json = await get(`/v1/items/${elbow}`, asked)
      expect([json.json().item.name, json.headers.vary]).toEqual([
        'End feed elbow',
        'Authorization, Accept, Accept-Encoding',
      ])
    }
  })
})
