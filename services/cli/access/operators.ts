import type { Context, Stage } from '@catalog/cli/shared/context.ts'
import type { List } from '@catalog/cli/shared/list.ts'
import { table } from '@catalog/cli/shared/terminal.ts'
import { instant } from '@catalog/core/time.ts'
import { listDecisions } from '@catalog/operations/decisions/console-decisions.ts'
import { addOperator, listOperators, removeOperator } from '@catalog/store/accounts/operators.ts'
import { findUser } from '@catalog/store/accounts/people.ts'
import { consoleOriginOf } from './console-origin.ts'
import { validEmail } from './workspaces.ts'

/** People who see the operators' views in the console, and what they decided there. */

export async function showOperators({ catalog: { store }, terminal }: Stage): Promise<void> {
  const operators = await listOperators(store)
  terminal.answer({ operators }, () => table(operators.map(({ email, added_at }) => ({ email, added_at }))))
  terminal.next('catalog operators add EMAIL')
}

/** Throws for an e-mail that nobody has verified in the console. */
export async function nameOperator({ catalog, terminal, env }: Context, given: string): Promise<void> {
  const { store, now } = catalog
  const origin = consoleOriginOf(env, terminal)
  const email = validEmail(given)
  const user = await findUser(store, { email })
  if (user?.verified_at == null)
    throw new Error(`'${email}': expected the e-mail of a person who has signed up at ${origin}/console`)
  const isNew = await addOperator(store, { userId: user.user_id, at: instant(now()) })
  terminal.answer(
    { email: user.email, operator: true, changed: isNew },
    () => `${user.email} ${isNew ? 'is now an operator' : 'is an operator already'}: ${origin}/console/operator`,
  )
}

export async function dismissOperator({ catalog: { store }, terminal }: Stage, given: string): Promise<void> {
  const email = validEmail(given)
  const user = await findUser(store, { email })
  if (user === undefined || !(await removeOperator(store, user.user_id)))
    throw new Error(`'${email}': expected the e-mail of an operator, as catalog operators lists them`)
  terminal.answer({ email: user.email, operator: false }, () => `${user.email} is no operator any more`)
}

export const DECISIONS: List<Awaited<ReturnType<typeof listDecisions>>> = {
  command: 'catalog operators decisions',
  read: listDecisions,
  text: ({ decisions }) =>
    table(
      decisions.map(({ decision, decided_at, actor, action, subject, state }) => {
        return { decision, decided_at, actor, action, subject, state }
      }),
    ),
  next: () => undefined,
}
