import type { Queryable } from './db.ts'

/** The last ended run of a recurring job. Instants are ISO 8601 with Z. */
export type JobRun = Readonly<{
  job: string
  /** The instant of its schedule that it runs for. */
  due_at: string
  /** Host and process id. */
  process: string
  began_at: string
  ended_at: string
  outcome: 'done' | 'failed'
  /** From 1 on; more than one after failures. */
  attempt: number
  /** Why it failed; null otherwise. */
  failure: string | null
}>

const COLUMNS = 'job, due_at, process, began_at, ended_at, outcome, attempt, failure'
const FAILURE_CHARS_MAX = 1_000

/** Keeps the run in place of the job's former one. A failure is cut at 1,000 characters. */
export async function saveJobRun(db: Queryable, run: JobRun): Promise<void> {
  const { job, due_at, process, began_at, ended_at, outcome, attempt, failure } = run
  await db.query(
    `insert into jobs (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, left($8, ${FAILURE_CHARS_MAX}))
     on conflict (job) do update set due_at = excluded.due_at, process = excluded.process, began_at = excluded.began_at,
       ended_at = excluded.ended_at, outcome = excluded.outcome, attempt = excluded.attempt, failure = excluded.failure`,
    [job, due_at, process, began_at, ended_at, outcome, attempt, failure],
  )
}

/** By name. */
export const readJobRuns = (db: Queryable): Promise<JobRun[]> =>
  db.query<JobRun>(`select ${COLUMNS} from jobs order by job collate "C"`)
