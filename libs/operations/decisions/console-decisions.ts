import type { Catalog } from '@catalog/operations/catalog.ts'
import { BadCursor } from '@catalog/operations/naming.ts'
import { type Outcome, type Paging, pageOf } from '@catalog/operations/outcome.ts'
import { latestDecisions, undoDecision, waitingDecisions } from '@catalog/store/accounts/operators.ts'

/** 18 digits fit into any bigint of the database. */
const NUMBER = /^\d{1,18}$/

/** Who decided what in the console, the newest first. */
export async function listDecisions({ store }: Pick<Catalog, 'store'>, { after, limit }: Paging) {
  if (after !== undefined && !NUMBER.test(after))
    throw new BadCursor(`--after '${after}': expected the number of a decision, as the list gives it`)
  const before = after === undefined ? undefined : BigInt(after)
  const found = await latestDecisions(store, { before, limit: limit + 1 })
  const { rows: decisions, cursor } = pageOf(found, { limit, placeOf: ({ decision }) => decision })
  return { decisions, cursor }
}

/** Takes back a decision that is not recorded yet; by default the last one. */
export async function undo({ store }: Pick<Catalog, 'store'>, given: string | undefined): Promise<Outcome> {
  const decision = given ?? (await waitingDecisions(store, 1))[0]?.decision
  if (decision === undefined) throw new Error('no decision waits: what is recorded stays in the log')
  if (!NUMBER.test(decision) || !(await undoDecision(store, { decision })))
    throw new Error(
      `decision '${decision}': expected one that is not recorded yet, as catalog operators decisions lists them`,
    )
  return { value: { undone: decision }, said: `the decision ${decision} is taken back` }
}
