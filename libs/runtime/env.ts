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
 * Every environment variable of the product, with its default; environment.yaml says what each means. DATABASE_URL,
 * KAFKA_BROKERS, ELASTICSEARCH_URL and EMBEDDINGS_URL alone choose the adapters: an unset one falls back to the embedded
 * default, and any combination works.
 */
export const Environment = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_PASSWORD: z.string().min(1).max(4096).optional(),
  KAFKA_BROKERS: z
    .string()
    .refine((list) => list.split(',').every(isBroker), BROKERS_EXPECTED)
    .optional(),
  KAFKA_CLIENT: z.enum(['platformatic', 'kafkajs']).default('platformatic'),
  KAFKA_TOPIC_PREFIX: z
    .string()
    .regex(/^[a-zA-Z0-9._-]{0,100}$/)
    .default(''),
  KAFKA_OBSERVATION_PARTITIONS: z.coerce.number().int().min(1).max(256).optional(),
  KAFKA_TLS: z.stringbool().default(false),
  KAFKA_CA_FILE: z.string().min(1).optional(),
  KAFKA_SASL_MECHANISM: z.enum(['plain', 'scram-sha-256', 'scram-sha-512']).optional(),
  KAFKA_SASL_USERNAME: z.string().min(1).max(1000).optional(),
  KAFKA_SASL_PASSWORD: z.string().min(1).max(4096).optional(),
  ELASTICSEARCH_URL: z.url().optional(),
  ELASTICSEARCH_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,4096}$/, 'expected visible ASCII characters')
    .optional(),
  ELASTICSEARCH_CA_FILE: z.string().min(1).optional(),
  EMBEDDINGS_URL: z
    .url({ protocol: /^https?$/ })
    .refine(
      (url) => !/^[^/]*\/\/[^/?#]*@/.test(url),
      'expected no user and password in it; keys go into EMBEDDINGS_KEY',
    )
    .optional(),
  EMBEDDINGS_MODEL: z.string().min(1).max(200).optional(),
  // Elasticsearch supports at most 4,096 dimensions.
  EMBEDDINGS_DIMS: z.coerce.number().int().min(2).max(4_096).optional(),
  EMBEDDINGS_SEND_DIMS: z.stringbool().default(false),
  EMBEDDINGS_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,4096}$/, 'expected visible ASCII characters')
    .optional(),
  EMBEDDINGS_REVISION: z.string().max(100).default(''),
  EMBEDDINGS_QUERY_PREFIX: z.string().max(200).default(''),
  EMBEDDINGS_DOCUMENT_PREFIX: z.string().max(200).default(''),
  SEARCH_ON_UNAVAILABLE: z.enum(['refuse', 'fallback']).default('refuse'),
  EMBEDDINGS_BUDGET_TOKENS: z.coerce.number().int().min(1).max(1e15).optional(),
  CATALOG_DATA: z.string().min(1).default('.catalog'),
  XDG_RUNTIME_DIR: z.string().min(1).optional(),
  PORT: port.default(8080),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
  OTEL_SERVICE_NAME: z.string().min(1).optional(),
  PUBLIC_BASE_URL: z.url().optional(),
  TRUSTED_PROXIES: proxies,
  FETCH_ALLOWED_NETWORKS: cidrNetworks,
  CATALOG_SOURCES: z.string().min(1).default('catalog.sources.yaml'),
  CRAWL_CONTACT: z
    .string()
    .regex(/^[\x21-\x27\x2a-\x7e]{3,300}$/, 'expected the address of a page or of mail')
    .optional(),
  ALERT_WEBHOOK_URL: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !/^[^/]*\/\/[^/?#]*@/.test(url), 'expected no user and password in it')
    .optional(),
  ALERT_WEBHOOK_SECRET: z
    .string()
    .regex(/^[\x21-\x7e]{16,4096}$/, 'expected 16 or more visible ASCII characters')
    .optional(),
  ALERT_ALLOWED_NETWORKS: cidrNetworks,
  SECRETS_KEY: z
    .string()
    .transform((list) => list.split(/[,\n]/).flatMap((key) => key.trim() || []))
    .refine((keys) => keys.every(isSecretsKey), SECRETS_KEY_EXPECTED)
    .optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().min(3).max(300).default('Construction Cost Catalog <no-reply@localhost>'),
  OAUTH_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  OAUTH_JWKS_URI: z.url({ protocol: /^https?$/ }).optional(),
  OAUTH_AUDIENCE: z.string().min(1).max(1000).optional(),
  SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/[!-~]+)$/, 'expected mailto: and an address, or an address with https')
    .max(300)
    .optional(),
  DATA_LICENCE: z.string().min(1).max(200).optional(),
  DATA_LICENCE_URL: z.url().optional(),
  AGGREGATE_CRON: cron.refine(isCron, CRON_EXPECTED).default('0 2 * * *'),
  SNAPSHOT_CRON: cron.refine(isCron, CRON_EXPECTED).default('30 3 * * *'),
  SNAPSHOT_DIR: z.string().min(1).optional(),
  VERIFY_CRON: cron
    .refine((text) => text === 'off' || isCron(text), `${CRON_EXPECTED}; or off`)
    .default('30 4 * * *')
    .transform((cron) => (cron === 'off' ? null : cron)),
  STATUS_INCIDENTS: z.string().min(1).optional(),
  FEED_RETENTION_DAYS: z.coerce.number().int().min(1).max(36_500).default(400),
  RATE_LIMIT_ANON_PER_MIN: requests.default(60),
  RATE_LIMIT_DEV_PER_MIN: requests.default(120),
  RATE_LIMIT_DEV_PER_MONTH: requests.default(50_000),
  RATE_LIMIT_ORG_PER_MIN: requests.default(1_000),
  RATE_LIMIT_ORG_PER_MONTH: requests.default(100_000),
  RATE_LIMIT_SEARCH_PER_MIN: requests.default(60),
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
export function licenceOf(
  env: Pick<Environment, 'DATA_LICENCE' | 'DATA_LICENCE_URL'>,
): Readonly<{ name: string; url: string | null }> | null {
  return env.DATA_LICENCE === undefined ? null : { name: env.DATA_LICENCE, url: env.DATA_LICENCE_URL ?? null }
}

/** The folder of the snapshots that the API serves. */
export const snapshotDirOf = (env: Pick<Environment, 'SNAPSHOT_DIR' | 'CATALOG_DATA'>): string =>
  resolve(env.SNAPSHOT_DIR ?? join(env.CATALOG_DATA, 'snapshots'))

/** Masks secrets: a wrong value may be a real secret. */
function redacted(name: string, value: string): string {
  return /_(KEY|SECRET|PASSWORD|WEBHOOK_URL)$/.test(name) ? '***' : value.replace(/(\/\/)[^/?#]*@/, '$1***@')
}
