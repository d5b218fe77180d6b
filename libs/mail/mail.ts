import { checkHeaders } from '@catalog/store/accounts/mail.ts'
import { createTransport } from 'nodemailer'

/** The way mail goes out: one message to one person, plain text. */
export interface Mailer extends AsyncDisposable {
  /**
   * Resolves when somebody else answers for the mail: a server has accepted it, or a disk has it.
   * Throws {@link MailRefused} when this mail is the trouble, {@link MailerAway} when no mail can be sent now.
   */
  send(mail: Mail): Promise<void>
}

export type Mail = Readonly<{
  /** The same whenever the mail is sent again: receivers know it by that. */
  id: string
  /** One address. */
  recipient: string
  /** One line. */
  subject: string
  body: string
  /** ISO 8601: the date of the message. */
  createdAt: string
}>

/** As people see the sender: a name, and the address that answers go to. */
export type Sender = Readonly<{ name: string; address: string }>

/** No error holds what is in the mail, nor how to sign in to the server. */
export class MailRefused extends Error {
  override name = 'MailRefused'
  /** Whether the same mail will be refused again. */
  readonly isForGood: boolean
  constructor(message: string, { isForGood, ...options }: ErrorOptions & { isForGood: boolean }) {
    super(message, options)
    this.isForGood = isForGood
  }
}

export class MailerAway extends Error {
  override name = 'MailerAway'
}

/** 'Name <address>' or an address. Throws unless it is one sender. */
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
 * The message as RFC 5322 has it, the same bytes whenever it is composed. Throws MailRefused for good when recipient or subject
 * could become another header, or another recipient.
 */
export async function compose({ id, recipient, subject, body, createdAt }: Mail, from: Sender): Promise<Buffer> {
  try {
    checkHeaders({ recipient, subject })
  } catch (cause) {
    throw new MailRefused((cause as Error).message, { isForGood: true, cause })
  }
  const { message } = await composer.sendMail({
    from: { ...from },
    // As an object it is taken as it is: a text would be read as a list of recipients.
    to: { name: '', address: recipient },
    subject,
    text: body,
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    date: new Date(createdAt),
    // No answers of the kind 'out of office'.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return message as Buffer
}
const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
