import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startServing, untilReplicated } from '@catalog/stack/servers/command.ts'

/** A server process that ends on disposal and with this process. */
export interface Server extends AsyncDisposable {
  /** http://127.0.0.1:PORT */
  readonly origin: string
}

/** `catalog serve` on this database, as users run it, with limiter, tiers and ETags. */
export async function startOurs(url: string, env: Readonly<Record<string, string>> = {}): Promise<Server> {
  const { base, ...served } = await startServing(url, env)
  await untilReplicated(base)
  return { origin: new URL(base).origin, [Symbol.asyncDispose]: () => served[Symbol.asyncDispose]() }
}

const PEERS = join(import.meta.dirname, '../peers')

/** Installs the peers' packages if they are missing or do not match the lock file. */
export function installPeers(say: (line: string) => void): void {
  const installed = join(PEERS, 'node_modules/.package-lock.json')
  const isCurrent =
    existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(PEERS, 'package-lock.json')).mtimeMs
  if (isCurrent) return
  say('the peers are being installed ...')
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: PEERS, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Starts a server of peers/ on this database. */
export async function startPeer(
  file: string,
  { url, args = [] }: { url: string; args?: readonly string[] },
): Promise<Server> {
  const child = spawn(process.execPath, [join(PEERS, file), ...args], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const ended = exited.then(([code, signal]) => {
    throw new Error(`${file} ended with ${code ?? signal}, expected its address`)
  })
  const [origin] = (await Promise.race([once(lines, 'line'), ended])) as [string]
  ended.catch(() => {})
  return {
    origin,
    async [Symbol.asyncDispose]() {
      child.kill()
      await exited
    },
  }
}
