import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId, newKey } from '@catalog/access/keys.ts'
import { MINUTE_MS } from '@catalog/core/time.ts'
import { answerOf, type CommandOptions, freePort, type Running, startCatalog } from '@catalog/stack/servers/command.ts'
import { emptyDatabase, unavailable } from '@catalog/stack/servers/servers.ts'
import { createWorkspace, insertKey } from '@catalog/store/accounts/accounts.ts'
import { openStore, type Store } from '@catalog/store/db.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/**
 * Servers of the real command on one PostgreSQL: a limit is one limit, however many servers there are and however they
 * end.
 */
const missing = unavailable('postgres')

const SERVERS = 3
const REQUESTS = 5_000
/** The limit of a workspace per minute, and the block that one server leases of it at a time. */
const LIMIT = 1_000
const LEASE = 10
/** Connections to one server, below its limit of requests in flight, which is another protection. */
const CONNECTIONS = 64

type Server = Readonly<{ process: Running; port: number; agent: Agent }>
/** 429 and 200, or the fate of the connection. */
type Answer = number | 'unsent' | 'unanswered'

describe.skipIf(missing !== null)(missing ?? 'on PostgreSQL', () => {
  let options: CommandOptions
  let servers: Server[]
  let store: Store
  beforeAll(async () => {
    const url = await emptyDatabase()
    options = { data: join(tmpdir(), 'catalog-limits-none'), env: { DATABASE_URL: url } }
    store = await openStore({ kind: 'postgres', connection: { url } })
    await migrate(store)
    servers = await Promise.all(Array.from({ length: SERVERS }, startServer))
  })
  afterAll(async () => {
    await Promise.all(servers.map(stop))
    await store[Symbol.asyncDispose]()
  })

  async function startServer(): Promise<Server> {
    const port = await freePort()
    const process = startCatalog(['serve', '--port', String(port), '--json'], options)
    await process.firstLine
    return { process, port, agent: new Agent({ keepAlive: true, maxSockets: CONNECTIONS }) }
  }

  /** A key of a workspace without any usage. */
  async function freshKey(): Promise<{ key: string; workspaceId: string }> {
    const { key, mark } = newKey('org')
    const [workspaceId, at] = [newId('ws_'), new Date().toISOString()]
    await createWorkspace(store, { workspaceId, name: workspaceId, plan: 'paid', at })
    await insertKey(store, { kind: 'org', ...mark, workspaceId, name: 'test', at })
    return { key, workspaceId }
  }

  test('an operator gives a workspace a key by two commands, and the API accepts it', async () => {
    const { workspace_id } = (await answerOf(['workspace', 'create', 'Obras'], options)) as { workspace_id: string }
    const { key } = (await answerOf(['keys', 'issue', '--workspace', 'Obras', '--name', 'site'], options)) as {
      key: string
    }
    expect(await send(servers[0] as Server, key)).toBe(200)
    expect(workspace_id).toMatch(/^ws_/)
  })

  test('of 5,000 concurrent requests 1,000 pass, less the rest of a lease in each server', async () => {
    const { passed, workspaceId } = await withinOneMinute(async ({ key, workspaceId }) => ({
      passed: (await burst(servers, key)).filter((answer) => answer === 200).length,
      workspaceId,
    }))
    expect(passed).toBeLessThanOrEqual(LIMIT)
    expect(passed).toBeGreaterThanOrEqual(LIMIT - SERVERS * LEASE)
    // The month is exact once idle leases are back.
    const usage = async () => {
      const shown = await answerOf(['workspace', 'show', workspaceId], options)
      return (shown as { monthly_used: number }).monthly_used
    }
    await expect.poll(usage, { timeout: 10_000 }).toBe(passed)
  })

  test('a server killed in the middle takes at most its lease with it', async () => {
    const answers = await withinOneMinute(async ({ key }) => {
      const victim = await startServer()
      let passed = 0
      const answers = await burst([victim, ...servers.slice(1)], key, (answer) => {
        if (answer === 200 && ++passed === LIMIT / 4) victim.process.kill('SIGKILL')
      })
      expect((await victim.process.finished).code).toBe(null)
      victim.agent.destroy()
      return answers
    })
    const count = (wanted: Answer) => answers.filter((answer) => answer === wanted).length
    expect(count('unsent')).toBeGreaterThan(0)
    expect(count(200)).toBeLessThanOrEqual(LIMIT)
    // A request without an answer may or may not have been admitted; there are few.
    expect(count('unanswered')).toBeLessThanOrEqual(2 * CONNECTIONS)
    expect(count(200) + count('unanswered')).toBeGreaterThanOrEqual(LIMIT - LEASE)
  })

  /** Runs it with a fresh key, and again if the clock passed into the next minute meanwhile. */
  async function withinOneMinute<T>(run: (given: Awaited<ReturnType<typeof freshKey>>) => Promise<T>): Promise<T> {
    for (;;) {
      const given = await freshKey()
      const minute = () => Math.floor(Date.now() / MINUTE_MS)
      const begun = minute()
      const result = await run(given)
      if (minute() === begun) return result
    }
  }
})

/** Sends all requests, to one server after the other in turn. */
function burst(servers: readonly Server[], key: string, onAnswer = (_answer: Answer) => {}): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: REQUESTS }, async (_, i) => {
      const answer = await send(servers[i % servers.length] as Server, key)
      onAnswer(answer)
      return answer
    }),
  )
}

function send({ port, agent }: Server, key: string): Promise<Answer> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${key}` }
    const sent = request({ port, host: '127.0.0.1', path: '/v1/categories', agent, headers }, (response) => {
      response.resume()
      response.on('close', () => resolve(response.complete ? (response.statusCode as number) : 'unanswered'))
    })
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED' ? 'unsent' : 'unanswered'))
    sent.end()
  })
}

async function stop({ process, agent }: Server): Promise<void> {
  agent.destroy()
  await process[Symbol.asyncDispose]()
}
