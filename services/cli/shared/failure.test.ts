import { Command } from 'commander'
import { expect, test } from 'vitest'
import { failureJson, failureOf, fullName } from './failure.ts'

const failing = (message: string, code: object, cause?: Error) => Object.assign(new Error(message, { cause }), code)

test.each([
  failing('could not write to file "base/pgsql_tmp/pgsql_tmp42.0": No space left on device', { code: '53100' }),
  failing('ENOSPC: no space left on device, write', { code: 'ENOSPC' }),
  failing('EIO, Input/output error', { code: 'EIO' }),
  failing('database or disk is full', { code: 'ERR_SQLITE_ERROR', errcode: 13 }),
])('a full disk is a sentence with the next command, whoever says it: %s', (error) => {
  for (const each of [error, new Error('the snapshot failed', { cause: error })]) {
    const { code, details, causes } = failureOf(each)
    expect([code, details]).toEqual([
      'DiskFull',
      expect.stringMatching(/^the disk is full, or fails: .*catalog doctor/),
    ])
    expect(causes).toContain(error.message)
  }
})

test('a read-only database is told by its remedy, and other errors by themselves with each cause once', () => {
  const readOnly = failing('cannot execute UPDATE in a read-only transaction', { code: '25006' })
  expect(failureOf(readOnly)).toMatchObject({ code: 'ReadOnly', details: expect.stringContaining('DATABASE_URL') })
  const cause = failing('connect ECONNREFUSED', { code: 'ECONNREFUSED' })
  const away = failureOf(new Error('no answer', { cause: new Error('no answer', { cause }) }))
  expect(failureJson(away)).toEqual({ error: 'Error', details: 'no answer', causes: ['connect ECONNREFUSED'] })
  expect(failureJson(failureOf(failing('no such file', { code: 'ENOENT' })))).toEqual({
    error: 'ENOENT',
    details: 'no such file',
  })
  expect(failureOf('text').details).toBe('text')
})

test('a command is named as it was typed', () => {
  const verify = new Command('verify')
  new Command('catalog').addCommand(new Command('backup').addCommand(verify))
  expect(fullName(verify)).toBe('catalog backup verify')
})
