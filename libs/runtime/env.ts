import { z } from 'zod'

const port = z.coerce.number().int().min(0).max(65_535)
/** Requests in a window of time; ten times as many revalidations are what a column of the database can count. */
const requests = z.coerce.number().int().min(1).max(200_000_000)

/**
 * Every environment variable that the product reads, with its default. Adapters are chosen by the first four alone: each
 * one that is not set falls back to the embedded default, and any mix works.
 */
const Environment = z.object({
  /** postgres://...; unset: PGlite in CATALOG_DATA. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** host:port,host:port; unset: a table of the store. */
  KAFKA_BROKERS: z.string().min(1).optional(),
  /** Goes before the names of the topics, where several catalogs share a cluster. */
  KAFKA_TOPIC_PREFIX: z
    .string()
    .regex(/^[a-zA-Z0-9._-]{0,100}$/)
    .default(''),
  /** http(s)://...; unset: vectors in a table of the store, scanned exactly. */
  ELASTICSEARCH_URL: z.url().optional(),
  /** An OpenAI-compatible endpoint; unset: the built-in multilingual model. */
  EMBEDDINGS_URL: z.url().optional(),
  /** Folder of the embedded data. */
  CATALOG_DATA: z.string().min(1).default('.catalog'),
  PORT: port.default(8080),
  /** How readers reach the server, without /v1; unset: http://127.0.0.1:PORT. */
  PUBLIC_BASE_URL: z.url().optional(),
  /** CIDR networks of proxies, comma-separated. */
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((entry) => entry.trim() || [])),
  /** Under which terms the prices may be used, for readers to see; unset: nothing is stated. */
  DATA_LICENCE: z.string().min(1).max(200).optional(),
  DATA_LICENCE_URL: z.url().optional(),
  /** When the nightly run starts, in UTC. */
  AGGREGATE_CRON: z.string().min(1).default('0 2 * * *'),
  /** When the snapshot is taken, in UTC; and where snapshots lie. Unset: the folder `snapshots` of the embedded data. */
  SNAPSHOT_CRON: z.string().min(1).default('30 3 * * *'),
  SNAPSHOT_DIR: z.string().min(1).optional(),
  /** Changes that are older are let go once a snapshot holds what they made. */
  FEED_RETENTION_DAYS: z.coerce.number().int().min(1).max(36_500).default(400),
  /** Of an address without a key, of a developer key, of a workspace; searches of any of them. */
  RATE_LIMIT_ANON_PER_MIN: requests.default(60),
  RATE_LIMIT_DEV_PER_MIN: requests.default(120),
  RATE_LIMIT_DEV_PER_MONTH: requests.default(50_000),
  RATE_LIMIT_ORG_PER_MIN: requests.default(1_000),
  RATE_LIMIT_ORG_PER_MONTH: requests.default(100_000),
  RATE_LIMIT_SEARCH_PER_MIN: requests.default(60),
  /** Keys that an address may sign up for, and an e-mail. */
  RATE_LIMIT_SIGNUPS_PER_HOUR: requests.default(5),
  RATE_LIMIT_SIGNUPS_PER_DAY: requests.default(20),
  RATE_LIMIT_SIGNUPS_PER_EMAIL_PER_DAY: requests.default(5),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
})
export type Environment = Readonly<z.infer<typeof Environment>>

/** Reads the environment; throws an error that names each variable with what it expects. Empty counts as unset. */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = Environment.safeParse(set)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => {
    const name = String(path[0])
    return `${name}=${set[name]}: ${message}`
  })
  throw new Error(`environment: ${problems.join('; ')}`)
}
