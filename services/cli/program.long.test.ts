import { spawnSync } from 'node:child_process'
import { mkdtempDisposableSync, readdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UNTIL_SUPERSEDED } from '@catalog/core/events/sources.ts'
import { FORMATS } from '@catalog/formats/format.ts'
import { VERIFY_RATE } from '@catalog/projector/verify/verify.ts'
import { explainedCommands } from '@catalog/stack/testing/cli.ts'
import { ROLES } from '@catalog/store/accounts/members.ts'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { openProgram } from './program.ts'

test('every command explains itself with --help', async () => {
  const { explained, helpless } = await explainedCommands('catalog', openProgram)
  expect(helpless).toEqual([])
  expect(explained).toEqual(expect.arrayContaining(['catalog', 'catalog up', 'catalog workspace audit']))
})

const commandsIn = ({ commands }: Pick<Command, 'commands'>, path = ''): [string, Command][] =>
  commands.flatMap((command) => {
    const name = `${path}${command.name()}`
    return [[name, command] as [string, Command], ...commandsIn(command, `${name} `)]
  })

test('commands.yaml describes each command that does something, and no other', async () => {
  const files = readdirSync(new URL('./commands/', import.meta.url)).filter((file) => /(?<!actions)\.ts$/.test(file))
  const modules = await Promise.all(files.map(async (file) => (await import(`./commands/${file}`)).ACTIONS as object))
  const acting = commandsIn(openProgram()).filter(
    ([, { commands, options }]) => commands.length === 0 || options.length > 0,
  )
  expect(acting.map(([name]) => name).sort()).toEqual(modules.flatMap((actions) => Object.keys(actions)).sort())
})

test('commands.yaml names the choices and defaults of the code', () => {
  const all = new Map(commandsIn(openProgram()))
  const optionOf = (name: string, flag: string) => all.get(name)?.options.find(({ long }) => long === flag)
  expect(optionOf('crawl', '--format')?.argChoices).toEqual(FORMATS)
  expect(optionOf('crawl', '--validity')?.argChoices).toEqual([UNTIL_SUPERSEDED])
  expect(optionOf('sources add', '--validity')?.argChoices).toEqual([UNTIL_SUPERSEDED])
  expect(optionOf('workspace invite', '--role')?.argChoices).toEqual(ROLES)
  expect(optionOf('verify', '--rate')?.defaultValue).toBe(String(VERIFY_RATE))
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
