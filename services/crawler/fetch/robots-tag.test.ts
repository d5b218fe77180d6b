import { expect, test } from 'vitest'
import { readRobotsTag } from './robots-tag.ts'

test.each([
  [null, ''],
  ['noindex', 'noindex'],
  ['NoIndex, nofollow', 'noindex nofollow'],
  ['none', 'noindex nofollow'],
  ['all', ''],
  ['noindexed', ''],
  ['otherbot: noindex, nofollow', ''],
  ['construction-cost-catalog: nofollow', 'nofollow'],
  ['Robots: noindex', 'noindex'],
  ['otherbot: noindex\nnofollow', 'nofollow'],
  ['otherbot: noindex, Construction-Cost-Catalog: nofollow, noarchive', 'nofollow'],
  ['unavailable_after: 25 Jun 2030 15:00:00 PST, noindex', 'noindex'],
  ['max-snippet: 50, nofollow', 'nofollow'],
  [': noindex, , ,', ''],
])('reads the tag %j as %j', (lines, rules) => {
  const { noindex, nofollow } = readRobotsTag(lines, 'construction-cost-catalog')
  expect([...(noindex ? ['noindex'] : []), ...(nofollow ? ['nofollow'] : [])].join(' ')).toBe(rules)
})
