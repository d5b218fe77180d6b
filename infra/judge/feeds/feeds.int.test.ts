import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareSizes, judgeJsonFeeds, judgeSequence } from './feeds.ts'
import { type FeedsUnderTest, startFeedsUnderTest } from './feeds-under-test.ts'
import { HOSTILE_NAMES } from './hostile-catalog.ts'
import { readFeed } from './read-feed.ts'
import { changesOf } from './sequence-rules.ts'

let served: FeedsUnderTest
beforeAll(async () => {
  served = await startFeedsUnderTest()
})
afterAll(() => served[Symbol.asyncDispose]())

test('feeds for readers are there, and smaller than the whole', () => {
  const { forReaders, documents } = served
  expect(compareSizes(served)).toMatchObject({ verdict: 'passed', details: '' })
  const empty = documents.map((document) => ({ ...document, bytes: new Uint8Array() }))
  expect(compareSizes({ forReaders, documents: empty }).verdict).toBe('failed')
})

test('feeds for readers keep the rules of JSON Feed 1.1, and planted faults are found', async () => {
  expect(await judgeJsonFeeds(served)).toMatchObject({ verdict: 'passed', details: '' })
  const [first] = served.jsonFeeds
  const moved = served.jsonFeeds.map((feed) => ({ ...feed, url: `${first?.url}&x=1` }))
  expect((await judgeJsonFeeds({ jsonFeeds: moved })).verdict).toBe('failed')
})

test('its numbers have no gaps, its states have their hashes, and its chains end as state.json says', () => {
  const { verdict, details } = judgeSequence(served)
  expect(details).toBe('')
  expect(verdict).toBe('passed')
})

test('the sequence rules find a document that a proxy altered', () => {
  const documents = served.documents.map((document, i) => {
    const text = Buffer.from(document.bytes).toString()
    return i === 0 ? { ...document, bytes: Buffer.from(text.replace(/"cents":\d/, '"cents":9')) } : document
  })
  const { verdict, details } = judgeSequence({ ...served, documents })
  expect([verdict, details.match(/WrongState/g)?.length]).toEqual(['failed', 1])
})

test('the hostile catalog contains every hard case', () => {
  const changes = served.documents.flatMap((document) => changesOf(readFeed(document)))
  const count = (of: (change: (typeof changes)[number]) => boolean) => changes.filter(of).length
  const texts = served.documents.map(({ bytes }) => Buffer.from(bytes).toString())
  const least = {
    archives: served.documents.filter(({ url }) => url.includes('/archive/')).length,
    emptyFeeds: texts.filter((text) => text.includes('<ccm:last>0</ccm:last>')).length,
    deleted: count(({ op }) => op === 'delete'),
    merged: texts.filter((text) => text.includes('<ccm:merged-into>')).length,
    left: count(({ op }) => op === 'leave'),
    superseded: count(({ isSuperseded }) => isSuperseded),
    withoutPrice: count(({ state }) => state?.includes('"median_price":null') ?? false),
    oneVendor: texts.filter((text) => / 1 vendor</.test(text)).length,
  }
  expect(Object.entries(least).filter(([, found]) => found === 0)).toEqual([])
  const names = new Set(changes.flatMap(({ state }) => (state === null ? [] : [JSON.parse(state).item.name as string])))
  for (const name of HOSTILE_NAMES) {
    const [before, after = ''] = name.split('N°') as [string, string?]
    expect([...names].some((found) => found.startsWith(before) && found.endsWith(after))).toBe(true)
  }
})
