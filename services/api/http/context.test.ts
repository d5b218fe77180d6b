import type { Tables } from '@catalog/replica/tables.ts'
import { expect, test } from 'vitest'
import { fromReplica, renderedAgain } from './context.ts'
import { storeUnavailable } from './errors.ts'

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

test('a row that cannot be read is answered by the store, and its file is suspected', async () => {
  for (const error of [new SyntaxError('no JSON'), new TypeError('no object'), new RangeError('no number')]) {
    const suspected: unknown[] = []
    const doubtful = { suspect: (error: unknown) => suspected.push(error) > 0 } as unknown as Tables
    expect(await fromReplica(() => doubtful, throwing(error), store)).toBe('store')
    expect(suspected).toEqual([error])
  }
})

test('rows that cannot be shown are shown from the store, unless the file is sound', async () => {
  const error = new SyntaxError('no JSON')
  const doubtful = (isOutOfUse: boolean) => () => ({ suspect: () => isOutOfUse }) as unknown as Tables
  const renders = () => {
    const answers = [() => Promise.reject(error), async () => 'store']
    return () => (answers.shift() as () => Promise<string>)()
  }
  expect(await renderedAgain(doubtful(true), renders())).toBe('store')
  await expect(renderedAgain(doubtful(false), renders())).rejects.toBe(error)
  await expect(renderedAgain(() => undefined, renders())).rejects.toBe(error)
})

test('an error that is not of the file is no reason to ask the store', async () => {
  const error = Object.assign(new Error('no such column'), { errcode: 1 })
  await expect(fromReplica(() => tables, throwing(error), store)).rejects.toBe(error)
})

test('a store that fails after it said a newer version leaves the older replica to answer, and hides no other error', async () => {
  const behind = Object.assign(() => undefined, { last: () => tables })
  const away = () => Promise.reject(storeUnavailable(new Error('the connection was reset')))
  expect(await fromReplica(behind, () => 'older replica', away)).toBe('older replica')
  await expect(fromReplica(() => undefined, throwing(new Error('not asked')), away)).rejects.toThrow(/database/)
  const fault = new TypeError('a fault of the code')
  await expect(
    fromReplica(
      behind,
      () => 'older replica',
      () => Promise.reject(fault),
    ),
  ).rejects.toBe(fault)
})
