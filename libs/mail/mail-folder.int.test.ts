import { mkdtempDisposableSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeMailer, FROM, mail, parse } from '@catalog/stack/conformance/mail.ts'
import { afterAll, expect, test } from 'vitest'
import { MailerUnavailable } from './mail.ts'
import { FILES_MAX, openMailFolder } from './mail-folder.ts'

const root = mkdtempDisposableSync(join(tmpdir(), 'catalog-mail-'))
afterAll(() => root.remove())
let folders = 0

async function open(dir = join(root.path, String(folders++), 'mail')) {
  const lines: string[] = []
  const log = { info: (fields: object, message: string) => lines.push(JSON.stringify({ ...fields, message })) }
  const mailer = await openMailFolder({ dir, from: FROM, log })
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

test('a file and its folder are readable by their owner only', async () => {
  await using sent = await open()
  await sent.mailer.send(mail())
  expect(statSync(sent.dir).mode & 0o777).toBe(0o700)
  expect(sent.names().map((name) => statSync(join(sent.dir, name)).mode & 0o777)).toEqual([0o600])
})

test('the log names the file and none of its content', async () => {
  await using sent = await open()
  await sent.mailer.send(mail({ subject: 'a secret', body: 'https://catalog.example/?token=secret' }))
  const [file] = sent.names()
  expect(sent.lines).toEqual([JSON.stringify({ file: join(sent.dir, file as string), message: 'a mail was written' })])
  expect(sent.lines.join()).not.toMatch(/secret|ana@/)
})

test('a link stays unbroken in the file, for copying by hand', async () => {
  const link = `https://catalog.example/console/verify?token=${'aB3_-'.repeat(20)}`
  await using sent = await open()
  await sent.mailer.send(mail({ body: `Ärger?\n${link}\n` }))
  expect((await sent.messages()).join('')).toContain(`\r\n${link}\r\n`)
})

test('a repeated mail is the same file, also after an interrupted attempt', async () => {
  await using sent = await open()
  await sent.mailer.send(mail())
  const [name] = sent.names()
  writeFileSync(join(sent.dir, `.unfinished-${name}`), 'From: so', { mode: 0o666 })
  await sent.mailer.send(mail())
  expect(sent.names()).toEqual([name])
  expect(statSync(join(sent.dir, name as string)).mode & 0o777).toBe(0o600)
  expect(parse((await sent.messages())[0] as Buffer).text.trim()).toBe('Hola')
})

test('the folder keeps the newest thousand', async () => {
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

test('an unwritable folder delays all mail', async () => {
  await using sent = await open()
  // Below a file, even root cannot write.
  rmSync(sent.dir, { recursive: true })
  writeFileSync(sent.dir, '')
  await expect(sent.mailer.send(mail())).rejects.toThrow(MailerUnavailable)
})
