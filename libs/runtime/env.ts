import ipaddr from 'ipaddr.js'
import { z } from 'zod'

const networks = z
  .string()
  .default('')
  .transform((list) => list.split(',').flatMap((entry) => entry.trim() || []))
const port = z.coerce.number().int().min(0).max(65_535)
/** node-cron writes a range out before it looks at its bounds: one that ends at a billion would take all memory. */
const cron = z
  .string()
  .min(1)
  .max(300)
  .refine((text) => !/\d{3}/.test(text), 'expected a schedule as 30 4 * * *, with numbers of two digits at most')
/** Requests in a window of time; ten times as many revalidations are what a column of the database can count. */
const requests = z.coerce.number().int().min(1).max(200_000_000)

/**
 * Every environment variable that the product reads, with its default. Adapters are chosen by DATABASE_URL, KAFKA_BROKERS,
 * ELASTICSEARCH_URL and EMBEDDINGS_URL alone: each one that is not set falls back to the embedded default, and any mix works.
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
  /** Base address of an endpoint that speaks the embeddings API of OpenAI; unset: the built-in multilingual model. */
  EMBEDDINGS_URL: z
    .url({ protocol: /^https?$/ })
    .refine(
      (url) => !/^[^/]*\/\/[^/?#]*@/.test(url),
      'expected no user and password in it; keys go into EMBEDDINGS_KEY',
    )
    .optional(),
  /** Both are needed with EMBEDDINGS_URL; Elasticsearch takes 4,096 dimensions at most. */
  EMBEDDINGS_MODEL: z.string().min(1).max(200).optional(),
  EMBEDDINGS_DIMS: z.coerce.number().int().min(2).max(4_096).optional(),
  /** Whether the provider is asked for so many dimensions, of a model that can be shortened. */
  EMBEDDINGS_SEND_DIMS: z.stringbool().default(false),
  EMBEDDINGS_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,4096}$/, 'expected visible ASCII characters')
    .optional(),
  /** Another one has everything embedded anew, where a model changes and keeps its name. */
  EMBEDDINGS_REVISION: z.string().max(100).default(''),
  /** Put before each text, where the model was trained so. */
  EMBEDDINGS_QUERY_PREFIX: z.string().max(200).default(''),
  EMBEDDINGS_DOCUMENT_PREFIX: z.string().max(200).default(''),
  /** The least cosine at which an item counts as near to a query: models differ. */
  EMBEDDINGS_COSINE_MIN: z.coerce.number().gt(0).max(1).default(0.4),
  /** Tokens of a calendar month, UTC, of all processes together; unset: they are counted only. */
  EMBEDDINGS_BUDGET_TOKENS: z.coerce.number().int().min(1).max(1e15).optional(),
  /** Folder of the embedded data. */
  CATALOG_DATA: z.string().min(1).default('.catalog'),
  PORT: port.default(8080),
  /** How readers reach the server, without /v1; unset: http://127.0.0.1:PORT. */
  PUBLIC_BASE_URL: z.url().optional(),
  /** CIDR networks of proxies, comma-separated. */
  TRUSTED_PROXIES: networks,
  /** CIDR networks, comma-separated, of which addresses that others chose are fetched beside the public internet. */
  FETCH_ALLOWED_NETWORKS: networks.refine(
    (all) => all.every((network) => ipaddr.isValidCIDR(network)),
    'expected networks such as 10.0.0.0/8, comma-separated',
  ),
  /** Which sources are crawled, and when. */
  CATALOG_SOURCES: z.string().min(1).default('catalog.sources.yaml'),
  /** Where shops find out who crawls them: an address of a page or of mail; goes before the file's own. */
  CRAWL_CONTACT: z
    .string()
    .regex(/^[\x21-\x27\x2a-\x7e]{3,300}$/, 'expected the address of a page or of mail')
    .optional(),
  /** smtp(s)://user:password@host:port; unset: mail is written to the folder `mail` of the embedded data. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().min(3).max(300).default('Construction Cost Catalog <no-reply@localhost>'),
  /**
   * Another authorization server, whose tokens agents bring instead of ours: its name, where its public keys are (as its
   * metadata say), and for whom its tokens must be made out; unset: ours at /oauth, and /api/mcp of PUBLIC_BASE_URL.
   */
  OAUTH_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  OAUTH_JWKS_URI: z.url({ protocol: /^https?$/ }).optional(),
  OAUTH_AUDIENCE: z.string().min(1).max(1000).optional(),
  /** Under which terms the prices may be used, for readers to see; unset: nothing is stated. */
  DATA_LICENCE: z.string().min(1).max(200).optional(),
  DATA_LICENCE_URL: z.url().optional(),
  /** When the nightly run starts, in UTC. */
  AGGREGATE_CRON: cron.default('0 2 * * *'),
  /** When the snapshot is taken, in UTC; and where snapshots lie. Unset: the folder `snapshots` of the embedded data. */
  SNAPSHOT_CRON: cron.default('30 3 * * *'),
  SNAPSHOT_DIR: z.string().min(1).optional(),
  /** When the tables are compared with the log, in UTC; 'off': only `catalog verify` does. */
  VERIFY_CRON: cron.default('30 4 * * *').transform((cron) => (cron === 'off' ? null : cron)),
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
  const problems = (parsed.error?.issues ?? []).map(({ path, message }) => {
    const name = String(path[0])
    return `${name}=${printable(name, String(set[name]))}: ${message}`
  })
  const lacking = set.EMBEDDINGS_URL === undefined ? [] : PROVIDER_NEEDS.filter((name) => set[name] === undefined)
  for (const name of lacking) problems.push(`${name} is not set: expected with EMBEDDINGS_URL`)
  if (set.OAUTH_ISSUER !== undefined && set.OAUTH_JWKS_URI === undefined) {
    problems.push('OAUTH_JWKS_URI is not set: expected with OAUTH_ISSUER')
  }
  if (parsed.success && problems.length === 0) return parsed.data
  throw new Error(`environment: ${problems.join('; ')}`)
}
const PROVIDER_NEEDS = ['EMBEDDINGS_MODEL', 'EMBEDDINGS_DIMS'] as const

/** Without what only its owner may see: a wrong value may be a right secret. */
function printable(name: string, value: string): string {
  return name.endsWith('_KEY') ? '***' : value.replace(/(\/\/)[^/?#]*@/, '$1***@')
}
