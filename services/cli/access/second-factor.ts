import type { Context } from '@catalog/cli/shared/context.ts'
import { mailNotice } from '@catalog/console/mail/email-templates.ts'
import { instant } from '@catalog/core/time.ts'
import { appendAudit, workspacesOf } from '@catalog/store/accounts/members.ts'
import { findUser } from '@catalog/store/accounts/people.ts'
import { deleteSecondFactor } from '@catalog/store/accounts/second-factors.ts'
import { consoleOriginOf } from './console-origin.ts'
import { OPERATOR } from './keys.ts'

/**
 * `catalog workspace second-factor-off EMAIL`: lets in a person who lost the authenticator and all recovery codes by the
 * password alone. The person gets a mail, and the audit log of each of their workspaces shows it.
 */
export async function turnOffSecondFactor({ catalog, terminal, env }: Context, email: string): Promise<void> {
  const { store, now } = catalog
  const origin = consoleOriginOf(env, terminal)
  const at = instant(now())
  await store.transaction(async (tx) => {
    const user = await findUser(tx, { email })
    if (user === undefined) throw new Error(`'${email}': expected the e-mail of an account`)
    const { user_id: userId } = user
    if (!(await deleteSecondFactor(tx, userId))) throw new Error(`${user.email} has no second factor that is on`)
    for (const { workspace_id: workspaceId } of await workspacesOf(tx, userId)) {
      const audited = { workspaceId, at, actor: OPERATOR, target: user.email }
      await appendAudit(tx, { ...audited, action: 'member.second_factor_off' })
    }
    await mailNotice(tx, 'second_factor_off', { origin, userId, email: user.email, at })
  })
  terminal.answer({ email, second_factor: 'off' }, () => `the second factor of ${email} is off; a mail tells them`)
}
