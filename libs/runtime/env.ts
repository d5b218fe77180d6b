import { z } from 'zod'

const port = z.coerce.number().int().min(0).max(65_535)
const perMinute = z.coerce.number().int().min(1).max(1_000_000)

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
  /** When the nightly run starts, in UTC. */
  AGGREGATE_CRON: z.string().min(1).default('0 2 * * *'),
  RATE_LIMIT_ANON_PER_MIN: perMinute.default(60),
  RATE_LIMIT_SEARCH_PER_MIN: perMinute.default(60),
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
