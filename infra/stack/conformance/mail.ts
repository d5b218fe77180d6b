import { type Mail, type Mailer, MailRefused } from '@catalog/mail/mail.ts'
import { describe, expect, test } from 'vitest'

/** A name that is difficult in headers. */
export const FROM = { name: 'Katalog „Bau“, Jürgen <3 🏗️', address: 'no-reply@catalog.example' }

export const mail = (given: Partial<Mail> = {}): Mail => ({
  id: '7.1795000000000',
  recipient: 'ana@example.org',
  subject: 'Einladung zu „Obras del Sur“',
  body: 'Hola',
  createdAt: '2026-11-20T12:00:00Z',
  ...given,
})

/** An adapter, and the messages that reached the other end, in any order. */
export type Sent = AsyncDisposable & Readonly<{ mailer: Mailer; messages: () => Promise<Buffer[]> }>

/** Tests the promises of the Mailer port; every adapter passes the same suite. */
export function describeMailer(name: string, open: () => Promise<Sent>): void {
  describe(`the ${name} mailer`, () => {
    const arrived = async (given: Partial<Mail>) => {
      await using sent = await open()
      await sent.mailer.send(mail(given))
      const messages = await sent.messages()
      expect(messages).toHaveLength(1)
      return parse(messages[0] as Buffer)
    }

    test('carries names, subject and text in any script', async () => {
      const subject = `Ärger in Ñandú, 東京 und ${'sehr '.repeat(30)}weit 👷‍♀️`
      const body = 'Grüße 👋\n\nПривет, 世界\n'
      const { headers, text } = await arrived({ subject, body })
      expect(headers.get('subject')).toBe(subject)
      expect(headers.get('from')).toMatch(/^"?Katalog „Bau“, Jürgen <3 🏗️"? <no-reply@catalog\.example>$/)
      expect(headers.get('to')).toBe('ana@example.org')
      expect(text).toBe(body)
      expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    })

    test.each([
      ['a link longer than a line', `https://catalog.example/console/verify?token=${'aB3_-'.repeat(50)}\n`],
      ['lines that end a mail, or begin another', '.\n..\n.\r\nFrom here\r\nSubject: other\n\n.\n'],
      ['blanks at the ends of lines', 'one  \ntwo\t\n = \n=3D\n'],
      ['no text at all', ''],
      ['much of it', 'Ziegel 24 × 12 × 7 — 0,45 €\n'.repeat(5_000)],
    ])('carries %s', async (_, body) => {
      const { text } = await arrived({ body })
      expect(text.replace(/\n$/, '')).toBe(body.replaceAll('\r\n', '\n').replace(/\n$/, ''))
    })

    test('repeats a mail with the same Message-ID', async () => {
      await using sent = await open()
      await sent.mailer.send(mail())
      await sent.mailer.send(mail())
      for (const message of await sent.messages()) {
        const { headers } = parse(message)
        expect(headers.get('message-id')).toBe('<7.1795000000000@catalog.example>')
        expect(headers.get('date')).toBe('Fri, 20 Nov 2026 12:00:00 +0000')
      }
    })

    test('sends many concurrently, each to its own recipient', async () => {
      await using sent = await open()
      const names = Array.from({ length: 12 }, (_, i) => `person${i}`)
      await Promise.all(
        names.map((name) => sent.mailer.send(mail({ id: name, recipient: `${name}@example.org`, body: name }))),
      )
      const pairs = (await sent.messages()).map(parse).map(({ headers, text }) => [headers.get('to'), text.trim()])
      expect(pairs.sort()).toEqual(names.map((name) => [`${name}@example.org`, name]).sort())
    })

    test.each([
      ['another header in the subject', { subject: 'Hello\r\nBcc: eve@example.org' }],
      ['a line break in the subject', { subject: 'Hello\nworld' }],
      ['a line separator in the subject', { subject: 'Hello\u2028world' }],
      ['no subject', { subject: '' }],
      ['another header in the recipient', { recipient: 'ana@example.org\r\nBcc: eve@example.org' }],
      ['another command in the recipient', { recipient: 'ana@example.org>\r\nRCPT TO:<eve@example.org' }],
      ['two recipients', { recipient: 'ana@example.org,eve@example.org' }],
      ['a group of recipients', { recipient: 'all:ana@example.org,eve@example.org;' }],
      ['a name before the recipient', { recipient: 'Ana <ana@example.org>' }],
      ['no address', { recipient: 'ana' }],
    ])('permanently refuses %s, and sends nothing', async (_, given) => {
      await using sent = await open()
      const refused = await sent.mailer.send(mail(given)).catch((error) => error)
      expect(refused).toBeInstanceOf(MailRefused)
      expect(refused.isPermanent).toBe(true)
      expect(await sent.messages()).toEqual([])
    })
  })
}

/** Reads a message of one part, as a mail program does. */
export function parse(message: Buffer): { headers: Map<string, string>; text: string } {
  const end = message.indexOf('\r\n\r\n')
  const head = message.toString('latin1', 0, end).replace(/\r\n(?=[ \t])/g, '')
  const headers = new Map(
    head.split('\r\n').map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), words(line).trim()]),
  )
  const body = message.subarray(end + 4)
  const coding = headers.get('content-transfer-encoding')
  const bytes =
    coding === 'base64'
      ? Buffer.from(body.toString('latin1'), 'base64')
      : coding === 'quoted-printable'
        ? quoted(body.toString('latin1').replace(/=\r\n/g, ''))
        : body
  return { headers, text: bytes.toString('utf8').replaceAll('\r\n', '\n') }
}

/** RFC 2047: adjacent encoded words form one text, and may split a character. */
function words(line: string): string {
  const value = line.slice(line.indexOf(':') + 1)
  return value.replace(/=\?UTF-8\?[QB]\?[^?]*\?=(?:\s+=\?UTF-8\?[QB]\?[^?]*\?=)*/gi, (run) =>
    Buffer.concat(
      [...run.matchAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi)].map(([, kind, word = '']) =>
        kind?.toUpperCase() === 'B' ? Buffer.from(word, 'base64') : quoted(word.replaceAll('_', ' ')),
      ),
    ).toString('utf8'),
  )
}

const quoted = (text: string) =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
