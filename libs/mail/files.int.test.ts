import { mkdtempDisposableSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { describeMailer, FROM, mail, parse } from './conformance.ts'
import { FILES_MAX, openFiles } from './files.ts'
import { MailerAway } from './mail.ts'

const root = mkdtempDisposableSync(join(tmpdir(), 'catalog-mail-'))
afterAll(() => root.remove())
let folders = 0

async function open(dir = join(root.path, String(folders++), 'mail')) {
  const lines: string[] = []
  const log = { info: (fields: object, message: string) => lines.push(JSON.stringify({ ...fields, message })) }
  const mailer = await openFiles({ dir, from: FROM, log })
  const names = () => readdirSync(dir).sort()
  return {
    mailer,
    dir,
    lines,
    names,
    messages: async () => names().map((name) => readFileSync(join(dir, name))),
    [Symbol.asyncDispose]: () => mailer[Symbol.asyncDispose](),
  }
}

describeMailer('files', open)

test('a file and its folder are for the eyes of their owner', async () => {
  await using sent = await open()
  await sent.mailer.send(mail())
  expect(statSync(sent.dir).mode & 0o777).toBe(0o700)
  expect(sent.names().map((name) => statSync(join(sent.dir, name)).mode & 0o777)).toEqual([0o600])
})

test('the log names the file and nothing that is in it', async () => {
  await using sent = await open()
  await sent.mailer.send(mail({ subject: 'a secret', body: 'https://catalog.example/?token=secret' }))
  const [file] = sent.names()
  expect(sent.lines).toEqual([JSON.stringify({ file: join(sent.dir, file as string), message: 'a mail was written' })])
  expect(sent.lines.join()).not.toMatch(/secret|ana@/)
})

test('a link stands in the file in one piece, for whoever copies it by hand', async () => {
  const link = `https://catalog.example/console/verify?token=${'aB3_-'.repeat(20)}`
  await using sent = await open()
  await sent.mailer.send(mail({ body: `Ärger?\n${link}\n` }))
  expect((await sent.messages()).join('')).toContain(`\r\n${link}\r\n`)
})

test('a mail that is sent again is the same file, also where the first try was cut off', async () => {
  await using sent = await open()
  await sent.mailer.send(mail())
  const [name] = sent.names()
  writeFileSync(join(sent.dir, `.unfinished-${name}`), 'From: so', { mode: 0o666 })
  await sent.mailer.send(mail())
  expect(sent.names()).toEqual([name])
  expect(statSync(join(sent.dir, name as string)).mode & 0o777).toBe(0o600)
  expect(parse((await sent.messages())[0] as Buffer).text.trim()).toBe('Hola')
})

test('the newest thousand are kept', async () => {
  await using sent = await open()
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString()
  for (let i = 0; i < FILES_MAX; i++) writeFileSync(join(sent.dir, `${at(i).replace(/[-:.]/g, '')}-${i}.eml`), '')
  writeFileSync(join(sent.dir, 'README'), 'of the operator')
  const [oldest, next] = sent.names()
  await sent.mailer.send(mail({ createdAt: '2026-11-20T12:00:00Z' }))
  expect(sent.names()).toHaveLength(FILES_MAX + 1)
  expect(sent.names()).not.toContain(oldest)
  expect(sent.names()).toContain(next)
  expect(sent.names()).toContain('README')
})

test('a folder that cannot be written to holds up all mail', async () => {
  await using sent = await open()
  // Below a file even root can write nothing.
  rmSync(sent.dir, { recursive: true })
  writeFileSync(sent.dir, '')
  await expect(sent.mailer.send(mail())).rejects.toThrow(MailerAway)
})
