import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readEnvironment } from './env.ts'

describe('a provider of embeddings', () => {
  const provider = {
    EMBEDDINGS_URL: 'https://api.example.org/v1',
    EMBEDDINGS_MODEL: 'a-model',
    EMBEDDINGS_DIMS: '1536',
  }

  test('is unset by default, and requires only address, model and dimensions', () => {
    expect(readEnvironment({}).EMBEDDINGS_URL).toBeUndefined()
    expect(readEnvironment(provider)).toMatchObject({
      EMBEDDINGS_MODEL: 'a-model',
      EMBEDDINGS_DIMS: 1536,
      EMBEDDINGS_SEND_DIMS: false,
    })
  })

  test('keeps a trailing blank of a prefix', () => {
    const { EMBEDDINGS_QUERY_PREFIX: prefix } = readEnvironment({ ...provider, EMBEDDINGS_QUERY_PREFIX: 'query: ' })
    expect(prefix).toBe('query: ')
  })

  test('without model and dimensions is refused with the names of both', () => {
    const { EMBEDDINGS_URL } = provider
    expect(() => readEnvironment({ EMBEDDINGS_URL })).toThrow(
      'EMBEDDINGS_MODEL is not set: expected with EMBEDDINGS_URL; EMBEDDINGS_DIMS is not set',
    )
  })

  test.each([
    ['EMBEDDINGS_DIMS', '1'],
    ['EMBEDDINGS_DIMS', '4097'],
    ['EMBEDDINGS_DIMS', 'many'],
    ['EMBEDDINGS_BUDGET_TOKENS', '-5'],
    ['EMBEDDINGS_SEND_DIMS', 'perhaps'],
    ['EMBEDDINGS_URL', 'ftp://example.org'],
  ])('with %s=%s is refused with name and value', (name, value) => {
    expect(() => readEnvironment({ ...provider, [name]: value })).toThrow(`${name}=${value}: `)
  })

  test('is refused without quoting a secret', () => {
    const said = (variables: Record<string, string>) => {
      try {
        readEnvironment({ ...provider, ...variables })
        return ''
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(said({ EMBEDDINGS_KEY: 'sk-secret\n' })).toBe(
      'environment: EMBEDDINGS_KEY=***: expected visible ASCII characters',
    )
    expect(said({ EMBEDDINGS_URL: 'https://user:secret@example.org/v1' })).toMatch(
      /^environment: EMBEDDINGS_URL=https:\/\/\*\*\*@/,
    )
    expect(said({ DATABASE_URL: 'mysql://user:secret@example.org/db' })).toMatch(
      /DATABASE_URL=mysql:\/\/\*\*\*@example/,
    )
  })
})

describe('mail, agents and fetches', () => {
  test('an external authorization server requires the address of its keys', () => {
    const OAUTH_ISSUER = 'https://login.example.org'
    expect(() => readEnvironment({ OAUTH_ISSUER })).toThrow('OAUTH_JWKS_URI is not set: expected with OAUTH_ISSUER')
    const OAUTH_JWKS_URI = 'https://login.example.org/jwks'
    expect(readEnvironment({ OAUTH_ISSUER, OAUTH_JWKS_URI })).toMatchObject({ OAUTH_ISSUER, OAUTH_JWKS_URI })
  })

  test('networks are a list, empty by default', () => {
    expect(readEnvironment({}).FETCH_ALLOWED_NETWORKS).toEqual([])
    expect(readEnvironment({ FETCH_ALLOWED_NETWORKS: '10.0.0.0/8, fd00::/8,' }).FETCH_ALLOWED_NETWORKS).toEqual([
      '10.0.0.0/8',
      'fd00::/8',
    ])
    expect(() => readEnvironment({ FETCH_ALLOWED_NETWORKS: '10.0.0.0/8,intranet' })).toThrow(
      'FETCH_ALLOWED_NETWORKS=10.0.0.0/8,intranet: expected networks such as 10.0.0.0/8',
    )
  })

  test('an invalid mail server is refused without quoting its password', () => {
    expect(() => readEnvironment({ SMTP_URL: 'http://user:secret@example.org' })).toThrow(
      /^environment: SMTP_URL=http:\/\/\*\*\*@example\.org: /,
    )
  })
})

describe('the nightly verification', () => {
  test('runs after run and snapshot, unless rescheduled or off', () => {
    expect(readEnvironment({}).VERIFY_CRON).toBe('30 4 * * *')
    expect(readEnvironment({ VERIFY_CRON: '0 6 * * 0' }).VERIFY_CRON).toBe('0 6 * * 0')
    expect(readEnvironment({ VERIFY_CRON: 'off' }).VERIFY_CRON).toBeNull()
  })
})

test.each(['AGGREGATE_CRON', 'SNAPSHOT_CRON', 'VERIFY_CRON'])(
  '%s that would be written out for ever is refused',
  (name) => {
    expect(() => readEnvironment({ [name]: '0-4000000000 * * * *' })).toThrow(
      `${name}=0-4000000000 * * * *: expected a schedule as 30 4 * * *, with numbers of two digits at most`,
    )
    expect(readEnvironment({ [name]: '*/15 4 * * 1-5' })).toMatchObject({ [name]: '*/15 4 * * 1-5' })
  },
)

test.each([
  ['AGGREGATE_CRON', 'nonsense', 'expected a schedule as 30 4 * * *: minute'],
  ['SNAPSHOT_CRON', '61 * * * *', 'expected a schedule as 30 4 * * *: minute'],
  ['SNAPSHOT_CRON', 'off', 'expected a schedule as 30 4 * * *: minute'],
  ['VERIFY_CRON', 'nope', 'expected a schedule as 30 4 * * *: minute, hour, day of the month, month, weekday; or off'],
  ['TRUSTED_PROXIES', '10.0.0.0/8,abc', 'expected addresses and networks of proxies such as 10.0.0.0/8'],
  ['TRUSTED_PROXIES', '10.0.0.0/99', 'expected addresses and networks of proxies such as 10.0.0.0/8'],
  ['KAFKA_BROKERS', 'abc', 'expected brokers as host:9092, comma-separated'],
  ['KAFKA_BROKERS', 'kafka:9092,kafka:99999', 'expected brokers as host:9092, comma-separated'],
])('%s=%s is refused by name', (name, value, expected) => {
  expect(() => readEnvironment({ [name]: value })).toThrow(`environment: ${name}=${value}: ${expected}`)
})

test('proxies and brokers are taken as their libraries take them', () => {
  const proxies = ['10.0.0.0/8', '10.1.0.0/255.255.0.0', '::1', 'fd00::/8', 'loopback']
  expect(readEnvironment({ TRUSTED_PROXIES: proxies.join(', ') }).TRUSTED_PROXIES).toEqual(proxies)
  for (const KAFKA_BROKERS of ['kafka:9092', 'a.example:9092,b.example:9093', '[::1]:9092'])
    expect(readEnvironment({ KAFKA_BROKERS })).toMatchObject({ KAFKA_BROKERS })
})

describe('a receiver of alerts', () => {
  const receiver = { ALERT_WEBHOOK_URL: 'https://hooks.example.org/token', ALERT_WEBHOOK_SECRET: 'a-secret-of-sixteen' }

  test('needs its secret', () => {
    const { ALERT_WEBHOOK_URL } = receiver
    expect(readEnvironment(receiver)).toMatchObject(receiver)
    expect(() => readEnvironment({ ALERT_WEBHOOK_URL })).toThrow(
      'ALERT_WEBHOOK_SECRET is not set: expected with ALERT_WEBHOOK_URL',
    )
  })

  test.each([{ ALERT_WEBHOOK_SECRET: 'tooshort' }, { ALERT_WEBHOOK_URL: 'ftp://hooks.example.org/tooshort' }])(
    'is refused without quoting secret or address: %o',
    (wrong) => {
      expect(() => readEnvironment({ ...receiver, ...wrong })).toThrow(/=\*\*\*: /)
    },
  )
})

describe('a secret in a file', () => {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-secrets-'))
  afterAll(() => folder.remove())
  const written = (name: string, content: string): string => {
    writeFileSync(join(folder.path, name), content)
    return join(folder.path, name)
  }

  test('counts without the end of its line, also as the password of an address', () => {
    const read = readEnvironment({
      DATABASE_URL: 'postgres://catalog@db:5432/catalog',
      DATABASE_PASSWORD_FILE: written('password', 'p@ss/wörd\n'),
      EMBEDDINGS_KEY_FILE: written('key', 'sk-1'),
    })
    expect(read.EMBEDDINGS_KEY).toBe('sk-1')
    const url = new URL(read.DATABASE_URL as string)
    expect([url.username, decodeURIComponent(url.password), url.host]).toEqual(['catalog', 'p@ss/wörd', 'db:5432'])
    const own = { DATABASE_URL: 'postgres://catalog:own@db/catalog', DATABASE_PASSWORD: 'other' }
    expect(readEnvironment(own).DATABASE_URL).toBe(own.DATABASE_URL)
  })

  test.each([
    [
      { SMTP_URL: 'smtp://mail', SMTP_URL_FILE: written('smtp', 'smtp://mail') },
      'SMTP_URL and SMTP_URL_FILE are both set: expected one',
    ],
    [{ EMBEDDINGS_KEY_FILE: join(folder.path, 'nothing') }, /EMBEDDINGS_KEY_FILE=.*nothing: ENOENT/],
    [{ EMBEDDINGS_KEY_FILE: written('empty', '\n') }, /EMBEDDINGS_KEY_FILE=.*empty: it is empty/],
    [{ EMBEDDINGS_KEY_FILE: written('large', 'a'.repeat(65_537)) }, /it has 65537 bytes, expected at most 65536/],
    [{ EMBEDDINGS_KEY_FILE: written('blank', 'a b') }, 'EMBEDDINGS_KEY=***: expected visible ASCII characters'],
  ])('is refused with its place where it is none: %#', (variables, said) => {
    expect(() => readEnvironment(variables)).toThrow(said)
  })
})

test('credentials for brokers are refused without their parts, and in clear', () => {
  expect(() => readEnvironment({ KAFKA_SASL_MECHANISM: 'scram-sha-512' })).toThrow(
    'KAFKA_SASL_USERNAME is not set: expected with KAFKA_SASL_MECHANISM; KAFKA_SASL_PASSWORD is not set',
  )
  const plain = { KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'catalog', KAFKA_SASL_PASSWORD: 'secret' }
  expect(() => readEnvironment(plain)).toThrow('expected with KAFKA_TLS=true')
  expect(readEnvironment({ ...plain, KAFKA_TLS: 'true' }).KAFKA_SASL_MECHANISM).toBe('plain')
  expect(readEnvironment({ KAFKA_CLIENT: 'platformatic' }).KAFKA_CLIENT).toBe('platformatic')
  expect(() => readEnvironment({ KAFKA_CLIENT: 'librdkafka' })).toThrow('KAFKA_CLIENT')
})

describe('the keys of secrets', () => {
  const [first, second] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string]

  test('come from the environment or from a file, the present one first', () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-secrets-'))
    const file = join(folder.path, 'secrets.key')
    writeFileSync(file, `${second}\n${first}\n`)
    expect(readEnvironment({ SECRETS_KEY: `${first}, ${second}` }).SECRETS_KEY).toEqual([first, second])
    expect(readEnvironment({ SECRETS_KEY_FILE: file }).SECRETS_KEY).toEqual([second, first])
  })

  test('are 32 bytes, and not shown where they are refused', () => {
    expect(() => readEnvironment({ SECRETS_KEY: 'a password' })).toThrow('SECRETS_KEY=***: expected base64 of 32 bytes')
  })
})
