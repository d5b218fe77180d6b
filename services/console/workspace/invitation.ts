import { mailInvitation } from '@catalog/console/mail/email-templates.ts'
import { newToken } from '@catalog/console/pages/token.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { appendAudit, lockWorkspace, membersOf, type Role } from '@catalog/store/accounts/members.ts'
import { insertLink, openInvitations, withdrawInvitation } from '@catalog/store/accounts/people.ts'
import type { Transaction } from '@catalog/store/db.ts'

/** Includes invited people; the page lists all of them. */
const MEMBERS_MAX = 200
export const INVITATIONS_OPEN_MAX = 20
const INVITATION_MS = 7 * DAY_MS

export type Invitation = Readonly<{
  workspaceId: string
  email: string
  role: Role
  /** An e-mail, or 'operator'. */
  actor: string
  /** Origin of the console. */
  origin: string
  at: string
}>

/**
 * Creates a single-use invitation link for a week and queues its mail; revokes the person's former links to the
 * workspace. Answers the reason when it refuses, having changed nothing. The link is a secret.
 */
export async function createInvitation(
  tx: Transaction,
  { workspaceId, email, role, actor, origin, at }: Invitation,
): Promise<{ link: string; expiresAt: string } | { refused: string }> {
  await lockWorkspace(tx, workspaceId)
  const members = await membersOf(tx, workspaceId)
  if (members.some((member) => isSame(member.email, email))) return { refused: 'This person is a member already.' }
  const open = await openInvitations(tx, { workspaceId, at })
  // Only the newest invitation counts.
  const former = open.filter((invitation) => isSame(invitation.email, email))
  const others = open.length - former.length
  if (others >= INVITATIONS_OPEN_MAX) {
    return { refused: `At most ${INVITATIONS_OPEN_MAX} invitations are open. Withdraw one.` }
  }
  if (members.length + others >= MEMBERS_MAX) return { refused: `A workspace has at most ${MEMBERS_MAX} members.` }
  for (const { link_sha } of former) await withdrawInvitation(tx, { workspaceId, linkSha: link_sha, at })
  const { token, sha } = newToken()
  const expiresAt = instant(new Date(Date.parse(at) + INVITATION_MS))
  await insertLink(tx, { purpose: 'invite', linkSha: sha, email, at, expiresAt, workspaceId, role })
  const link = `${origin}/console/invite?token=${token}`
  await mailInvitation(tx, { email, at, link, expiresAt, role, actor })
  await appendAudit(tx, { workspaceId, at, actor, action: 'member.invited', target: email, details: { role } })
  return { link, expiresAt }
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
