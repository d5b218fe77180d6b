import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { compose, type Mail, type Mailer, MailerUnavailable, MailRefused, type Sender } from './mail.ts'

/** Timeouts of a server. */
export type SmtpTimeouts = Readonly<{
  /** For name lookup, connection, greeting and TLS. */
  connectTimeoutMs: number
  /** Without data from the server. */
  idleTimeoutMs: number
  /** For a whole mail, however slowly the server responds; well below the sender's claim on a mail. */
  mailTimeoutMs: number
}>
export const SMTP_TIMEOUTS: SmtpTimeouts = { connectTimeoutMs: 10_000, idleTimeoutMs: 20_000, mailTimeoutMs: 60_000 }

/** Default ports: submission, and submission over TLS (RFC 8314). */
const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 }
const RESPONSE_CHARS_MAX = 200

/**
 * A mail server at smtp://user:password@host:587 (STARTTLS) or smtps://user:password@host:465. Passwords and mails
 * leave the machine only over TLS with a valid certificate; smtp:// to a loopback address works without TLS. Each mail
 * uses its own connection: mail is rare, and servers close idle connections.
 *
 * Throws on an invalid address, without quoting it.
 */
export function openSmtp({
  url,
  from,
  timeouts = SMTP_TIMEOUTS,
}: {
  url: string
  from: Sender
  timeouts?: SmtpTimeouts
}): Mailer {
  const { host, port, isTls, auth } = serverOf(url)
  const isLocal = isLoopback(host)
  const closing = new AbortController()
  return {
    async send(mail) {
      const message = await compose(mail, from)
      const connection = new SMTPConnection({
        // Without TLS, resolve 'localhost' here: a name server must not redirect the mail.
        host: isLocal && !isTls && host === 'localhost' ? '127.0.0.1' : host,
        port,
        secure: isTls,
        requireTLS: !isTls && !isLocal,
        ignoreTLS: !isTls && isLocal,
        // Greet with the sender's domain instead of this machine's name.
        name: from.address.slice(from.address.lastIndexOf('@') + 1),
        connectionTimeout: timeouts.connectTimeoutMs,
        greetingTimeout: timeouts.connectTimeoutMs,
        dnsTimeout: timeouts.connectTimeoutMs,
        socketTimeout: timeouts.idleTimeoutMs,
        logger: false,
      })
      const broken = Promise.withResolvers<never>()
      connection.on('error', broken.reject).on('end', () => broken.reject(new Error('the connection ended')))
      const deadline = AbortSignal.any([closing.signal, AbortSignal.timeout(timeouts.mailTimeoutMs)])
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
        // Always log in with a password: a server that does not ask for it refuses the login.
        if (auth !== null) await step((done) => connection.login({ credentials: { ...auth } }, done))
        isReady = true
        const envelope = { from: from.address, to: [mail.recipient], size: message.length }
        await step((done) => connection.send(envelope, message, done))
      } catch (error) {
        throw isReady ? refusal(error as SmtpError, mail) : unavailable(error as SmtpError, { host, port })
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

/** Reports only the number of the server's response: its text may repeat the credentials. */
function unavailable(error: SmtpError, { host, port }: { host: string; port: number }): MailerUnavailable {
  const { message, code, responseCode, response } = error
  const reason = response === undefined ? message : `${code} ${responseCode ?? ''}`.trim()
  return new MailerUnavailable(`${host}:${port} takes no mail: ${reason}`)
}

/**
 * RFC 5321: 5yz is permanent, except 503, a wrong order of commands. A refused sender affects every mail, so the
 * operator must repair it, and mail waits.
 */
function refusal({ command, message, responseCode = 0, response }: SmtpError, mail: Mail): MailRefused {
  const isPermanent = responseCode >= 500 && responseCode !== 503 && command !== 'MAIL FROM'
  return new MailRefused(`the server did not take the mail: ${redact(response ?? message, mail)}`, {
    isPermanent,
  })
}

/** Masks links and long words of the mail: spam filters quote the links that they reject, and links are secrets. */
function redact(text: string, { body }: Mail): string {
  const words = new Set(body.split(/\s+/).filter((word) => word.length >= SECRET_CHARS_MIN))
  let redacted = text.replace(/\S*:\/\/\S*/g, '...')
  for (const word of words) redacted = redacted.replaceAll(word, '...')
  return redacted
    .replace(/[A-Za-z0-9_=-]{24,}/g, '...')
    .replace(/\s+/g, ' ')
    .slice(0, RESPONSE_CHARS_MAX)
}
/** Shorter words of a mail are not secrets. */
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
