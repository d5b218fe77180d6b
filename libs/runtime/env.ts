import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import type * as cronLibrary from 'node-cron'
import { z } from 'zod'

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
 * Every environment variable of the product, with its default. DATABASE_URL, KAFKA_BROKERS, ELASTICSEARCH_URL and
 * EMBEDDINGS_URL alone choose the adapters: an unset one falls back to the embedded default, and any combination works.
 */
const Environment = z.object({
  /** postgres://...; unset: PGlite in CATALOG_DATA. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** Of DATABASE_URL, where that has none. */
  DATABASE_PASSWORD: z.string().min(1).max(4096).optional(),
  /** host:port,host:port; unset: a table of the store. */
  KAFKA_BROKERS: z
    .string()
    .refine((list) => list.split(',').every(isBroker), BROKERS_EXPECTED)
    .optional(),
  /** The library that speaks to them; every process of a catalog may choose for itself. */
  KAFKA_CLIENT: z.enum(['platformatic', 'kafkajs']).default('platformatic'),
  /** Precedes topic names, where several catalogs share a cluster. */
  KAFKA_TOPIC_PREFIX: z
    .string()
    .regex(/^[a-zA-Z0-9._-]{0,100}$/)
    .default(''),
  /** Whether connections to brokers are encrypted, and the file (PEM) of the authority that signed their certificates. */
  KAFKA_TLS: z.stringbool().default(false),
  KAFKA_CA_FILE: z.string().min(1).optional(),
  /** How this process says who it is; unset: not at all. */
  KAFKA_SASL_MECHANISM: z.enum(['plain', 'scram-sha-256', 'scram-sha-512']).optional(),
  KAFKA_SASL_USERNAME: z.string().min(1).max(1000).optional(),
  KAFKA_SASL_PASSWORD: z.string().min(1).max(4096).optional(),
  /** http(s)://...; unset: vectors in a table of the store, with an exact scan. */
  ELASTICSEARCH_URL: z.url().optional(),
  /** Base64 of id and key, as Elasticsearch prints it; and the file (PEM) of the authority that signed its certificate. */
  ELASTICSEARCH_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,4096}$/, 'expected visible ASCII characters')
    .optional(),
  ELASTICSEARCH_CA_FILE: z.string().min(1).optional(),
  /** Base address of an endpoint with the embeddings API of OpenAI; unset: the built-in multilingual model. */
  EMBEDDINGS_URL: z
    .url({ protocol: /^https?$/ })
    .refine(
      (url) => !/^[^/]*\/\/[^/?#]*@/.test(url),
      'expected no user and password in it; keys go into EMBEDDINGS_KEY',
    )
    .optional(),
  /** Required with EMBEDDINGS_URL; Elasticsearch supports at most 4,096 dimensions. */
  EMBEDDINGS_MODEL: z.string().min(1).max(200).optional(),
  EMBEDDINGS_DIMS: z.coerce.number().int().min(2).max(4_096).optional(),
  /** Whether requests name the dimensions, for a model with variable dimensions. */
  EMBEDDINGS_SEND_DIMS: z.stringbool().default(false),
  EMBEDDINGS_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,4096}$/, 'expected visible ASCII characters')
    .optional(),
  /** A new value embeds everything again, for a changed model with the same name. */
  EMBEDDINGS_REVISION: z.string().max(100).default(''),
  /** Precede each text, where the model's training requires it. */
  EMBEDDINGS_QUERY_PREFIX: z.string().max(200).default(''),
  EMBEDDINGS_DOCUMENT_PREFIX: z.string().max(200).default(''),
  /** The least cosine at which an item counts as near a query; it depends on the model. */
  EMBEDDINGS_COSINE_MIN: z.coerce.number().gt(0).max(1).default(0.4),
  /** Tokens of all processes in a calendar month (UTC); unset: counted without a limit. */
  EMBEDDINGS_BUDGET_TOKENS: z.coerce.number().int().min(1).max(1e15).optional(),
  /** Folder of the embedded data. */
  CATALOG_DATA: z.string().min(1).default('.catalog'),
  /** Set by the system: a folder of this user alone, for the socket of a data folder whose path is too long for one. */
  XDG_RUNTIME_DIR: z.string().min(1).optional(),
  PORT: port.default(8080),
  /** Where a process that stays serves its metrics and health; unset: nowhere. */
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  /** A collector of OpenTelemetry that takes traces by HTTP; unset: none are made. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
  /** The name of this process in traces; unset: by its command. */
  OTEL_SERVICE_NAME: z.string().min(1).optional(),
  /** The public address of the server, without /v1; unset: http://127.0.0.1:PORT. */
  PUBLIC_BASE_URL: z.url().optional(),
  /** CIDR networks of proxies, comma-separated. */
  TRUSTED_PROXIES: proxies,
  /** CIDR networks, comma-separated, that outgoing fetches may reach besides the public internet. */
  FETCH_ALLOWED_NETWORKS: cidrNetworks,
  /** The file with the sources and their schedules. */
  CATALOG_SOURCES: z.string().min(1).default('catalog.sources.yaml'),
  /** Address of a page or of mail where shops can reach the crawler's operator; overrides the file's own. */
  CRAWL_CONTACT: z
    .string()
    .regex(/^[\x21-\x27\x2a-\x7e]{3,300}$/, 'expected the address of a page or of mail')
    .optional(),
  /** Receives signed events of held crawls and exceeded thresholds; unset: none are sent. */
  ALERT_WEBHOOK_URL: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !/^[^/]*\/\/[^/?#]*@/.test(url), 'expected no user and password in it')
    .optional(),
  /** Signs the events; required with ALERT_WEBHOOK_URL. */
  ALERT_WEBHOOK_SECRET: z
    .string()
    .regex(/^[\x21-\x7e]{16,4096}$/, 'expected 16 or more visible ASCII characters')
    .optional(),
  /** CIDR networks, comma-separated, that events may reach besides the public internet. */
  ALERT_ALLOWED_NETWORKS: cidrNetworks,
  /**
   * Seal the secrets that the database keeps: base64 of 32 bytes each, comma-separated or one a line. The first seals, all
   * open; unset: secrets stay in clear.
   */
  SECRETS_KEY: z
    .string()
    .transform((list) => list.split(/[,\n]/).flatMap((key) => key.trim() || []))
    .refine((keys) => keys.every(isSecretsKey), SECRETS_KEY_EXPECTED)
    .optional(),
  /** smtp(s)://user:password@host:port; unset: writes mail to the folder `mail` of the embedded data. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().min(3).max(300).default('Construction Cost Catalog <no-reply@localhost>'),
  /**
   * An external authorization server for agents: its issuer name, the address of its public keys (from its metadata),
   * and the audience of its tokens. Unset: our own at /oauth, with the audience /api/mcp of PUBLIC_BASE_URL.
   */
  OAUTH_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  OAUTH_JWKS_URI: z.url({ protocol: /^https?$/ }).optional(),
  OAUTH_AUDIENCE: z.string().min(1).max(1000).optional(),
  /** Where people report a vulnerability, for /.well-known/security.txt; unset: there is none. */
  SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/[!-~]+)$/, 'expected mailto: and an address, or an address with https')
    .max(300)
    .optional(),
  /** Published licence of the prices; unset: no statement. */
  DATA_LICENCE: z.string().min(1).max(200).optional(),
  DATA_LICENCE_URL: z.url().optional(),
  /** Start of the nightly run, in UTC. */
  AGGREGATE_CRON: cron.refine(isCron, CRON_EXPECTED).default('0 2 * * *'),
  /** Schedule of the snapshot, in UTC, and its folder; unset: the folder `snapshots` of the embedded data. */
  SNAPSHOT_CRON: cron.refine(isCron, CRON_EXPECTED).default('30 3 * * *'),
  SNAPSHOT_DIR: z.string().min(1).optional(),
  /** Schedule of the comparison of tables and log, in UTC; 'off': only `catalog verify` compares. */
  VERIFY_CRON: cron
    .refine((text) => text === 'off' || isCron(text), `${CRON_EXPECTED}; or off`)
    .default('30 4 * * *')
    .transform((cron) => (cron === 'off' ? null : cron)),
  /** The file of incidents that /v1/status shows; unset: `incidents.json` in the folder of the embedded data. */
  STATUS_INCIDENTS: z.string().min(1).optional(),
  /** Older changes are deleted once a snapshot includes them. */
  FEED_RETENTION_DAYS: z.coerce.number().int().min(1).max(36_500).default(400),
  /** For an address without a key, a developer key and a workspace; and for searches of any of them. */
  RATE_LIMIT_ANON_PER_MIN: requests.default(60),
  RATE_LIMIT_DEV_PER_MIN: requests.default(120),
  RATE_LIMIT_DEV_PER_MONTH: requests.default(50_000),
  RATE_LIMIT_ORG_PER_MIN: requests.default(1_000),
  RATE_LIMIT_ORG_PER_MONTH: requests.default(100_000),
  RATE_LIMIT_SEARCH_PER_MIN: requests.default(60),
  /** Keys that one address, or one e-mail, may sign up for. */
  RATE_LIMIT_SIGNUPS_PER_HOUR: requests.default(5),
  RATE_LIMIT_SIGNUPS_PER_DAY: requests.default(20),
  RATE_LIMIT_SIGNUPS_PER_EMAIL_PER_DAY: requests.default(5),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
})
export type Environment = Readonly<
  z.infer<typeof Environment> & {
    /** The variables NAME_FILE that are set, with the files that they name. */
    secretFiles: readonly Readonly<{ name: string; path: string }>[]
  }
>

/** Each may also be given by the path of a file, in the variable NAME_FILE, as orchestrators hand over secrets. */
const SECRETS = [
  'DATABASE_URL',
  'DATABASE_PASSWORD',
  'KAFKA_SASL_PASSWORD',
  'ELASTICSEARCH_URL',
  'ELASTICSEARCH_API_KEY',
  'EMBEDDINGS_KEY',
  'ALERT_WEBHOOK_SECRET',
  'SECRETS_KEY',
  'SMTP_URL',
] as const
/** More than any secret has. */
const SECRET_FILE_BYTES_MAX = 65_536

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

/** Puts the content of each NAME_FILE in the place of NAME, without the line's end. Returns what is wrong with them. */
function readSecretFiles(set: Record<string, string | undefined>): string[] {
  const problems: string[] = []
  for (const name of SECRETS) {
    const path = set[`${name}_FILE`]
    if (path === undefined) continue
    if (set[name] !== undefined) problems.push(`${name} and ${name}_FILE are both set: expected one`)
    try {
      set[name] = readSecretFile(path)
    } catch (error) {
      problems.push(`${name}_FILE=${path}: ${(error as Error).message}`)
    }
  }
  return problems
}

/** The content of a file with one secret, without the line's end. Throws what is wrong with the file, never its content. */
export function readSecretFile(path: string): string {
  const { size } = statSync(path)
  if (size > SECRET_FILE_BYTES_MAX) throw new Error(`it has ${size} bytes, expected at most ${SECRET_FILE_BYTES_MAX}`)
  const secret = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  if (secret === '') throw new Error('it is empty')
  return secret
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
