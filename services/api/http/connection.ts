import { type IncomingMessage, type Server, type ServerOptions, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { JSON_TYPE } from './documents.ts'
import { ApiError, helpLink } from './errors.ts'

/** What Node's HTTP server decides before there is a request, or when there will be none any more. */

/** A request has arrived whole within this time; bodies are small. */
const REQUEST_TIMEOUT_MS = 30_000
/** So long a reader may take to say what it wants. */
const HEADERS_TIMEOUT_MS = 10_000
/** How often connections are looked through for requests that are late. */
const TIMEOUT_CHECK_MS = 1_000
/** Of the request line and all header fields together; more is answered 431, or 414 when the address is what is long. */
const HEADER_BYTES_MAX = 16_384
/** What RFC 9110 §4.1 recommends to take; the longest address with a meaning here has less than 4,000. */
const URL_BYTES_MAX = 8_000

/** A reader who takes nothing of its answer for so long is let go. */
export const READER_TIMEOUT_MS = 60_000

/** Longer than the minute for which balancers commonly keep a connection, so that it is not us who close it under one. */
const KEEP_ALIVE_MS = 72_000

export const HTTP_OPTIONS: ServerOptions = {
  keepAliveTimeout: KEEP_ALIVE_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  headersTimeout: HEADERS_TIMEOUT_MS,
  connectionsCheckingInterval: TIMEOUT_CHECK_MS,
  maxHeaderSize: HEADER_BYTES_MAX,
  // Node would answer without a body: refuseAddress() does it instead.
  requireHostHeader: false,
}

/** Throws what a request line or a missing Host deserves, before anything else is looked at. */
export function refuseAddress({ url = '', httpVersion, headers }: IncomingMessage): void {
  if (url.length > URL_BYTES_MAX) throw addressTooLong(`${url.length}`)
  if (headers.host === undefined && httpVersion === '1.1') {
    throw new ApiError('bad_request', 'Host: expected the header, found nothing')
  }
}

function addressTooLong(found: string): ApiError {
  return new ApiError('uri_too_long', `expected an address of at most ${URL_BYTES_MAX} bytes, found ${found}`)
}

export type ErrorContext = Readonly<{
  origin: string
  /** Headers that stand on every answer. */
  standing: Readonly<Record<string, string>>
  requestId: () => string
}>

export interface Connections {
  /**
   * Resolves when the server may be closed: no connection is left, or half a second has passed. Whoever keeps a connection
   * has had its next request, on its way by then, answered and been told to send no more on it.
   */
  drain(): Promise<void>
}

/** Answers in the shape of all errors what Node would answer without a body, or not at all; and ends connections well. */
export function manageConnections(server: Server, context: ErrorContext): Connections {
  // A server may pass over an expectation that it does not know (RFC 9110 §10.1.1).
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response)
  })
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    const refused = new ApiError('method_not_allowed', 'CONNECT: this server is no proxy', { headers: { allow: '' } })
    socket.on('error', () => {})
    socket.end(answerText(refused, context))
  })
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return {
    async drain() {
      for (let polls = 0; open.size > 0 && polls < DRAIN_POLLS; polls++) await delay(DRAIN_POLL_MS)
      // Node counts a connection that never sent anything as busy, and looks for late requests no more once it closes.
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
      setTimeout(() => server.closeAllConnections(), LAST_ANSWER_MS).unref()
    },
  }
}

/**
 * Half a second: long enough for a request on its way, short enough for whoever waits for the process to end. Counted, not
 * timed: in a process that is held up each poll still reads what has come in.
 */
const DRAIN_POLLS = 50
const DRAIN_POLL_MS = 10
/** By then whatever is asked of the store has been answered or given up; what is left waits for its reader. */
const LAST_ANSWER_MS = 15_000

/** What does not even parse as HTTP, or does not arrive in time. */
export function refuseConnection(error: ParseError, socket: Socket, context: ErrorContext): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable) socket.write(answerText(asAnswer(error), context))
  socket.destroy(error)
}
type ParseError = Error & { code?: string; rawPacket?: unknown }

function asAnswer({ code, rawPacket }: ParseError): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ApiError('request_timeout', `expected the whole request within ${REQUEST_TIMEOUT_MS / 1000} s`)
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    const line = rawPacket instanceof Buffer ? (rawPacket.toString('latin1').split('\r\n')[0] as string) : ''
    if (/^[A-Z]+ \//.test(line) && line.length > URL_BYTES_MAX) return addressTooLong(`${line.length} and more`)
    return new ApiError('headers_too_large', `expected at most ${HEADER_BYTES_MAX} bytes of header fields`)
  }
  return new ApiError('bad_request', 'expected a request of HTTP/1.1')
}

function answerText(error: ApiError, { origin, standing, requestId }: ErrorContext): string {
  const body = JSON.stringify(error.body)
  const headers = {
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId(),
    'cache-control': 'no-store',
    link: helpLink(origin, error.code),
    ...standing,
    ...error.headers,
    date: new Date().toUTCString(),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`
}
