import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'

/**
 * A load generator in its own process. It writes prepared requests to bare sockets and reads only the status and length
 * of answers, so that on two cores the server is the busy one.
 */
export interface LoadGenerator extends AsyncDisposable {
  /**
   * Sends `count` GET requests, cycling through the paths, one at a time on each connection. Resolves when all are
   * answered. Throws on the first unexpected status, with the body.
   */
  send(batch: Batch): Promise<void>
}

export type Batch = Readonly<{
  /** http://127.0.0.1:PORT */
  origin: string
  paths: readonly string[]
  headers?: Readonly<Record<string, string>>
  /** 200 by default. */
  status?: number
  count: number
}>

/** More than any pool of database connections here, so that no server waits for callers. */
const CONNECTIONS = 32
/** Bytes of one read from a socket. */
const RECEIVED_BYTES_MAX = 65_536

export function startLoadGenerator(): LoadGenerator {
  const child = fork(import.meta.filename, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const exited = once(child, 'exit')
  const ended = exited.then(([code, signal]) => {
    throw new Error(`the load generator ended with ${code ?? signal}`)
  })
  // Disposal also ends the process.
  ended.catch(() => {})
  return {
    async send(batch) {
      child.send(batch)
      const [{ failed }] = (await Promise.race([once(child, 'message'), ended])) as [Answer]
      if (failed !== undefined) throw new Error(failed)
    },
    async [Symbol.asyncDispose]() {
      child.kill()
      await exited
    },
  }
}

type Answer = { failed?: string }

/** Resolves when every request is answered. */
async function sendAll({ origin, paths, headers = {}, status = 200, count }: Batch): Promise<void> {
  const { hostname, port, host } = new URL(origin)
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const requests = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`))
  let sent = 0
  const next = () => (sent < count ? (requests[sent++ % requests.length] as Buffer) : undefined)
  const connections = Array.from({ length: Math.min(CONNECTIONS, count) }, () => {
    const done = Promise.withResolvers<void>()
    const read = answerReader(status, () => {
      const request = next()
      if (request === undefined) done.resolve()
      else socket.write(request)
    })
    const socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      // One reused buffer costs less than a new one per chunk.
      onread: {
        buffer: Buffer.allocUnsafe(RECEIVED_BYTES_MAX),
        callback(size, buffer) {
          try {
            read(Buffer.from(buffer.buffer, buffer.byteOffset, size))
          } catch (error) {
            done.reject(error)
          }
          return true
        },
      },
    })
    socket.on('error', done.reject)
    socket.on('close', () => done.reject(new Error(`${origin}: the connection was closed before its answer`)))
    socket.write(next() as Buffer)
    return done.promise.finally(() => socket.destroy())
  })
  await Promise.all(connections)
}

const HEAD_END = Buffer.from('\r\n\r\n')

/** Parses received bytes and calls `onAnswer` after each whole answer. */
function answerReader(status: number, onAnswer: () => void): (chunk: Buffer) => void {
  const begins = `HTTP/1.1 ${status} `
  let head: Buffer = Buffer.alloc(0)
  /** Missing bytes of the body; -1 while the header is incomplete. */
  let missing = -1
  return (chunk) => {
    if (missing < 0) {
      // Copy what stays: the caller reuses its buffer.
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
      const end = head.indexOf(HEAD_END)
      if (end < 0) {
        head = Buffer.from(head)
        return
      }
      const text = head.toString('latin1', 0, end)
      if (!text.startsWith(begins)) throw new Error(`expected ${status}, found ${head.toString()}`)
      const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
      // A 304 has no body, whatever its Content-Length.
      if (length === undefined && status !== 304) throw new Error(`expected a Content-Length, found ${text}`)
      missing = (status === 304 ? 0 : Number(length)) - (head.length - end - HEAD_END.length)
      head = Buffer.alloc(0)
    } else {
      missing -= chunk.length
    }
    if (missing > 0) return
    if (missing < 0) throw new Error('an answer is longer than its Content-Length')
    missing = -1
    onAnswer()
  }
}

if (process.argv[1] === import.meta.filename && process.send !== undefined) {
  process.on('message', (batch: Batch) => {
    sendAll(batch).then(
      () => process.send?.({}),
      (error: Error) => process.send?.({ failed: error.message }),
    )
  })
}
