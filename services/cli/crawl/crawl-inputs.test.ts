import type { CrawlReport } from '@catalog/crawler/ingest/report.ts'
import { listening } from '@catalog/stack/testing/cli.ts'
import { expect, test } from 'vitest'
import { answerReports, inputOptions } from './crawl-inputs.ts'

/** The text of these reports for people. */
function shown(reports: readonly CrawlReport[]): string {
  const { heard, terminal } = listening({ json: false })
  answerReports(terminal, reports)
  return heard.text
}

const LIST: CrawlReport = {
  crawlId: 'c1',
  input: 'prices.csv',
  sources: [],
  read: 5,
  appended: 3,
  duplicates: 0,
  detected: [],
  forbidden: 0,
  parked: { BAD_PRICE: 1, NO_PRICE: 1 },
  recipes: { read: 0, appended: 0, refused: {} },
  complete: true,
  outcome: 'recorded',
  problems: [],
}

test('the table of a crawl shows recipes and their refusals, if any', () => {
  expect(shown([LIST])).not.toMatch(/RECIPES/i)
  const refused = { BAD_NUMBER: 2, NO_LINES: 1 }
  const book: CrawlReport = { ...LIST, input: 'bank.bc3', recipes: { read: 200, appended: 197, refused } }
  const [heading, list, bank] = shown([LIST, book]).split('\n')
  expect(heading).toMatch(/PARKED +REASONS +RECIPES +COMPLETE/i)
  expect(list).toMatch(/ 2 +BAD_PRICE 1, NO_PRICE 1 +0 +yes/)
  expect(bank).toMatch(/ 197 \(refused: BAD_NUMBER 2, NO_LINES 1\) +yes/)
})

test.each([
  ['fr', 'FR'],
  ['UK', 'GB'],
  ['latam', 'LATAM'],
])('the region %s of an operator is %s', (region, code) => {
  expect(inputOptions({ region }).region).toBe(code)
})

test.each(['JP', 'CH', 'Spain', ''])('the region %j, in which nothing votes, is refused with the list', (region) => {
  expect(() => inputOptions({ region })).toThrow(
    `--region '${region}': expected one of ES, US, AR, MX, CL, CO, PE, BR, UY, GB, EU, LATAM, or a country of the EU: AT, BE`,
  )
})
