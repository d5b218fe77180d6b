import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import type * as cronLibrary from 'node-cron'
import { z } from 'zod'
import { readSecretFiles, SECRETS } from './secret-files.ts'

const networks = z
  .string()
  .default('')
  .transform((list) => list.split(',').flatMap((entry) => entry.trim() || []))
/** As the parser of X-Forwarded-For takes them. */
const proxies = networks.refine(
  (all) => all.every(isProxy),
  'expected addresses and networks of proxies such as 10.0.0.0/8, comma-separated',
)
const PROXY_NAMES = ['loopback', 'linklocal', 'uniquelocal']
function isProxy(entry: string): boolean {
  const [address = '', mask] = entry.split('/')
  if (ipaddr.isValidCIDR(entry) || PROXY_NAMES.includes(entry)) return true
  if (!ipaddr.isValid(address)) return false
  return (
    mask === undefined ||
    (ipaddr.IPv4.isValidFourPartDecimal(mask) && ipaddr.parse(mask).prefixLengthFromSubnetMask() !== null)
  )
}
const cidrNetworks = networks.refine(
  (all) => all.every((network) => ipaddr.isValidCIDR(network)),
  'expected networks such as 10.0.0.0/8, comma-separated',
)
const port = z.coerce.number().int().min(0).max(65_535)
/** node-cron expands a range before it checks the bounds: a range up to a billion would exhaust the memory. */
const cron = z
  .string()
  .min(1)
  .max(300)
  .refine((text) => !/\d{3}/.test(text), {
    error: 'expected a schedule as 30 4 * * *, with numbers of two digits at most',
    abort: true,
  })
const CRON_EXPECTED = 'expected a schedule as 30 4 * * *: minute, hour, day of the month, month, weekday'
/** Loaded only where a schedule is set: the library alone takes as long as a command's start. */
const requireLazily = createRequire(import.meta.url)
const isCron = (text: string) => (requireLazily('node-cron') as typeof cronLibrary).validate(text)
const BROKERS_EXPECTED = 'expected brokers as host:9092, comma-separated'
const isBroker = (entry: string) => Number(/^(?:[^\s:,/]+|\[[\da-f:.]+\]):(\d{1,5})$/i.exec(entry)?.[1]) <= 65_535
const SECRETS_KEY_EXPECTED = 'expected base64 of 32 bytes, as of: openssl rand -base64 32'
const isSecretsKey = (text: string) => /^[A-Za-z0-9+/]{43}=$/.test(text)
/** Requests in a window; a database column must count ten times as many revalidations. */
const requests = z.coerce.number().int().min(1).max(200_000_000)

/**
 * Every environment variable of the product, with its default and its line in docs/environment.md. DATABASE_URL,
 * KAFKA_BROKERS, ELASTICSEARCH_URL and EMBEDDINGS_URL alone choose the adapters: an unset one falls back to the embedded
 * default, and any combination works.
 */
const Environment = z.object({
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('`postgres://` address of PostgreSQL 15 or later as the store; unset: PGlite in `CATALOG_DATA`'),
  DATABASE_PASSWORD: z.string().min(1).max(4096).optional().describe('password of `DATABASE_URL`, where that has none'),
  KAFKA_BROKERS: z
    .string()
    .refine((list) => list.split(',').every(isBroker), BROKERS_EXPECTED)
    .optional()
    .describe('`host:port,host:port` of Kafka as the log (tested with 4.1); unset: a table of the store'),
  KAFKA_CLIENT: z
    .enum(['platformatic', 'kafkajs'])
    .default('platformatic')
    .describe('library for Kafka: `platformatic` (3.5 or later) or `kafkajs` (2.1 or later); each process may choose'),
  KAFKA_TOPIC_PREFIX: z
    .string()
    .regex(/^[a-zA-Z0-9._-]{0,100}$/)
    .default('')
    .describe('prefix of topics and groups where several catalogs share a cluster'),
  KAFKA_TLS: z.stringbool().default(false).describe('encrypt connections to brokers'),
  KAFKA_CA_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('PEM file of the authority that signed their certificates; unset: those that Node trusts'),
  KAFKA_SASL_MECHANISM: z
    .enum(['plain', 'scram-sha-256', 'scram-sha-512'])
    .optional()
    .describe('`plain` (only with `KAFKA_TLS`), `scram-sha-256` or `scram-sha-512`; unset: no authentication'),
  KAFKA_SASL_USERNAME: z.string().min(1).max(1000).optional().describe('name of this process for the brokers'),
  KAFKA_SASL_PASSWORD: z.string().min(1).max(4096).optional().describe('its password'),
  ELASTICSEARCH_URL: z
    .url()
    .optional()
    .describe('Elasticsearch 9 as the search index (tested with 9.5); unset: an exact index in memory of each process'),
  ELASTICSEARCH_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,4096}$/, 'expected visible ASCII characters')
    .optional()
    .describe('key in base64, as Elasticsearch prints it'),
  ELASTICSEARCH_CA_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('PEM file of the authority that signed its certificate; unset: those that Node trusts'),
  EMBEDDINGS_URL: z
    .url({ protocol: /^https?$/ })
    .refine(
      (url) => !/^[^/]*\/\/[^/?#]*@/.test(url),
      'expected no user and password in it; keys go into EMBEDDINGS_KEY',
    )
    .optional()
    .describe('base address of an OpenAI-compatible embeddings endpoint; unset: the built-in multilingual model'),
  EMBEDDINGS_MODEL: z.string().min(1).max(200).optional().describe('its model; required with `EMBEDDINGS_URL`'),
  // Elasticsearch supports at most 4,096 dimensions.
  EMBEDDINGS_DIMS: z.coerce
    .number()
    .int()
    .min(2)
    .max(4_096)
    .optional()
    .describe('length of its vectors; required with `EMBEDDINGS_URL`'),
  EMBEDDINGS_SEND_DIMS: z.stringbool().default(false).describe('ask the model for shortened vectors'),
  EMBEDDINGS_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,4096}$/, 'expected visible ASCII characters')
    .optional()
    .describe('its bearer token'),
  EMBEDDINGS_REVISION: z.string().max(100).default('').describe('a new value embeds everything again'),
  EMBEDDINGS_QUERY_PREFIX: z.string().max(200).default('').describe('prefix that the model expects before a query'),
  EMBEDDINGS_DOCUMENT_PREFIX: z
    .string()
    .max(200)
    .default('')
    .describe('prefix that the model expects before a document'),
  EMBEDDINGS_COSINE_MIN: z.coerce
    .number()
    .gt(0)
    .max(1)
    .default(0.4)
    .describe('least cosine at which an item counts as near to a query'),
  SEARCH_ON_UNAVAILABLE: z
    .enum(['refuse', 'fallback'])
    .default('refuse')
    .describe(
      'a search while its provider is down or over budget: `refuse` answers 503, `fallback` finds by words alone',
    ),
  EMBEDDINGS_BUDGET_TOKENS: z.coerce
    .number()
    .int()
    .min(1)
    .max(1e15)
    .optional()
    .describe('tokens a calendar month (UTC) for all processes together; unset: no limit'),
  CATALOG_DATA: z
    .string()
    .min(1)
    .default('.catalog')
    .describe('folder of the embedded data, fetched documents and the replica; processes of one host may share it'),
  XDG_RUNTIME_DIR: z
    .string()
    .min(1)
    .optional()
    .describe('set by the system: folder for the socket of a data folder whose path is too long for one'),
  PORT: port.default(8080).describe('port of the API'),
  METRICS_PORT: port
    .optional()
    .describe('port of `/metrics`, `/healthz` and `/readyz` of a process that stays; unset: none'),
  METRICS_HOST: z.string().min(1).default('127.0.0.1').describe('address to listen on for them'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url()
    .optional()
    .describe('OpenTelemetry collector that takes traces by OTLP over HTTP; the exporter’s other variables count too'),
  OTEL_SERVICE_NAME: z.string().min(1).optional().describe('name of the process in traces; unset: `catalog-COMMAND`'),
  PUBLIC_BASE_URL: z
    .url()
    .optional()
    .describe('public address of the server, without `/v1`; every link starts with it; unset: `http://127.0.0.1:PORT`'),
  TRUSTED_PROXIES: proxies.describe('addresses and networks of proxies whose `X-Forwarded-For` counts'),
  FETCH_ALLOWED_NETWORKS: cidrNetworks.describe(
    'networks that crawls and agents’ metadata may be fetched from besides the public internet',
  ),
  CATALOG_SOURCES: z
    .string()
    .min(1)
    .default('catalog.sources.yaml')
    .describe('file with the sources and their schedules; mapping files stand beside it'),
  CRAWL_CONTACT: z
    .string()
    .regex(/^[\x21-\x27\x2a-\x7e]{3,300}$/, 'expected the address of a page or of mail')
    .optional()
    .describe(
      'page or mail address that each request of a crawl names; unset: that of the sources file, or `PUBLIC_BASE_URL`',
    ),
  ALERT_WEBHOOK_URL: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !/^[^/]*\/\/[^/?#]*@/.test(url), 'expected no user and password in it')
    .optional()
    .describe('receiver of signed events on held crawls and exceeded thresholds; unset: none are sent'),
  ALERT_WEBHOOK_SECRET: z
    .string()
    .regex(/^[\x21-\x7e]{16,4096}$/, 'expected 16 or more visible ASCII characters')
    .optional()
    .describe('signs the events, 16 characters or more; required with `ALERT_WEBHOOK_URL`'),
  ALERT_ALLOWED_NETWORKS: cidrNetworks.describe('networks that events may reach besides the public internet'),
  SECRETS_KEY: z
    .string()
    .transform((list) => list.split(/[,\n]/).flatMap((key) => key.trim() || []))
    .refine((keys) => keys.every(isSecretsKey), SECRETS_KEY_EXPECTED)
    .optional()
    .describe('keys that seal the secrets which the database keeps, see below; unset: secrets stay in clear'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe('`smtp(s)://user:password@host:port` of the console; unset: files in `mail` of `CATALOG_DATA`'),
  MAIL_FROM: z
    .string()
    .min(3)
    .max(300)
    .default('Construction Cost Catalog <no-reply@localhost>')
    .describe('sender of the console'),
  OAUTH_ISSUER: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('another authorization server for agents; unset: ours at `/oauth`'),
  OAUTH_JWKS_URI: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('address of its public keys'),
  OAUTH_AUDIENCE: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe('audience of its tokens; unset: `/api/mcp` of `PUBLIC_BASE_URL`'),
  SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/[!-~]+)$/, 'expected mailto: and an address, or an address with https')
    .max(300)
    .optional()
    .describe(
      '`mailto:` or https address for reports of vulnerabilities, in `/.well-known/security.txt`; unset: no such file',
    ),
  DATA_LICENCE: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('licence of the prices, in `/docs`, `openapi.json`, `/` and `/llms.txt`; unset: none is stated'),
  DATA_LICENCE_URL: z.url().optional().describe('its address'),
  AGGREGATE_CRON: cron.refine(isCron, CRON_EXPECTED).default('0 2 * * *').describe('the nightly run, UTC'),
  SNAPSHOT_CRON: cron.refine(isCron, CRON_EXPECTED).default('30 3 * * *').describe('the nightly snapshot, UTC'),
  SNAPSHOT_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'folder of snapshots, shared by the processes that write and serve them; unset: `snapshots` of `CATALOG_DATA`',
    ),
  VERIFY_CRON: cron
    .refine((text) => text === 'off' || isCron(text), `${CRON_EXPECTED}; or off`)
    .default('30 4 * * *')
    .transform((cron) => (cron === 'off' ? null : cron))
    .describe('the comparison of tables and log, UTC; `off` leaves it to `catalog verify`'),
  STATUS_INCIDENTS: z
    .string()
    .min(1)
    .optional()
    .describe('file of the incidents that `/v1/status` shows, see below; unset: `incidents.json` of `CATALOG_DATA`'),
  FEED_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(36_500)
    .default(400)
    .describe('older changes are dropped once a snapshot holds their result'),
  RATE_LIMIT_ANON_PER_MIN: requests.default(60).describe('requests of an address without a key'),
  RATE_LIMIT_DEV_PER_MIN: requests.default(120).describe('requests of a developer key'),
  RATE_LIMIT_DEV_PER_MONTH: requests.default(50_000).describe('requests of a developer key'),
  RATE_LIMIT_ORG_PER_MIN: requests.default(1_000).describe('requests of a workspace, all keys together'),
  RATE_LIMIT_ORG_PER_MONTH: requests.default(100_000).describe('requests of a workspace, all keys together'),
  RATE_LIMIT_SEARCH_PER_MIN: requests.default(60).describe('searches of any caller'),
  RATE_LIMIT_SIGNUPS_PER_HOUR: requests.default(5).describe('developer keys for one address'),
  RATE_LIMIT_SIGNUPS_PER_DAY: requests.default(20).describe('developer keys for one address'),
  RATE_LIMIT_SIGNUPS_PER_EMAIL_PER_DAY: requests.default(5).describe('developer keys for one e-mail'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('`fatal`, `error`, `warn`, `info`, `debug` or `silent`; log lines go to stderr'),
})

/** The line of each variable in docs/environment.md: its name, its default as text and its meaning. */
export function describedVariables(): readonly Readonly<{ name: string; standard: string; meaning: string }>[] {
  const standards: Readonly<Record<string, unknown>> = Environment.parse({})
  return Object.entries(Environment.shape).map(([name, { description = '' }]) => ({
    name,
    standard: String(standards[name] ?? ''),
    meaning: description,
  }))
}

export type Environment = Readonly<
  z.infer<typeof Environment> & {
    /** The variables NAME_FILE that are set, with the files that they name. */
    secretFiles: readonly Readonly<{ name: string; path: string }>[]
  }
>

/** Variables that are useless without others. */
const REQUIRED: readonly (readonly [name: string, withName: string])[] = [
  ['EMBEDDINGS_MODEL', 'EMBEDDINGS_URL'],
  ['EMBEDDINGS_DIMS', 'EMBEDDINGS_URL'],
  ['ALERT_WEBHOOK_SECRET', 'ALERT_WEBHOOK_URL'],
  ['OAUTH_JWKS_URI', 'OAUTH_ISSUER'],
  ['KAFKA_SASL_USERNAME', 'KAFKA_SASL_MECHANISM'],
  ['KAFKA_SASL_PASSWORD', 'KAFKA_SASL_MECHANISM'],
]

/**
 * Reads the environment, and the files that it names for secrets; throws an error that names each invalid variable and its
 * expectation. Empty means unset.
 */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''))
  const problems = readSecretFiles(set)
  const parsed = Environment.safeParse(set)
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = String(path[0])
    problems.push(`${name}=${redacted(name, String(set[name]))}: ${message}`)
  }
  for (const [name, withName] of REQUIRED) {
    if (set[withName] !== undefined && set[name] === undefined)
      problems.push(`${name} is not set: expected with ${withName}`)
  }
  if (parsed.data?.KAFKA_SASL_MECHANISM === 'plain' && !parsed.data.KAFKA_TLS) {
    problems.push('KAFKA_SASL_MECHANISM=plain: expected with KAFKA_TLS=true, or the password is sent as it is')
  }
  const secretFiles = SECRETS.map((name) => `${name}_FILE`).flatMap((name) => {
    const path = set[name]
    return path === undefined ? [] : [{ name, path }]
  })
  if (parsed.success && problems.length === 0) return withPassword({ ...parsed.data, secretFiles })
  throw new Error(`environment: ${problems.join('; ')}`)
}

/** The address of the database with DATABASE_PASSWORD, unless it has a password itself. */
function withPassword(environment: Environment): Environment {
  const { DATABASE_URL: address, DATABASE_PASSWORD: password } = environment
  if (address === undefined || password === undefined) return environment
  const url = new URL(address)
  if (url.password === '') url.password = encodeURIComponent(password)
  return { ...environment, DATABASE_URL: url.href }
}

/** The licence of the data as the operator states it; null: not stated. */
export const licenceOf = ({
  DATA_LICENCE: name,
  DATA_LICENCE_URL: url,
}: Pick<Environment, 'DATA_LICENCE' | 'DATA_LICENCE_URL'>): {
  readonly name: string
  readonly url: string | null
} | null => (name === undefined ? null : { name, url: url ?? null })

/** The folder of the snapshots that the API serves. */
export const snapshotDirOf = ({
  SNAPSHOT_DIR: dir,
  CATALOG_DATA: data,
}: Pick<Environment, 'SNAPSHOT_DIR' | 'CATALOG_DATA'>): string => resolve(dir ?? join(data, 'snapshots'))

/** Masks secrets: a wrong value may be a real secret. */
function redacted(name: string, value: string): string {
  return /_(KEY|SECRET|PASSWORD|WEBHOOK_URL)$/.test(name) ? '***' : value.replace(/(\/\/)[^/?#]*@/, '$1***@')
}
