import { expect, test } from 'vitest'
import { BIDDERS } from './bidders.ts'
import { roadBids, spellingsOf } from './road-bids.ts'

test('the bids are the same at every call: three lettings of 80 bidders, most under several spellings', () => {
  const bids = roadBids()
  expect(roadBids()).toEqual(bids)
  expect(bids.lettings).toHaveLength(3)
  expect(bids.bidders).toHaveLength(BIDDERS)
  for (const { csv } of bids.lettings) {
    const lines = csv.trimEnd().split('\n').slice(1)
    expect(lines).toHaveLength(BIDDERS * bids.payItems.length)
    expect(new Set(lines.map((line) => line.slice(line.lastIndexOf(',"')))).size).toBe(BIDDERS)
  }
  const spellings = spellingsOf(bids)
  expect(new Set(spellings).size).toBe(spellings.length)
  expect(bids.bidders.filter(({ spellings }) => spellings.length > 1).length).toBeGreaterThan(BIDDERS / 2)
})
