import type { Terminal } from '@catalog/cli/shared/terminal.ts'
import { mailSecondFactor } from '@catalog/console/mail/email-templates.ts'
import { instant } from '@catalog/core/time.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { appendAudit, workspacesOf } from '@catalog/store/accounts/members.ts'
import { findUser } from '@catalog/store/accounts/people.ts'
import { deleteSecondFactor } from '@catalog/store/accounts/second-factors.ts'
import { OPERATOR } from './keys.ts'

/**
 * `catalog workspace second-factor-off EMAIL`: lets in a person who lost the authenticator and all recovery codes by the
 * password alone. The person gets a mail, and the audit log of each of their workspaces shows it.
 */
export async function turnOffSecondFactor(
  { store, now }: Catalog,
  terminal: Terminal,
  { email, origin }: { email: string; origin: string },
): Promise<void> {
  const at = instant(now())
  await store.transaction(async (tx) => {
    const user = await findUser(tx, { email })
    if (user === undefined) throw new Error(`'${email}': expected the e-mail of an account`)
    const { user_id: userId } = user
    if (!(await deleteSecondFactor(tx, userId))) throw new Error(`${user.email} has no second factor that is on`)
    for (const { workspace_id: workspaceId } of await workspacesOf(tx, userId)) {
      await appendAudit(tx, {
        workspaceId,
        at,
        actor: OPERATOR,
        action: 'member.second_factor_off',
        target: user.email,
      })
    }
    await mailSecondFactor(tx, 'off', { origin, userId, email: user.email, at })
  })
  terminal.answer({ email, second_factor: 'off' }, () => `the second factor of ${email} is off; a mail tells them`)
}
