import { spawnSync } from 'node:child_process'
import { mkdtempDisposableSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { explainedCommands } from '@catalog/stack/testing/cli.ts'
import { expect, test } from 'vitest'
import { programOf } from './program.ts'

test('every command explains itself with --help', async () => {
  const { explained, helpless } = await explainedCommands('catalog', programOf)
  expect(helpless).toEqual([])
  expect(explained).toEqual(expect.arrayContaining(['catalog', 'catalog up', 'catalog workspace audit']))
})

const CATALOG = fileURLToPath(new URL('./catalog.js', import.meta.url))

test.each([
  [['nonsense'], "unknown command 'nonsense'"],
  [['status', '--nonsense'], "unknown option '--nonsense'"],
  [['explain'], "missing required argument 'item'"],
  [['backup', 'list'], "missing required argument 'dir'"],
  [['sql', '--limit', 'x'], 'expected a whole number'],
  [[], 'expected a command'],
])('a command line that cannot be read is one JSON value with --json: %j', (words, details) => {
  const { status, stdout } = spawnSync(process.execPath, [CATALOG, '--json', ...words], { encoding: 'utf8' })
  expect([status, JSON.parse(stdout)]).toEqual([1, { error: 'Usage', details: expect.stringContaining(details) }])
})

test('the doctor makes a new data folder for its user alone, whatever the umask', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'doctor-'))
  const data = join(folder.path, 'data')
  spawnSync('sh', ['-c', 'umask 0; exec "$@"', 'sh', process.execPath, CATALOG, 'doctor', '--data', data])
  expect(['lock', 'postgres'].map((name) => statSync(join(data, name)).mode & 0o077)).toEqual([0, 0])
})

test('a command that fails names itself whole, and with --json its causes', () => {
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [CATALOG, ...words], {
      encoding: 'utf8',
      env: { ...process.env, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    })
  expect(run('backup', 'list', '/nowhere').stderr).toMatch(/^catalog backup list: \/nowhere cannot be read/)
  expect(JSON.parse(run('status', '--json').stdout)).toEqual({
    error: 'StoreAway',
    details: expect.stringContaining('the store does not answer'),
    causes: [expect.stringContaining('ECONNREFUSED')],
  })
})
