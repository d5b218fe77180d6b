import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { syncPath } from './synced-files.ts'

/** Names the file beside a cluster's folder that exists while its files are being created. */
export const UNFINISHED_SUFFIX = '.unfinished'

const PROGRAM = fileURLToPath(new URL('./cluster.worker.ts', import.meta.url))
/** V8's optimising compiler takes longer for the code of initdb than the code itself. */
const FLAGS = ['--liftoff-only']

/**
 * Creates PGlite's files in a folder that has none, durably: whole, or not at all. A start that finds a killed one's
 * files creates them anew. It takes a process of its own, because the memory of initdb returns with that alone.
 */
export async function ensureCluster(dataDir: string): Promise<void> {
  const unfinished = `${dataDir}${UNFINISHED_SUFFIX}`
  if (existsSync(unfinished)) rmSync(dataDir, { recursive: true, force: true })
  if (existsSync(dataDir)) return
  writeFileSync(unfinished, '')
  syncPath(dirname(dataDir))
  const child = fork(PROGRAM, [dataDir], { execArgv: FLAGS, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  const [said, [code]] = await Promise.all([child.stderr?.setEncoding('utf8').toArray(), once(child, 'exit')])
  if (code !== 0) throw new Error(`PostgreSQL's files in ${dataDir} could not be created: ${said?.join('')}`)
  rmSync(unfinished)
  // Durable before the first transaction: after it, this file would cost acknowledged facts.
  syncPath(dirname(dataDir))
}
