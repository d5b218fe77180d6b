import { newToken } from '@catalog/console/pages/token.ts'
import { HOUR_MS } from '@catalog/core/time.ts'
import { queueMail } from '@catalog/store/accounts/mail.ts'
import { insertLink } from '@catalog/store/accounts/people.ts'
import type { Queryable } from '@catalog/store/db.ts'

/**
 * Mail to people about their account. It holds no text that users typed, because others could send messages to
 * strangers with it.
 */

const VERIFY_HOURS = 24
const RESET_HOURS = 1
/** The date part of an instant. */
const DAY_CHARS = 10

type Recipient = Readonly<{ origin: string; userId: string; email: string; at: string }>

type Invited = Readonly<{ email: string; at: string; link: string; expiresAt: string; role: string; actor: string }>

export async function mailVerification(tx: Queryable, to: Recipient): Promise<void> {
  const link = await createLink(tx, to, 'verify', VERIFY_HOURS)
  await queue(tx, to, 'Verify your e-mail', [
    'Somebody signed up to the Construction Cost Catalog with this e-mail address.',
    `If it was you, open this link within ${VERIFY_HOURS} hours and enter the password that you chose:`,
    link,
    'If it was not you, do nothing: without the link nobody can use the account.',
  ])
}

export async function mailReset(tx: Queryable, to: Recipient): Promise<void> {
  const link = await createLink(tx, to, 'reset', RESET_HOURS)
  await queue(tx, to, 'Set a new password', [
    'Somebody asked for a new password for your account at the Construction Cost Catalog.',
    `If it was you, open this link within ${RESET_HOURS} hour:`,
    link,
    'If it was not you, do nothing: the password stays the same.',
  ])
}

/** Sent when somebody signs up with the e-mail of an existing account: the page answers alike in both cases. */
export async function mailAccountExists(tx: Queryable, to: Recipient): Promise<void> {
  await queue(tx, to, 'You have an account', [
    'Somebody signed up to the Construction Cost Catalog with this e-mail address, which has an account already.',
    'If it was you, sign in, or set a new password if you forgot it:',
    `${to.origin}/console/sign-in`,
    `${to.origin}/console/forgot`,
    'If it was not you, do nothing: the account is unchanged.',
  ])
}

export async function mailPasswordChanged(tx: Queryable, to: Recipient): Promise<void> {
  await queue(tx, to, 'Your password was changed', [
    'The password of your account at the Construction Cost Catalog was changed, and all other browsers were signed out.',
    'If it was not you, set a new one:',
    `${to.origin}/console/forgot`,
  ])
}

const FACTOR_CHANGES = {
  on: ['The second factor is on', 'The second factor of your account at the Construction Cost Catalog was turned on.'],
  off: [
    'The second factor is off',
    'The second factor of your account at the Construction Cost Catalog was turned off.',
  ],
  codes: [
    'New recovery codes',
    'The recovery codes of your account at the Construction Cost Catalog were replaced by new ones.',
  ],
} as const

export async function mailSecondFactor(
  tx: Queryable,
  change: keyof typeof FACTOR_CHANGES,
  to: Recipient,
): Promise<void> {
  const [subject, sentence] = FACTOR_CHANGES[change]
  await queue(tx, to, subject, [sentence, ...ifNotYou(to)])
}

export async function mailRecoveryCodeUsed(tx: Queryable, to: Recipient): Promise<void> {
  await queue(tx, to, 'A recovery code was used', [
    'Somebody signed in to your account at the Construction Cost Catalog with one of its recovery codes.',
    ...ifNotYou(to),
  ])
}

const ifNotYou = ({ origin }: Recipient) => [
  'If it was not you, set a new password, which signs out all browsers, and look at your account:',
  `${origin}/console/forgot`,
]

/** Omits the workspace's name, because anybody could send any text in our name with it. `actor` is an e-mail or 'operator'. */
export async function mailInvitation(tx: Queryable, { link, expiresAt, role, actor, ...to }: Invited): Promise<void> {
  const inviter = actor === 'operator' ? 'The operator' : actor
  await queue(tx, to, 'Invitation', [
    `${inviter} invites you to a workspace of the Construction Cost Catalog, as ${role}.`,
    `Open this link to see which one, and to accept. It works once, until ${expiresAt.slice(0, DAY_CHARS)}:`,
    link,
    'If you do not know who invited you, ignore this mail.',
  ])
}

async function createLink(
  tx: Queryable,
  { origin, userId, email, at }: Recipient,
  purpose: 'verify' | 'reset',
  hours: number,
): Promise<string> {
  const { token, sha } = newToken()
  const expiresAt = new Date(Date.parse(at) + hours * HOUR_MS).toISOString()
  await insertLink(tx, { linkSha: sha, email, at, expiresAt, purpose, userId })
  return `${origin}/console/${purpose}?token=${token}`
}

async function queue(
  tx: Queryable,
  { email, at }: Pick<Recipient, 'email' | 'at'>,
  subject: string,
  paragraphs: readonly string[],
): Promise<void> {
  const body = `${paragraphs.join('\n\n')}\n`
  await queueMail(tx, { recipient: email, subject: `${subject} · Construction Cost Catalog`, body, at })
}
