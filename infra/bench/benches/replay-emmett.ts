import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { installPeers } from '@catalog/bench/harness/servers.ts'
import type { PostgresServer } from '@catalog/stack/servers/postgres.ts'
import pg from 'pg'
import { observationOf } from './project.ts'

/** A million takes a quarter of an hour per batch size, and the rate is the same. */
const EVENTS = 20_000
const BRIEF_EVENTS = 300
const DATABASE = 'emmett'

/**
 * Stores the same observations as events in Emmett's PostgreSQL store, in its own database on the same server, and
 * rebuilds their projection (peers/emmett.js). Returns milliseconds per event at the fastest batch size.
 */
export async function rebuildEmmett(
  server: PostgresServer,
  { say, isBrief }: { say: (line: string) => void; isBrief: boolean },
): Promise<number> {
  const events = isBrief ? BRIEF_EVENTS : EVENTS
  installPeers(say)
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query(`create database ${DATABASE}`)
  try {
    const peer = spawn(process.execPath, [join(import.meta.dirname, '../peers/emmett.js')], {
      env: { ...process.env, DATABASE_URL: server.url.replace(/\/[^/]*$/, `/${DATABASE}`) },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const exited = once(peer, 'exit')
    for (let n = 0; n < events; n++) {
      if (!peer.stdin.write(`${JSON.stringify(observationOf(n))}\n`)) await once(peer.stdin, 'drain')
    }
    peer.stdin.end()
    const times: number[] = []
    for await (const line of createInterface({ input: peer.stdout })) {
      const { batchSize, ms, rows } = JSON.parse(line) as { batchSize: number; ms: number; rows: number }
      if (rows !== events) throw new Error(`Emmett projected ${rows} events, expected ${events}`)
      say(`Emmett, batches of ${batchSize}: ${Math.round((events / ms) * 1000)} events/s`)
      times.push(ms)
    }
    const [code] = await exited
    if (code !== 0) throw new Error(`Emmett ended with ${code}, expected its times`)
    return Math.min(...times) / events
  } finally {
    await client.query(`drop database ${DATABASE} with (force)`)
    await client.end()
  }
}
