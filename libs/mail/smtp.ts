import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { compose, type Mail, type Mailer, MailerAway, MailRefused, type Sender } from './mail.ts'

/** How long a server may take. */
export type SmtpPatience = Readonly<{
  /** Looking up its name, connecting, greeting, TLS. */
  connectMs: number
  /** Without a word from it. */
  silenceMs: number
  /** For all of a mail, however little by little it answers; well below the claim that a sender has on a mail. */
  mailMs: number
}>
export const SMTP_PATIENCE: SmtpPatience = { connectMs: 10_000, silenceMs: 20_000, mailMs: 60_000 }

/** Without one in the address: submission, and submission over TLS (RFC 8314). */
const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 }
const SAID_CHARS_MAX = 200

/**
 * A server that takes mail: smtp://user:password@host:587 (STARTTLS) or smtps://user:password@host:465. Neither password nor mail leaves the
 * machine without TLS and a valid certificate; smtp:// to a loopback address goes without. Each mail has a connection of its
 * own, which ends with it: mail is rare, and servers end idle ones.
 *
 * Throws when the address is not such a one, never with what is in it.
 */
export function openSmtp({
  url,
  from,
  patience = SMTP_PATIENCE,
}: {
  url: string
  from: Sender
  patience?: SmtpPatience
}): Mailer {
  const { host, port, isTls, auth } = serverOf(url)
  const isLocal = isLoopback(host)
  const closing = new AbortController()
  return {
    async send(mail) {
      const message = await compose(mail, from)
      const connection = new SMTPConnection({
        // Where nothing is encrypted no name server may say what 'localhost' is.
        host: isLocal && !isTls && host === 'localhost' ? '127.0.0.1' : host,
        port,
        secure: isTls,
        requireTLS: !isTls && !isLocal,
        ignoreTLS: !isTls && isLocal,
        // As what we greet: what this machine calls itself is nobody's concern.
        name: from.address.slice(from.address.lastIndexOf('@') + 1),
        connectionTimeout: patience.connectMs,
        greetingTimeout: patience.connectMs,
        dnsTimeout: patience.connectMs,
        socketTimeout: patience.silenceMs,
        logger: false,
      })
      const broken = Promise.withResolvers<never>()
      connection.on('error', broken.reject).on('end', () => broken.reject(new Error('the connection ended')))
      const deadline = AbortSignal.any([closing.signal, AbortSignal.timeout(patience.mailMs)])
      deadline.addEventListener('abort', () => broken.reject(new Error('it took too long, or we stopped')))
      if (deadline.aborted) broken.reject(new Error('we stopped'))
      const step = (begin: (done: (error?: Error | null) => void) => void) =>
        Promise.race([
          broken.promise,
          new Promise<void>((resolve, reject) => begin((error) => (error ? reject(error) : resolve()))),
        ])
      let isReady = false
      try {
        await step((done) => connection.connect(done))
        // Where a password is given it is used: a server that does not ask for it has refused it.
        if (auth !== null) await step((done) => connection.login({ credentials: { ...auth } }, done))
        isReady = true
        const envelope = { from: from.address, to: [mail.recipient], size: message.length }
        await step((done) => connection.send(envelope, message, done))
      } catch (error) {
        throw isReady ? refusal(error as SmtpError, mail) : away(error as SmtpError, { host, port })
      } finally {
        connection.close()
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
    },
  }
}

type SmtpError = Error & { code?: string; command?: string; responseCode?: number; response?: string }

/** Of what a server says here nothing is told but its number: it may repeat what we signed in with. */
function away(error: SmtpError, { host, port }: { host: string; port: number }): MailerAway {
  const { message, code, responseCode, response } = error
  const said = response === undefined ? message : `${code} ${responseCode ?? ''}`.trim()
  return new MailerAway(`${host}:${port} takes no mail: ${said}`)
}

/**
 * RFC 5321: 5yz will be said again, but for 503, a wrong order of commands. About the sender it is said of every mail, so
 * that is the operator's to mend, and mail waits for it.
 */
function refusal({ command, message, responseCode = 0, response }: SmtpError, mail: Mail): MailRefused {
  const isForGood = responseCode >= 500 && responseCode !== 503 && command !== 'MAIL FROM'
  return new MailRefused(`the server did not take the mail: ${withoutContent(response ?? message, mail)}`, {
    isForGood,
  })
}

/** Filters of mail repeat the links that they dislike, and links are secrets. */
function withoutContent(said: string, { body }: Mail): string {
  const words = new Set(body.split(/\s+/).filter((word) => word.length >= SECRET_CHARS_MIN))
  let told = said.replace(/\S*:\/\/\S*/g, '...')
  for (const word of words) told = told.replaceAll(word, '...')
  return told
    .replace(/[A-Za-z0-9_=-]{24,}/g, '...')
    .replace(/\s+/g, ' ')
    .slice(0, SAID_CHARS_MAX)
}
/** A shorter word of a mail is no secret of its own. */
const SECRET_CHARS_MIN = 12

function serverOf(url: string) {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const port = PORTS[parsed?.protocol ?? '']
  if (parsed === undefined || port === undefined || parsed.hostname === '' || !/^\/?$/.test(parsed.pathname)) {
    throw new Error('SMTP_URL: expected smtp://user:password@host:port or smtps://...')
  }
  const { username, password, hostname, search, hash } = parsed
  if (search !== '' || hash !== '') throw new Error('SMTP_URL: expected nothing behind the port')
  if ((username === '') !== (password === '')) throw new Error('SMTP_URL: expected both a user and a password, or none')
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: parsed.port === '' ? port : Number(parsed.port),
    isTls: parsed.protocol === 'smtps:',
    auth: username === '' ? null : { user: decoded(username), pass: decoded(password) },
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw new Error('SMTP_URL: expected %25 for a percent sign in user and password', { cause })
  }
}

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
