import { shape } from '@catalog/api/contract/shared/described.ts'
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
  shape('Lag', {
    records: Count.nullable(),
    seconds: Count.nullable(),
  }).meta({ description: what })

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
export const Incident = shape('Incident', {
  id: z.string().regex(new RegExp(`^[a-z0-9-]{1,${ID_MAX}}$`), 'expected small letters, digits and -'),
  title: plainText(TITLE_MAX),
  text: plainText(TEXT_MAX).nullable().default(null),
  impact: z.enum(IMPACTS),
  began_at: Instant,
  ended_at: Instant.nullable().default(null),
}).meta({ id: 'Incident' })
export type Incident = z.infer<typeof Incident>

const WORKS = ['aggregate', 'crawl'] as const

/** Additive: the state of the service. */
export const StatusResponse = shape('StatusResponse', {
  state: z.enum(STATES),
  problems: z.array(z.enum(Object.keys(PROBLEMS) as [Problem, ...Problem[]])).meta({
    description: Object.entries(PROBLEMS)
      .map(([code, meaning]) => `\`${code}\` (${meaning})`)
      .join('; '),
  }),
  checked_at: Instant,
  database: shape('StatusResponse.database', {
    answers: z.boolean(),
    away_seconds: Count,
  }),
  catalog: shape('StatusResponse.catalog', {
    seq: Seq.nullable(),
    run: shape('StatusResponse.catalog.run', {
      id: z.string().nullable(),
      as_of: Instant,
      finished_at: Instant.nullable(),
    }).nullable(),
    snapshot: z.strictObject({ seq: Seq, created_at: Instant }).nullable(),
  }),
  projections: Lag('How far the tables are behind the log of recorded prices and decisions'),
  replica: z.strictObject({ seq: Seq, lag: Lag('How far it is behind the database') }).nullable(),
  search: shape('StatusResponse.search', {
    answers: z.boolean(),
    seq: Seq.nullable(),
    lag: Lag('How far it is behind the catalog'),
  }),
  work: z.array(
    shape('StatusResponse.work', {
      name: z.enum(WORKS),
      stage: z.string(),
      done: Count,
      total: Count.nullable(),
      per_second: Count.nullable(),
      seconds_left: Count.nullable(),
      stale: z.boolean(),
    }),
  ),
  incidents: z.array(Incident),
}).meta({ id: 'StatusResponse' })
export type StatusResponse = z.infer<typeof StatusResponse>
export const StatusPage = z.string().meta({ description: 'The same as a page for people' })
