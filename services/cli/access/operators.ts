import { validEmail } from '@catalog/cli/access/workspaces.ts'
import { type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import { instant } from '@catalog/core/time.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import {
  addOperator,
  latestDecisions,
  listOperators,
  removeOperator,
  undoDecision,
  waitingDecisions,
} from '@catalog/store/accounts/operators.ts'
import { findUser } from '@catalog/store/accounts/people.ts'

/** People who see the operators' views in the console, and what they decided there. */

export async function showOperators({ store }: Catalog, terminal: Terminal): Promise<void> {
  const operators = await listOperators(store)
  terminal.answer({ operators }, () => table(operators.map(({ email, added_at }) => ({ email, added_at }))))
  terminal.next('catalog operators add EMAIL')
}

/** Throws for an e-mail that nobody has verified in the console. */
export async function nameOperator(
  { store, now }: Catalog,
  terminal: Terminal,
  { email: given, origin }: { email: string; origin: string },
): Promise<void> {
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

export async function dismissOperator({ store }: Catalog, terminal: Terminal, given: string): Promise<void> {
  const email = validEmail(given)
  const user = await findUser(store, { email })
  if (user === undefined || !(await removeOperator(store, user.user_id)))
    throw new Error(`'${email}': expected the e-mail of an operator, as catalog operators lists them`)
  terminal.answer({ email: user.email, operator: false }, () => `${user.email} is no operator any more`)
}

/** `catalog operators decisions`: who decided what in the console. */
export async function showDecisions(
  { store }: Catalog,
  terminal: Terminal,
  { after, limit }: { after?: string; limit: number },
): Promise<void> {
  if (after !== undefined && !/^\d{1,18}$/.test(after))
    throw new Error(`--after '${after}': expected the number of a decision, as the list gives it`)
  const found = await latestDecisions(store, {
    before: after === undefined ? undefined : BigInt(after),
    limit: limit + 1,
  })
  const decisions = found.slice(0, limit)
  const cursor = found.length > limit ? (decisions.at(-1)?.decision ?? null) : null
  terminal.answer({ decisions, cursor }, () =>
    [
      table(
        decisions.map(({ decision, decided_at, actor, action, subject, state }) => {
          return { decision, decided_at, actor, action, subject, state }
        }),
      ),
      cursor === null ? '' : `\nmore: catalog operators decisions --after ${cursor}`,
    ].join('\n'),
  )
}

/** `catalog review undo`: takes back a decision of the console that is not recorded yet; by default the last one. */
export async function undoReview({ store }: Catalog, terminal: Terminal, given: string | undefined): Promise<void> {
  const [last] = await waitingDecisions(store, 1)
  const decision = given ?? last?.decision
  if (decision === undefined) throw new Error('no decision waits: what is recorded stays in the log')
  if (!/^\d{1,18}$/.test(decision) || !(await undoDecision(store, { decision })))
    throw new Error(
      `decision '${decision}': expected one that is not recorded yet, as catalog operators decisions lists them`,
    )
  terminal.answer({ undone: decision }, () => `the decision ${decision} is taken back`)
  terminal.next('catalog review')
}
