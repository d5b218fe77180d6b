import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { sha256Hex } from '@catalog/core/digest.ts'
import { PYTHON } from '@catalog/stack/servers/fetched/python.ts'
import { freePort, serveHttp, untilHolds } from '@catalog/stack/servers/machine.ts'
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
  const server = await serveHttp((request, response) => {
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
  return {
    url: `${server.url}/v1`,
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
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
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

/** Serves a folder with `python3 -m http.server`. */
export async function serveFolder(folder: string): Promise<AsyncDisposable & { url: string }> {
  const port = await freePort()
  const args = ['-m', 'http.server', String(port), '--bind', '127.0.0.1', '--directory', folder]
  const server = spawn(PYTHON, args, { stdio: 'ignore' })
  const ended = once(server, 'exit')
  const stop = async () => {
    server.kill('SIGKILL')
    await ended
  }
  const url = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(url).then(
      async (response) => (await response.arrayBuffer()) !== undefined,
      () => false,
    )
  try {
    await untilHolds(`${PYTHON} serves ${folder}`, isReady, { timeoutMs: 60_000, pollMs: 50 })
  } catch (error) {
    await stop()
    throw error
  }
  return { url, [Symbol.asyncDispose]: stop }
}

/** Runs a Python program to its end; throws with its output when it fails. */
export async function runPython(program: string, args: readonly string[], python = PYTHON): Promise<string> {
  const child = spawn(python, ['-c', program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [said, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if (code !== 0) throw new Error(`${python} ended with ${code}: ${said}${complaint}`)
  return said
}
