import { checkHeaders } from '@catalog/store/accounts/mail.ts'
import { createTransport } from 'nodemailer'

/** Sends mail: one plain-text message to one person. */
export interface Mailer extends AsyncDisposable {
  /**
   * Resolves when a server has accepted the mail, or a disk has stored it. Throws {@link MailRefused} for a fault of
   * this mail, {@link MailerUnavailable} when no mail can be sent now.
   */
  send(mail: Mail): Promise<void>
}

export type Mail = Readonly<{
  /** The same at each repetition, so that receivers can deduplicate. */
  id: string
  /** One address. */
  recipient: string
  /** One line. */
  subject: string
  body: string
  /** ISO 8601: the date of the message. */
  createdAt: string
}>

/** The visible sender: a name, and the address for replies. */
export type Sender = Readonly<{ name: string; address: string }>

/** Its message never contains the mail's content or the server's credentials. */
export class MailRefused extends Error {
  override name = 'MailRefused'
  /** Whether a retry would be refused again. */
  readonly isPermanent: boolean
  constructor(message: string, { isPermanent, ...options }: ErrorOptions & { isPermanent: boolean }) {
    super(message, options)
    this.isPermanent = isPermanent
  }
}

export class MailerUnavailable extends Error {
  override name = 'MailerAway'
}

/** Parses 'Name <address>' or an address. Throws unless it is one sender. */
export function senderOf(text: string): Sender {
  const [, name = '', address = ''] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? ['', '', text.trim()]
  const sender = { name: name.trim().replace(/^"(.*)"$/, '$1'), address: address.trim() }
  try {
    checkHeaders({ recipient: sender.address, subject: sender.name || 'none' })
  } catch (cause) {
    throw new Error(`sender '${text}': expected an address, or a name before an <address>`, { cause })
  }
  return sender
}

/**
 * The message in the format of RFC 5322, with the same bytes each time. Throws a permanent MailRefused when recipient
 * or subject could inject a header or another recipient.
 */
export async function compose({ id, recipient, subject, body, createdAt }: Mail, from: Sender): Promise<Buffer> {
  try {
    checkHeaders({ recipient, subject })
  } catch (cause) {
    throw new MailRefused((cause as Error).message, { isPermanent: true, cause })
  }
  const { message } = await composer.sendMail({
    from: { ...from },
    // Pass an object: nodemailer parses a text as a list of recipients.
    to: { name: '', address: recipient },
    subject,
    text: body,
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    date: new Date(createdAt),
    // Suppress automatic replies such as 'out of office'.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return message as Buffer
}
const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
