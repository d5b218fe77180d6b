import { newToken } from '@catalog/console/pages/token.ts'
import { readDataFile } from '@catalog/core/data-file.ts'
import { HOUR_MS } from '@catalog/core/time.ts'
import { queueMail } from '@catalog/store/accounts/mail.ts'
import { insertLink } from '@catalog/store/accounts/people.ts'
import type { Queryable } from '@catalog/store/db.ts'

type Notice = 'account_exists' | 'password_changed' | `second_factor_${'on' | 'off' | 'codes'}` | 'recovery_code_used'
type Template = Readonly<{ subject: string; paragraphs: readonly string[] }>
const TEMPLATES = readDataFile(import.meta.url, 'email-templates.yaml') as Readonly<
  Record<Notice | 'verify' | 'reset' | 'invitation', Template>
>

/** For how long a link works; the templates say so. */
const LINK_HOURS = { verify: 24, reset: 1 } as const
/** The date part of an instant. */
const DAY_CHARS = 10

type Recipient = Readonly<{ origin: string; userId: string; email: string; at: string }>
type Invited = Readonly<{ email: string; at: string; link: string; expiresAt: string; role: string; actor: string }>

/** Tells a person what happened to the account. */
export const mailNotice = (tx: Queryable, notice: Notice, { origin, email, at }: Recipient): Promise<void> =>
  queue(tx, TEMPLATES[notice], { email, at, values: { origin } })

/** Mails a link that verifies the e-mail or sets a new password. */
export async function mailLink(
  tx: Queryable,
  purpose: keyof typeof LINK_HOURS,
  { origin, userId, email, at }: Recipient,
): Promise<void> {
  const { token, sha } = newToken()
  const expiresAt = new Date(Date.parse(at) + LINK_HOURS[purpose] * HOUR_MS).toISOString()
  await insertLink(tx, { linkSha: sha, email, at, expiresAt, purpose, userId })
  const link = `${origin}/console/${purpose}?token=${token}`
  await queue(tx, TEMPLATES[purpose], { email, at, values: { link } })
}

/** `actor` is an e-mail or 'operator'. */
export async function mailInvitation(tx: Queryable, { expiresAt, actor, email, at, ...given }: Invited): Promise<void> {
  const inviter = actor === 'operator' ? 'The operator' : actor
  await queue(tx, TEMPLATES.invitation, {
    email,
    at,
    values: { ...given, inviter, day: expiresAt.slice(0, DAY_CHARS) },
  })
}

async function queue(
  tx: Queryable,
  { subject, paragraphs }: Template,
  { email, at, values }: Readonly<{ email: string; at: string; values: Readonly<Record<string, string>> }>,
): Promise<void> {
  const filled = paragraphs.map((text) => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] as string))
  const body = `${filled.join('\n\n')}\n`
  await queueMail(tx, { recipient: email, subject: `${subject} · Construction Cost Catalog`, body, at })
}
