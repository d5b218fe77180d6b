import { affectsRow, type Queryable, type Store } from '@catalog/store/db.ts'

/** People who operate the catalog, and what they decided in the console. Instants are arguments, ISO 8601 with Z. */

export type OperatorRow = Readonly<{ user_id: string; email: string; added_at: string }>

/** Returns false, and changes nothing, for a person who is one already. */
export async function addOperator(db: Queryable, { userId, at }: { userId: string; at: string }): Promise<boolean> {
  return affectsRow(
    db,
    `insert into operators (user_id, added_at) values ($1, $2) on conflict do nothing returning user_id`,
    [userId, at],
  )
}

/** Also takes back what the person decided and nobody recorded yet. Returns false for a person who is none. */
export async function removeOperator(store: Store, userId: string): Promise<boolean> {
  return store.transaction(async (tx) => {
    await tx.query(
      `update operator_decisions set state = 'undone'
       where state = 'waiting' and actor = (select email from users where user_id = $1)`,
      [userId],
    )
    return affectsRow(tx, `delete from operators where user_id = $1 returning user_id`, [userId])
  })
}

export async function listOperators(db: Queryable): Promise<OperatorRow[]> {
  return db.query(
    `select user_id, email, added_at from operators join users using (user_id) order by lower(email) collate "C"`,
  )
}

/** Whether the person, with a verified e-mail, operates the catalog. */
export async function isOperator(db: Queryable, userId: string): Promise<boolean> {
  const [row] = await db.query(
    `select from operators join users using (user_id) where user_id = $1 and verified_at is not null`,
    [userId],
  )
  return row !== undefined
}

export type OperatorDecision = Readonly<{
  decision: string
  decided_at: string
  actor: string
  action: string
  subject: string
  /** Arguments as JSON. */
  content: string
  due_at: string
  state: 'waiting' | 'recording' | 'recorded' | 'undone' | 'refused'
  refusal: string | null
}>

const COLUMNS = `decision::text, decided_at, actor, action, subject, content, due_at, state, refusal`

export async function insertDecision(
  db: Queryable,
  given: Pick<OperatorDecision, 'decided_at' | 'actor' | 'action' | 'subject' | 'content' | 'due_at' | 'state'>,
): Promise<void> {
  const { decided_at, actor, action, subject, content, due_at, state } = given
  await db.query(
    `insert into operator_decisions (decided_at, actor, action, subject, content, due_at, state)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [decided_at, actor, action, subject, content, due_at, state],
  )
}

/** Decisions that wait, the newest first. */
export async function waitingDecisions(db: Queryable, limit: number): Promise<OperatorDecision[]> {
  return db.query(
    `select ${COLUMNS} from operator_decisions where state = 'waiting' order by operator_decisions.decision desc limit $1`,
    [limit],
  )
}

/** Decisions of any state, the newest first; `before` is the last one of the page before. */
export async function latestDecisions(
  db: Queryable,
  { before, limit }: { before: bigint | undefined; limit: number },
): Promise<OperatorDecision[]> {
  return db.query(
    `select ${COLUMNS} from operator_decisions where $1::bigint is null or operator_decisions.decision < $1
     order by operator_decisions.decision desc limit $2`,
    [before ?? null, limit],
  )
}

/** Takes a waiting decision back; of its person, where one is given. Returns false once it was recorded. */
export async function undoDecision(
  db: Queryable,
  { decision, actor }: { decision: string; actor?: string },
): Promise<boolean> {
  return affectsRow(
    db,
    `update operator_decisions set state = 'undone'
     where operator_decisions.decision = $1::bigint and state = 'waiting' and ($2::text is null or actor = $2)
     returning operator_decisions.decision`,
    [decision, actor ?? null],
  )
}

/** How many decisions wait, due or not. */
export async function countOpenDecisions(db: Queryable): Promise<number> {
  const [row] = await db.query<{ open: number }>(
    `select count(*)::int as open from operator_decisions where state in ('waiting', 'recording')`,
  )
  return row?.open ?? 0
}

/**
 * The oldest due decision after the one named by `after`, which nobody can undo from now on; undefined without one. Those of
 * `actor` are due at once. One whose recording was interrupted comes again. The caller holds the lease of recording.
 */
export async function claimDueDecision(
  db: Queryable,
  { at, actor, after }: { at: string; actor: string | undefined; after: string },
): Promise<OperatorDecision | undefined> {
  const [row] = await db.query<OperatorDecision>(
    `update operator_decisions set state = 'recording'
     where operator_decisions.decision = (select decision from operator_decisions
       where decision > $3::bigint and (state = 'recording' or state = 'waiting' and (due_at <= $1 or actor = $2))
       order by 1 limit 1)
       and state in ('waiting', 'recording')
     returning ${COLUMNS}`,
    [at, actor ?? null, after],
  )
  return row
}

export async function endDecision(
  tx: Queryable,
  { decision, refusal }: { decision: string; refusal: string | null },
): Promise<void> {
  await tx.query(
    `update operator_decisions set state = case when $2::text is null then 'recorded' else 'refused' end, refusal = $2
     where operator_decisions.decision = $1::bigint`,
    [decision, refusal],
  )
}
