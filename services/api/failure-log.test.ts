import { ApiError } from '@catalog/api/http/errors.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import type { FastifyError, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { failureLog } from './failure-log.ts'

function openLog() {
  const lines: Record<string, unknown>[] = []
  const clock = testClock()
  const { failureOf } = failureLog(
    { error: (details, message) => void lines.push({ ...details, message }) },
    () => clock.at,
  )
  const fail = (error: Error) => failureOf(error as FastifyError, { id: 'req_1' } as FastifyRequest)
  return { lines, clock, fail }
}
const outage = () =>
  new ApiError('search_unavailable', 'the index does not answer', { cause: new Error('ECONNREFUSED') })

test('an outage is one line a minute with the requests that it met, and no stack', () => {
  const { lines, clock, fail } = openLog()
  for (let i = 0; i < 1_000; i++) expect(fail(outage()).status).toBe(503)
  expect(lines).toMatchObject([{ code: 'search_unavailable', reason: 'ECONNREFUSED', requests: 1 }])
  clock.advance(60_000)
  fail(outage())
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatchObject({ requests: 1_000 })
  expect(JSON.stringify(lines)).not.toContain(' at ')
})

test('another outage, and each fault of the code with its cause, is a line of its own', () => {
  const { lines, fail } = openLog()
  fail(outage())
  fail(new ApiError('store_unavailable', 'the database does not answer'))
  const fault = new TypeError('x is not a function')
  for (let i = 0; i < 3; i++) fail(fault)
  expect(lines).toHaveLength(5)
  expect(lines.at(-1)).toMatchObject({ err: fault })
})

test('what the caller did wrong, and a server that starts, is no line', () => {
  const { lines, fail } = openLog()
  fail(new ApiError('item_not_found', 'no item'))
  fail(new ApiError('not_ready', 'starting'))
  expect(lines).toEqual([])
})
