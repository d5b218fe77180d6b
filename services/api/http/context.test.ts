import type { Tables } from '@catalog/replica/tables.ts'
import { expect, test } from 'vitest'
import { fromReplica } from './context.ts'

const tables = {} as Tables
const store = async () => 'store'
const throwing = (error: unknown) => () => {
  throw error
}

test('the replica answers, and the store where there is none or its file is bad', async () => {
  expect(
    await fromReplica(
      () => tables,
      () => 'replica',
      store,
    ),
  ).toBe('replica')
  expect(await fromReplica(() => undefined, throwing(new Error('not asked')), store)).toBe('store')
  // SQLITE_CORRUPT, and SQLITE_IOERR_SHORT_READ.
  for (const errcode of [11, 10 | (2 << 8)]) {
    const error = Object.assign(new Error('bad file'), { errcode })
    expect(await fromReplica(() => tables, throwing(error), store)).toBe('store')
  }
})

test('an error that is not of the file is no reason to ask the store', async () => {
  const error = Object.assign(new Error('no such column'), { errcode: 1 })
  await expect(fromReplica(() => tables, throwing(error), store)).rejects.toBe(error)
})
