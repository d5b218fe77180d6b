import type { Tables } from '@catalog/replica/tables.ts'
import type { CatalogVersion } from '@catalog/store/catalog/queries.ts'
import { expect, test } from 'vitest'
import { readerOf, shownRows } from './catalog-version.ts'

const NOT_READY = expect.objectContaining({ code: 'not_ready', retryAfterSeconds: 5 })
const readerOn = (tables: Tables | undefined) =>
  readerOf({
    last: () => tables && { tables, version: {} as CatalogVersion },
    filling: () => ({ items: 3, of: 9 }),
  })
const throwing = (error: unknown) => () => {
  throw error
}
const NO_JSON = new SyntaxError('no JSON')
function tablesOf(isOutOfUse = false): Tables {
  const tables = {
    read: <T>(work: (tables: Tables) => T) => work(tables),
    suspect: () => isOutOfUse,
  } as Partial<Tables> as Tables
  return tables
}

test('before the replica was filled, a reader is told how far it is and when to come back', () => {
  expect(() => readerOn(undefined)(() => 1)).toThrow(NOT_READY)
  expect(() => readerOn(undefined)(() => 1)).toThrow('3 of 9 items')
  expect(readerOn(tablesOf())(() => 1)).toBe(1)
})

test('a bad file is no fault of the code', () => {
  // SQLITE_CORRUPT, and SQLITE_IOERR_SHORT_READ.
  for (const errcode of [11, 10 | (2 << 8)])
    expect(() => readerOn(tablesOf())(throwing(Object.assign(new Error('bad'), { errcode })))).toThrow(NOT_READY)
  const fault = Object.assign(new Error('no such column'), { errcode: 1 })
  expect(() => readerOn(tablesOf())(throwing(fault))).toThrow(fault)
})

test('a row that cannot be read or shown has its file checked, and is a fault where that was found sound', async () => {
  for (const error of [NO_JSON, new TypeError('no object'), new RangeError('no number')]) {
    expect(() => readerOn(tablesOf(true))(throwing(error))).toThrow(NOT_READY)
    expect(() => readerOn(tablesOf(false))(throwing(error))).toThrow(error)
  }
  const shown = (isOutOfUse: boolean) => shownRows(readerOn(tablesOf(isOutOfUse)), () => Promise.reject(NO_JSON))
  await expect(shown(true)).rejects.toEqual(NOT_READY)
  await expect(shown(false)).rejects.toBe(NO_JSON)
  const away = new Error('the connection was reset')
  await expect(shownRows(readerOn(tablesOf(true)), () => Promise.reject(away))).rejects.toBe(away)
})
