import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { describeMailer, FROM, mail } from '@catalog/stack/conformance/mail.ts'
import { selfSigned } from '@catalog/stack/servers/certificate.ts'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { describe, expect, test } from 'vitest'
import { MailerUnavailable, MailRefused, senderOf } from './mail.ts'
import { openSmtp, SMTP_TIMEOUTS } from './smtp.ts'

const PASSWORD = 'pa:ss/wörd@1'
const USER = `robot:${encodeURIComponent(PASSWORD)}`
const LINK = `https://catalog.example/console/verify?token=${'aB3_-'.repeat(9)}`
/** For servers that do not answer. */
const SHORT_TIMEOUTS = { connectTimeoutMs: 400, idleTimeoutMs: 400, mailTimeoutMs: 1_500 }

/** A server that accepts mail, and its accepted mails. */
async function listening(given: (drop: () => void) => SMTPServerOptions = () => ({})) {
  const sockets = new Set<Socket>()
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  const taken: { from: string; to: string[]; message: Buffer; isEncrypted: boolean; user?: string | undefined }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, done) =>
      password === PASSWORD ? done(null, { user: username as string }) : done(new Error(`no ${password}`)),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        taken.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          message: Buffer.concat(chunks),
          isEncrypted: session.secure,
          user: session.user,
        })
        done()
      })
    },
    ...given(drop),
  })
  // Ignore errors that clients cause.
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => sockets.add(socket))
  const port = await portOf(server.listen(0, '127.0.0.1'))
  return {
    taken,
    port,
    [Symbol.asyncDispose]: () => {
      drop()
      return new Promise<void>((resolve) => server.close(resolve))
    },
  }
}

async function portOf(server: Server): Promise<number> {
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** A server with scripted responses. */
async function answering(onSocket: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    onSocket(socket)
  }).listen(0, '127.0.0.1')
  const port = await portOf(server)
  return {
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

type Trouble = MailRefused & MailerUnavailable
const send = async (
  port: number,
  { user = '', host = '127.0.0.1', scheme = 'smtp', given = {}, isImpatient = false } = {},
) => {
  const url = `${scheme}://${user === '' ? '' : `${user}@`}${host}:${port}`
  await using mailer = openSmtp({ url, from: FROM, timeouts: isImpatient ? SHORT_TIMEOUTS : SMTP_TIMEOUTS })
  return await mailer.send(mail(given)).then(
    () => null,
    (error) => error as Trouble,
  )
}

describeMailer('SMTP', async () => {
  const server = await listening()
  const mailer = openSmtp({ url: `smtp://127.0.0.1:${server.port}`, from: FROM })
  return {
    mailer,
    messages: async () => server.taken.map(({ message }) => message),
    async [Symbol.asyncDispose]() {
      await mailer[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
})

describe('a server', () => {
  test('gets the two addresses and no other name', async () => {
    await using server = await listening()
    expect(await send(server.port)).toBeNull()
    expect(server.taken).toMatchObject([{ from: 'no-reply@catalog.example', to: ['ana@example.org'] }])
  })

  test('gets the user and password of the address', async () => {
    await using server = await listening(() => ({ authOptional: false }))
    expect(await send(server.port, { user: USER })).toBeNull()
    expect(server.taken).toMatchObject([{ user: 'robot' }])
  })

  test('that rejects the password delays all mail, and its response is not quoted', async () => {
    await using server = await listening()
    const away = await send(server.port, { user: 'robot:wrong-secret' })
    expect(away).toBeInstanceOf(MailerUnavailable)
    expect(away?.message).toBe(`127.0.0.1:${server.port} takes no mail: EAUTH 535`)
    expect(server.taken).toEqual([])
  })

  test.each([
    ['a recipient that it does not know', { onRcptTo: 550 }, true],
    ['a recipient for now', { onRcptTo: 450 }, false],
    ['what is in a mail', { onData: 554 }, true],
    ['what is in a mail for now', { onData: 451 }, false],
    ['the sender, whom the operator can mend', { onMailFrom: 553 }, false],
  ] as const)('that refuses %s refuses that mail', async (_, codes, isPermanent) => {
    const refusing = Object.fromEntries(
      Object.entries(codes).map(([step, code]) => [
        step,
        (stream: { resume?: () => void }, _: unknown, done: (error: Error) => void) => {
          stream.resume?.()
          done(Object.assign(new Error(`5.7.1 I do not like\n ${LINK}`), { responseCode: code }))
        },
      ]),
    )
    await using server = await listening(() => refusing)
    const refused = await send(server.port, { given: { body: `Hola\n${LINK}\n` } })
    expect(refused).toBeInstanceOf(MailRefused)
    expect(refused?.isPermanent).toBe(isPermanent)
    // The number is for operators, but the link in the response is a secret.
    expect(refused?.message).toContain(String(Object.values(codes)[0]))
    expect(`${refused?.message}${refused?.stack}`).not.toContain('token=')
    expect(`${refused?.message}${refused?.stack}`).not.toContain('aB3_-aB3_')
  })

  test.each([
    ['is not there', () => answering((socket) => socket.destroy())],
    ['never greets', () => answering(() => {})],
    ['greets with a refusal', () => answering((socket) => socket.end('554 no service here\r\n'))],
    ['greets and never answers', () => answering((socket) => socket.write('220 mx.example.org ESMTP\r\n'))],
    ['speaks another language', () => answering((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'))],
  ])('that %s delays all mail', async (_, open) => {
    await using server = await open()
    expect(await send(server.port, { isImpatient: true })).toBeInstanceOf(MailerUnavailable)
  })

  test('that is not running delays all mail, with its address as the reason', async () => {
    const { port, ...gone } = await listening()
    await gone[Symbol.asyncDispose]()
    const away = await send(port, { user: USER })
    expect(away).toBeInstanceOf(MailerUnavailable)
    expect(away?.message).toMatch(`127.0.0.1:${port} takes no mail: connect ECONNREFUSED`)
    expect(away?.message).not.toContain('robot')
  })

  test.each([
    ['hangs when it has the mail', () => ({ onData: (stream: Readable) => void stream.resume() })],
    ['drops the connection in the middle of a mail', (drop: () => void) => ({ onData: drop })],
    ['drops the connection before the mail', (drop: () => void) => ({ onRcptTo: drop })],
    ['stops reading', () => ({ onData: () => {} })],
  ])('that %s fails this mail, which is retried', async (_, options) => {
    await using server = await listening(options)
    // More than the buffers between client and server hold.
    const refused = await send(server.port, { isImpatient: true, given: { body: 'Ziegel\n'.repeat(1_000_000) } })
    expect(refused).toBeInstanceOf(MailRefused)
    expect(refused?.isPermanent).toBe(false)
    expect(server.taken).toEqual([])
  })

  test("that answers in drips is abandoned at the mail's timeout", async () => {
    await using server = await answering((socket) => {
      socket.write('220-mx.example.org\r\n')
      const drip = setInterval(() => socket.write('220-and so on\r\n'), 100)
      socket.on('close', () => clearInterval(drip))
    })
    const begun = performance.now()
    const timeouts = { ...SHORT_TIMEOUTS, connectTimeoutMs: 60_000 }
    await using mailer = openSmtp({ url: `smtp://127.0.0.1:${server.port}`, from: FROM, timeouts })
    await expect(mailer.send(mail())).rejects.toThrow(MailerUnavailable)
    expect(performance.now() - begun).toBeLessThan(10 * timeouts.mailTimeoutMs)
  })

  test('is disconnected when the mailer closes during a mail', async () => {
    const begun = Promise.withResolvers<void>()
    await using server = await listening(() => ({ onData: () => begun.resolve() }))
    const mailer = openSmtp({ url: `smtp://127.0.0.1:${server.port}`, from: FROM })
    const sending = mailer.send(mail())
    await begun.promise
    await mailer[Symbol.asyncDispose]()
    await expect(sending).rejects.toThrow(MailRefused)
    await expect(mailer.send(mail())).rejects.toThrow(MailerUnavailable)
  })
})

/** Reaches this machine without being a loopback address by its text. */
const ELSEWHERE = '0.0.0.0'

describe('a remote server', () => {
  test('without encryption gets neither password nor mail', async () => {
    const said: string[] = []
    await using server = await answering((socket) => {
      socket.write('220 mx.example.org ESMTP\r\n')
      socket.on('data', (bytes) => {
        said.push(bytes.toString('latin1').trim())
        socket.write(said.at(-1)?.startsWith('STARTTLS') ? '454 not now\r\n' : '250 AUTH PLAIN\r\n')
      })
    })
    const away = await send(server.port, { user: USER, host: ELSEWHERE, isImpatient: true })
    expect(away).toBeInstanceOf(MailerUnavailable)
    expect(said).toEqual(['EHLO catalog.example', 'STARTTLS'])
  })

  test('with an untrusted certificate gets neither, with a trusted one both', async () => {
    const { key, cert } = selfSigned(ELSEWHERE)
    const options = { key, cert, disabledCommands: [], allowInsecureAuth: false, authOptional: false }
    await using starting = await listening(() => options)
    await using encrypted = await listening(() => ({ ...options, secure: true }))
    const both = async () => [
      await send(starting.port, { user: USER, host: ELSEWHERE }),
      await send(encrypted.port, { user: USER, host: ELSEWHERE, scheme: 'smtps' }),
    ]
    for (const away of await both()) expect(away).toBeInstanceOf(MailerUnavailable)
    expect([starting.taken, encrypted.taken]).toEqual([[], []])
    setDefaultCACertificates([...getCACertificates('default'), cert])
    expect(await both()).toEqual([null, null])
    for (const { taken } of [starting, encrypted]) expect(taken).toMatchObject([{ isEncrypted: true, user: 'robot' }])
  })
})

describe('the address of a server', () => {
  test.each([
    ['mail.example.org:587'],
    ['http://mail.example.org'],
    ['smtp://'],
    ['smtp://robot@mail.example.org'],
    ['smtp://robot:secret@mail.example.org/inbox'],
    ['smtps://robot:secret@mail.example.org?tls.rejectUnauthorized=false'],
    ['smtp://robot:sec%ret@mail.example.org'],
  ])('%s is refused without being quoted', (url) => {
    const refused = () => openSmtp({ url, from: FROM })
    expect(refused).toThrow('SMTP_URL: expected')
    expect(refused).not.toThrow(/sec|robot/)
  })

  test.each([
    ['no-reply@catalog.example', { name: '', address: 'no-reply@catalog.example' }],
    ['  Katalog Müller <no-reply@catalog.example> ', { name: 'Katalog Müller', address: 'no-reply@catalog.example' }],
    ['"Bau, Katalog" <a@catalog.example>', { name: 'Bau, Katalog', address: 'a@catalog.example' }],
  ])('of the sender, %s, is parsed', (text, sender) => {
    expect(senderOf(text)).toEqual(sender)
  })

  test.each(['', 'Katalog', 'a@b.example, c@d.example', 'A <a@b.example> <c@d.example>', 'A\nBcc: x <a@b.example>'])(
    'of the sender, %j, is refused',
    (text) => {
      expect(() => senderOf(text)).toThrow('expected an address')
    },
  )
})
