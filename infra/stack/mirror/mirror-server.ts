import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { sha256Hex } from '@catalog/core/digest.ts'
import { freePort } from '@catalog/stack/servers/machine.ts'
import type { ModelOrigin } from './mirror-model.ts'
import type { ModelAnswer } from './origin-documents.ts'

/** HTTP servers for mirrors: a model origin behind a misbehaving proxy, and plain files. */
export type ModelServer = AsyncDisposable & {
  /** Includes /v1. */
  readonly url: string
  /** Requested paths below /v1/feeds/, in order. */
  readonly asked: readonly string[]
  forget: () => void
  /** Decides what the proxy does with an answer from now on; undefined passes it on. */
  behave: Behaviour
}
/** Another answer for a path, or a function that writes one itself. */
export type Behaviour = (path: string, answer: ModelAnswer) => Misbehaved | undefined
export type Misbehaved =
  | Readonly<{ body: Buffer; type?: string }>
  | Readonly<{ status: number; headers?: Record<string, string> }>
  | ((response: ServerResponse) => void)

export async function serveModel(origin: ModelOrigin): Promise<ModelServer> {
  const asked: string[] = []
  const served: { behave: Behaviour } = { behave: () => undefined }
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace('/v1/feeds/', '')
    asked.push(path)
    const answer = origin.answer(`${origin.baseUrl}/feeds/${path}`)
    const other = served.behave(path, answer)
    if (typeof other === 'function') return other(response)
    if (other !== undefined && 'status' in other) return void response.writeHead(other.status, other.headers).end()
    const body = other?.body ?? answer.body
    const etag = `"${sha256Hex(body)}"`
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end()
    const location = answer.location?.replace(origin.baseUrl, '/v1')
    const contentType = other?.type ?? answer.type
    const type = contentType === undefined ? {} : { 'content-type': contentType }
    // A file that the model does not have, as of a static copy, is there.
    const status = other === undefined ? answer.status : 200
    response.writeHead(status, { etag, ...type, ...(location !== undefined && { location }) }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    forget: () => {
      asked.length = 0
    },
    get behave() {
      return served.behave
    },
    set behave(behave) {
      served.behave = behave
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Sends half of the body and breaks the connection. */
export const broken: Behaviour =
  (_path, { body }) =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'content-length': body.length })
    response.write(body.subarray(0, body.length / 2))
    response.destroy()
  }
/** Sends half of the body as if it were all. */
export const cut: Behaviour = (_path, { body }) => ({ body: body.subarray(0, body.length / 2) })
/** An answer without a body. */
export const status =
  (code: number, headers?: Record<string, string>): Behaviour =>
  () => ({ status: code, ...(headers && { headers }) })

const PYTHON = 'python3'

/** Null where Python exists, else the reason for skipped tests. With CI=true it throws instead. */
export function pythonAvailable(): string | null {
  if (spawnSync(PYTHON, ['--version']).status === 0) return null
  const reason = `mirrors of plain files and the client of the documentation need ${PYTHON}`
  if (process.env.CI === 'true') throw new Error(reason)
  return reason
}

/** Serves a folder with `python3 -m http.server`. */
export async function serveFolder(folder: string): Promise<AsyncDisposable & { url: string }> {
  const port = await freePort()
  const args = ['-m', 'http.server', String(port), '--bind', '127.0.0.1', '--directory', folder]
  const server = spawn(PYTHON, args, { stdio: 'ignore' })
  const ended = once(server, 'exit')
  const url = `http://127.0.0.1:${port}`
  const deadline = performance.now() + READY_MS_MAX
  while (!(await answers(url))) {
    if (performance.now() > deadline) {
      server.kill('SIGKILL')
      throw new Error(`${PYTHON} ${args.join(' ')}: not ready in ${READY_MS_MAX} ms`)
    }
    await delay(READY_POLL_MS)
  }
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.kill('SIGKILL')
      await ended
    },
  }
}
const READY_MS_MAX = 60_000
const READY_POLL_MS = 50

const answers = (url: string) =>
  fetch(url).then(
    async (response) => (await response.arrayBuffer()) !== undefined,
    () => false,
  )

/** Runs a Python program to its end; throws with its output when it fails. */
export async function runPython(program: string, args: readonly string[], python = PYTHON): Promise<string> {
  const child = spawn(python, ['-c', program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stdout.on('data', (text) => {
    said += text
  })
  let complaint = ''
  child.stderr.on('data', (text) => {
    complaint += text
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${python} ended with ${code}: ${said}${complaint}`)
  return said
}
