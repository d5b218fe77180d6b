import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addressOf, type CommandOptions, freePort, startCatalog } from '@catalog/stack/servers/command.ts'
import type { OpenApi } from './document.ts'

/** Our own API while it is judged: a process of its own on loopback. It and its data go when it is disposed of. */
export interface SystemUnderTest extends AsyncDisposable {
  /** Address of the API with its /v1. */
  readonly address: string
  /** A folder for the files of the judges. */
  readonly folder: string
  /** The document as it is served. */
  readonly document: OpenApi
  /** A file with the document as it is served. */
  readonly documentFile: string
  /** For commands beside it, on the same data. */
  readonly options: CommandOptions
}

/** Out of the way: what is judged is the answers, and limits have tests of their own. */
const LIMITS = Object.fromEntries(
  [
    'ANON_PER_MIN',
    'DEV_PER_MIN',
    'DEV_PER_MONTH',
    'ORG_PER_MIN',
    'ORG_PER_MONTH',
    'SEARCH_PER_MIN',
    'SIGNUPS_PER_HOUR',
    'SIGNUPS_PER_DAY',
    'SIGNUPS_PER_EMAIL_PER_DAY',
  ].map((limit) => [`RATE_LIMIT_${limit}`, '1000000']),
)
/** Longer than all judges together. */
const TIMEOUT_MS = 7_200_000

/** Starts it with the sample market, or empty. */
export async function startSystemUnderTest({ sample }: { sample: boolean }): Promise<SystemUnderTest> {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-judge-'))
  const options: CommandOptions = { data: join(folder.path, 'data'), env: LIMITS, timeoutMs: TIMEOUT_MS }
  const port = await freePort()
  const command = ['up', '--json', '--port', String(port), ...(sample ? ['--sample'] : [])]
  const server = startCatalog(command, options)
  // However this process ends, the server and its data do not stay behind.
  const killNow = () => {
    server.kill('SIGKILL')
    folder.remove()
  }
  process.once('exit', killNow)
  const stop = async () => {
    await server[Symbol.asyncDispose]()
    process.removeListener('exit', killNow)
    folder.remove()
  }
  try {
    const address = await addressOf(server)
    const served = await (await fetch(`${address}/openapi.json`)).text()
    const documentFile = join(folder.path, 'openapi.json')
    writeFileSync(documentFile, served)
    const document = JSON.parse(served) as OpenApi
    return { address, folder: folder.path, document, documentFile, options, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}
