import { expect, test } from 'vitest'
import type { Store } from './db.ts'
import { isWriteRefusal, noteRefusals, storeFailureOf } from './failure.ts'

const failing = (code: string | undefined, message = 'failed') => Object.assign(new Error(message), { code })

test('a failure of the store is told from a fault of a statement', () => {
  for (const code of ['ECONNREFUSED', 'ENOENT', '08006', '57P01', '57014', '55P03', '53300'])
    expect([code, storeFailureOf(failing(code))]).toEqual([code, 'away'])
  expect(storeFailureOf(failing(undefined, 'Connection terminated unexpectedly'))).toBe('away')
  expect(storeFailureOf(failing('25006'))).toBe('read_only')
  for (const code of ['53100', '58030']) expect([code, storeFailureOf(failing(code))]).toEqual([code, 'disk'])
  for (const error of [failing('23505'), failing('ENOENTER'), failing(undefined), null, 'text'])
    expect(storeFailureOf(error)).toBeUndefined()
  expect(['ECONNREFUSED', '25006', '53100'].map((code) => isWriteRefusal(failing(code)))).toEqual([false, true, true])
})

test('a store remembers for a minute that its disk refused a write, and nothing else', async () => {
  let [nowMs, code]: [number, string | null] = [1_000, null]
  const answer = async () => {
    if (code !== null) throw failing(code)
    return []
  }
  const store = noteRefusals({ query: answer, transaction: answer } as unknown as Store, () => nowMs)
  const refusal = async (failure: string | null) => {
    code = failure
    await store.query('select 1').catch(() => {})
    return store.refusedWrite?.()
  }
  expect([await refusal(null), await refusal('ECONNREFUSED'), await refusal('23505')]).toEqual(Array(3).fill(undefined))
  expect(await refusal('53100')).toBe('disk')
  nowMs += 59_999
  // A statement that reads says nothing of the disk.
  expect(await refusal(null)).toBe('disk')
  nowMs += 1
  expect(store.refusedWrite?.()).toBeUndefined()
  code = '53100'
  await expect(store.transaction(async () => {})).rejects.toThrow('failed')
  expect(store.refusedWrite?.()).toBe('disk')
})
