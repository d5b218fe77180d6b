import { chownSync, mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCatalog } from '@catalog/cli/shared/wire.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { makeCertificate } from '@catalog/stack/servers/certificate.ts'
import { kafkaAvailable, startKafka } from '@catalog/stack/servers/kafka.ts'
import { freePort, unprivilegedUser } from '@catalog/stack/servers/machine.ts'
import { postgresAvailable, startPostgres } from '@catalog/stack/servers/postgres.ts'
import { sharedServer, unavailable } from '@catalog/stack/servers/servers.ts'
import { registration } from '@catalog/stack/testing/events.ts'
import { readCounts } from '@catalog/store/builds/status.ts'
import { expect, test } from 'vitest'

const missing = kafkaAvailable() ?? postgresAvailable() ?? unavailable('elasticsearch')
const API_KEY = 'aWQ6a2V5'
const USER = { username: 'catalog', password: 'a secret' }

test.skipIf(missing !== null)(
  `${missing ?? ''}log, store and index are reached encrypted, with credentials from files, and not without them`,
  async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-encrypted-'))
    const certificate = makeCertificate(folder.path)
    await using kafka = await startKafka({ secure: { ...certificate, ...USER } })
    await using database = await encryptedPostgres(folder.path)
    await using index = await encryptedIndex(certificate)
    const secretFile = (name: string, secret: string) => {
      writeFileSync(join(folder.path, name), `${secret}\n`)
      return join(folder.path, name)
    }
    const variables = {
      LOG_LEVEL: 'silent',
      CATALOG_DATA: join(folder.path, 'data'),
      DATABASE_URL_FILE: secretFile('database', database.url),
      KAFKA_BROKERS: kafka.secureBrokers as string,
      KAFKA_TLS: 'true',
      KAFKA_CA_FILE: certificate.certFile,
      KAFKA_SASL_MECHANISM: 'scram-sha-512',
      KAFKA_SASL_USERNAME: USER.username,
      KAFKA_SASL_PASSWORD_FILE: secretFile('password', USER.password),
      ELASTICSEARCH_URL: index.url,
      ELASTICSEARCH_API_KEY_FILE: secretFile('key', API_KEY),
      ELASTICSEARCH_CA_FILE: certificate.certFile,
    }
    const source = registration()
    const record = { key: source.source.id, value: JSON.stringify(source) }
    for (const [client, mechanism] of [
      ['kafkajs', 'scram-sha-512'],
      ['kafkajs', 'plain'],
      ['platformatic', 'scram-sha-512'],
      ['platformatic', 'plain'],
    ]) {
      const env = readEnvironment({ ...variables, KAFKA_CLIENT: client, KAFKA_SASL_MECHANISM: mechanism })
      await using catalog = await openCatalog(env)
      await catalog.log.append(TOPICS.decisions, [record])
      expect(await catalog.store.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')).toEqual([
        { ssl: true },
      ])
    }
    const appending = async (wrong: Record<string, string>) => {
      await using catalog = await openCatalog(readEnvironment({ ...variables, ...wrong }))
      await catalog.log.append(TOPICS.decisions, [record])
    }
    const guessed = secretFile('other', 'guessed')
    for (const client of ['kafkajs', 'platformatic']) {
      const wrong = { KAFKA_CLIENT: client }
      await expect(appending({ ...wrong, KAFKA_SASL_PASSWORD_FILE: guessed })).rejects.toThrow(
        /SASL.* authentication failed|invalid credentials/i,
      )
      await expect(appending({ ...wrong, KAFKA_CA_FILE: '' })).rejects.toThrow('self-signed certificate')
    }
    const projecting = { projects: true }
    {
      await using catalog = await openCatalog(readEnvironment(variables), projecting)
      await catalog.catchUp()
      // The same registration twice is one source.
      expect((await readCounts(catalog.store)).sources).toBe(1)
      expect(await catalog.index.state()).toMatchObject({ seq: 0n })
    }
    const searching = async (wrong: Record<string, string>) => {
      await using catalog = await openCatalog(readEnvironment({ ...variables, ...wrong }), projecting)
      await catalog.index.state()
    }
    await expect(searching({ ELASTICSEARCH_API_KEY_FILE: secretFile('guess', 'Z3Vlc3M=') })).rejects.toThrow('HTTP 401')
    await expect(searching({ ELASTICSEARCH_CA_FILE: '' })).rejects.toThrow('self-signed certificate')
  },
)

/** A PostgreSQL on a port, whose address asks for its certificate. */
async function encryptedPostgres(folder: string): Promise<AsyncDisposable & { readonly url: string }> {
  const home = join(folder, 'postgres')
  mkdirSync(home)
  const { certFile, keyFile } = makeCertificate(home)
  const user = unprivilegedUser(['postgres', 'nobody'])
  for (const path of user ? [folder, home, certFile, keyFile] : []) chownSync(path, user?.uid ?? 0, user?.gid ?? 0)
  const port = await freePort()
  const encrypted = { ssl: 'on', ssl_cert_file: certFile, ssl_key_file: keyFile }
  const server = await startPostgres({ listen_addresses: '127.0.0.1', port: String(port), ...encrypted })
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=verify-full&sslrootcert=${certFile}`,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** A real Elasticsearch behind a certificate and a key: the server of the tests comes without its module of security. */
async function encryptedIndex({ certFile, keyFile }: { certFile: string; keyFile: string }) {
  const origin = await sharedServer('elasticsearch')
  const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, (given, response) => {
    const { method, url, headers } = given
    if (headers.authorization !== `ApiKey ${API_KEY}`) {
      response.writeHead(401, { 'x-elastic-product': 'Elasticsearch', 'content-type': 'application/json' }).end('{}')
      return
    }
    const passed = request(new URL(url ?? '/', origin), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    given.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
