import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addressOf, type CommandOptions, freePort, startCatalog, UNLIMITED } from '@catalog/stack/servers/command.ts'
import type { OpenApi } from './document.ts'

/** Our API in a process of its own on loopback. Disposing it ends the process and removes its data. */
export interface SystemUnderTest extends AsyncDisposable {
  /** Address of the API with its /v1. */
  readonly address: string
  /** Folder for the judges' files. */
  readonly folder: string
  /** The served document. */
  readonly document: OpenApi
  /** File with the served document. */
  readonly documentFile: string
  /** Options for further commands on the same data. */
  readonly options: CommandOptions
}

/** Outlasts all judges together. */
const TIMEOUT_MS = 7_200_000

/** Starts the API with the sample market, or empty; by default without limits. */
export async function startSystemUnderTest({
  sample,
  env = UNLIMITED,
}: {
  sample: boolean
  env?: Readonly<Record<string, string>>
}): Promise<SystemUnderTest> {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-judge-'))
  const options: CommandOptions = { data: join(folder.path, 'data'), env, timeoutMs: TIMEOUT_MS }
  const port = await freePort()
  const command = ['up', '--json', '--port', String(port), ...(sample ? ['--sample'] : [])]
  const server = startCatalog(command, options)
  // Removes server and data however this process ends.
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
