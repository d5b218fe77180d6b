import { expect, test } from 'vitest'
import { openDownloads } from './downloads.ts'

/** The validators of an answer with these headers. */
async function validatorsOf(headers: Record<string, string>) {
  const { get } = openDownloads({ fetch: async () => new Response('{}', { headers }) })
  const answer = await get('http://127.0.0.1/state.json', {})
  return answer.kind === 'found' ? answer.validators : undefined
}

const SECOND = 'Fri, 20 Nov 2026 09:00:00 GMT'
const NEXT_SECOND = 'Fri, 20 Nov 2026 09:00:01 GMT'

test('a date of change is a validator once its second is over, and an entity tag always', async () => {
  expect(await validatorsOf({ 'last-modified': SECOND, date: NEXT_SECOND })).toEqual({ 'if-modified-since': SECOND })
  expect(await validatorsOf({ 'last-modified': SECOND, date: SECOND })).toEqual({})
  expect(await validatorsOf({ 'last-modified': SECOND })).toEqual({})
  expect(await validatorsOf({ etag: '"a"', 'last-modified': SECOND, date: SECOND })).toEqual({ 'if-none-match': '"a"' })
})
