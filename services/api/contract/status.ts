import { Count, Instant, Seq } from '@catalog/api/contract/shared/fields.ts'
import { MEANINGS } from '@catalog/api/contract/shared/meanings.ts'
import { z } from 'zod'

/** The state of the service, for everybody. */

export const STATES = ['ok', 'degraded', 'down'] as const
export type ServiceState = (typeof STATES)[number]

/** What makes the state worse than ok, explained for readers. */
export const PROBLEMS = MEANINGS.problems
export type Problem = keyof typeof PROBLEMS

const Lag = (what: string) =>
  z
    .strictObject({
      records: Count.nullable().meta({ description: 'Records that are missing; null: nobody can tell now' }),
      seconds: Count.nullable().meta({
        description: 'For how long this server has seen any missing: 0 while none is; null: nobody can tell now',
      }),
    })
    .meta({ description: what })

export const IMPACTS = ['none', 'degraded', 'down'] as const
/** Characters of an incident. */
const [ID_MAX, TITLE_MAX, TEXT_MAX] = [60, 200, 2_000]
/** Neither control characters nor invisible ones, but line ends. */
const PLAIN = /^(?:\n|[^\p{Cc}\p{Cf}])*$/u
const plainText = (max: number) =>
  z
    .string()
    .min(1, 'expected at least one character')
    .max(max, `expected at most ${max} characters`)
    .refine((text) => PLAIN.test(text), 'expected no control characters')

/** An incident, as the operator writes it: docs/environment.md. */
export const Incident = z
  .strictObject({
    id: z.string().regex(new RegExp(`^[a-z0-9-]{1,${ID_MAX}}$`), 'expected small letters, digits and -'),
    title: plainText(TITLE_MAX),
    text: plainText(TEXT_MAX).nullable().default(null).meta({ description: 'What happened, in plain text' }),
    impact: z.enum(IMPACTS).meta({ description: 'While it is open, the state is this at least' }),
    began_at: Instant,
    ended_at: Instant.nullable().default(null).meta({ description: 'null: it is not over' }),
  })
  .meta({ id: 'Incident' })
export type Incident = z.infer<typeof Incident>

const WORKS = ['aggregate', 'crawl'] as const

/** Additive: the state of the service. */
export const StatusResponse = z
  .strictObject({
    state: z.enum(STATES).meta({
      description: 'ok; degraded: reads answer, and something does not; down: reads do not answer',
    }),
    problems: z.array(z.enum(Object.keys(PROBLEMS) as [Problem, ...Problem[]])).meta({
      description: Object.entries(PROBLEMS)
        .map(([code, meaning]) => `\`${code}\` (${meaning})`)
        .join('; '),
    }),
    checked_at: Instant.meta({ description: 'Some seconds ago at most' }),
    database: z.strictObject({
      answers: z.boolean(),
      away_seconds: Count.meta({ description: 'For how long it has not answered; 0 while it does' }),
    }),
    catalog: z
      .strictObject({
        seq: Seq.nullable().meta({ description: 'Number of the newest change, as in the feeds; null: unknown' }),
        run: z
          .strictObject({
            id: z.string().nullable().meta({ description: 'null while only the replica holds it' }),
            as_of: Instant,
            finished_at: Instant.nullable().meta({ description: 'null: unknown' }),
          })
          .nullable()
          .meta({ description: 'The last finished run, which computed the medians; null before the first' }),
        snapshot: z
          .strictObject({ seq: Seq, created_at: Instant })
          .nullable()
          .meta({ description: 'The newest snapshot; null: there is none, or it is unknown' }),
      })
      .meta({ description: 'While the database is away: as it was when it answered last' }),
    projections: Lag('How far the tables are behind the log of recorded prices and decisions'),
    replica: z
      .strictObject({ seq: Seq, lag: Lag('How far it is behind the database') })
      .nullable()
      .meta({ description: 'The replica from which this server answers public reads; null: it has none' }),
    search: z.strictObject({
      answers: z.boolean(),
      seq: Seq.nullable().meta({ description: 'The newest change that it finds; null: unknown' }),
      lag: Lag('How far it is behind the catalog'),
    }),
    work: z
      .array(
        z.strictObject({
          name: z.enum(WORKS),
          stage: z.string(),
          done: Count,
          total: Count.nullable().meta({ description: 'null: nobody knows it yet' }),
          per_second: Count.nullable(),
          seconds_left: Count.nullable().meta({ description: 'Of this stage; null: nobody can tell' }),
          stale: z.boolean().meta({ description: 'Its process ended amid it; the next one goes on from there' }),
        }),
      )
      .meta({ description: 'Crawls and runs under way, whose prices show when they end' }),
    incidents: z.array(Incident).meta({ description: 'The newest first, at most 20' }),
  })
  .meta({ id: 'StatusResponse' })
export type StatusResponse = z.infer<typeof StatusResponse>
export const StatusPage = z.string().meta({ description: 'The same as a page for people' })
