import { type IncomingMessage, type Server, type ServerOptions, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { JSON_TYPE } from './documents.ts'
import { ApiError, helpLink } from './errors.ts'
import { type ParseError, unreadable } from './parse-errors.ts'

/** HTTP connections: time-outs, sizes, requests that Node cannot parse, and draining. */

/** A whole request must arrive within this time; bodies are small. */
const REQUEST_TIMEOUT_MS = 30_000
/** The headers must arrive within this time. */
const HEADERS_TIMEOUT_MS = 10_000
/** Interval of the check for late requests. */
const TIMEOUT_CHECK_MS = 1_000
/** Request line and header fields together. Larger ones are answered 431, or 414 when the address is too long. */
const HEADER_BYTES_MAX = 16_384
/** RFC 9110 §4.1 recommends to accept this; the longest useful address here has less than 4,000. */
const URL_BYTES_MAX = 8_000

/** A reader that accepts no data for this time is disconnected. */
export const READER_TIMEOUT_MS = 60_000

/** Longer than the minute that load balancers commonly keep a connection, so that they close it first. */
const KEEP_ALIVE_MS = 72_000

/**
 * Node's default stays for a reader who closes its sending side: it counts as gone, and its request is abandoned. A reader who
 * left looks the same, and would keep its place among the requests in flight until its answer is written.
 */
export const HTTP_OPTIONS: ServerOptions = {
  keepAliveTimeout: KEEP_ALIVE_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  headersTimeout: HEADERS_TIMEOUT_MS,
  connectionsCheckingInterval: TIMEOUT_CHECK_MS,
  maxHeaderSize: HEADER_BYTES_MAX,
  // Node would answer without a body; addressProblem() gives the error instead.
  requireHostHeader: false,
}

/** Whether the server answers this version: Node's parser also takes a request line with HTTP/2.0, HTTP/0.9 or none. */
export const isKnownVersion = ({ httpVersion }: Pick<IncomingMessage, 'httpVersion'>): boolean =>
  httpVersion === '1.1' || httpVersion === '1.0'

/**
 * The error of an address that no check needs to see: uri_too_long, or bad_request for another version of HTTP. A missing or
 * repeated Host is a bad_request too (RFC 9112 §3.2).
 */
export function addressProblem(request: IncomingMessage): ApiError | undefined {
  const { url = '', httpVersion, headers, rawHeaders } = request
  if (url.length > URL_BYTES_MAX) return addressTooLong(`${url.length}`)
  if (!isKnownVersion(request)) {
    return new ApiError('bad_request', `version "HTTP/${httpVersion}": expected HTTP/1.1 or HTTP/1.0`)
  }
  if (headers.host === undefined && httpVersion === '1.1') {
    return new ApiError('bad_request', 'Host: expected the header, found nothing')
  }
  const hosts = countHosts(rawHeaders)
  return hosts > 1 ? new ApiError('bad_request', `Host: expected it once, found it ${hosts} times`) : undefined
}

/** Lines of the field Host. Node joins most repeated fields, but takes the first Host in silence. */
export function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === HOST.length && name.toLowerCase() === HOST) hosts++
  }
  return hosts
}
const HOST = 'host'

function addressTooLong(found: string): ApiError {
  return new ApiError('uri_too_long', `expected an address of at most ${URL_BYTES_MAX} bytes, found ${found}`)
}

export type ErrorContext = Readonly<{
  origin: string
  /** Headers of every answer. */
  standing: Readonly<Record<string, string>>
  requestId: () => string
  /** The methods that a path serves; empty for an unknown one. */
  methodsAt: (path: string) => readonly string[]
  /** The rate headers of an address whose request cannot be read, names and values in turn. */
  unread: (ip: string) => readonly (string | number)[]
}>

export interface Connections {
  /**
   * Resolves when the server may close: no connection is open, or half a second has passed. By then, requests that were
   * on their way are answered with "Connection: close".
   */
  drain(): Promise<void>
}

/** Gives every error of Node's HTTP server the common error body, and closes connections gracefully. */
export function manageConnections(server: Server, context: ErrorContext): Connections {
  // A server may ignore an unknown expectation (RFC 9110 §10.1.1).
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
      // Node counts a connection without any request as busy, and stops checking for late requests once it closes.
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
      setTimeout(() => server.closeAllConnections(), LAST_ANSWER_MS).unref()
    },
  }
}

/**
 * Half a second: long enough for a request on its way, short enough for a process manager. Counted in polls rather than
 * time, so that a busy process still reads the requests that have arrived.
 */
const DRAIN_POLLS = 50
const DRAIN_POLL_MS = 10
/** By then the store has answered or timed out; the remaining answers wait for their readers. */
const LAST_ANSWER_MS = 15_000

/** Answers a request that is not HTTP, or that arrives too late. */
export function refuseConnection(error: ParseError, socket: Socket, context: ErrorContext): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const rate = socket.remoteAddress === undefined ? [] : context.unread(socket.remoteAddress)
  if (socket.writable) socket.write(answerText(asAnswer(error, context), context, rate))
  socket.destroy(error)
}

function asAnswer(error: ParseError, { methodsAt }: ErrorContext): ApiError {
  const { code, rawPacket } = error
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ApiError('request_timeout', `expected the whole request within ${REQUEST_TIMEOUT_MS / 1000} s`)
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    const line = rawPacket instanceof Buffer ? (rawPacket.toString('latin1').split('\r\n')[0] as string) : ''
    if (/^[A-Z]+ \//.test(line) && line.length > URL_BYTES_MAX) return addressTooLong(`${line.length} and more`)
    return new ApiError('headers_too_large', `expected at most ${HEADER_BYTES_MAX} bytes of header fields`)
  }
  return unreadable(error, methodsAt)
}

function answerText(
  error: ApiError,
  { origin, standing, requestId }: ErrorContext,
  rate: readonly (string | number)[] = [],
): string {
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
  const fields = Object.entries(headers).flat().concat(rate)
  let lines = ''
  for (let i = 0; i < fields.length; i += 2) lines += `${fields[i]}: ${fields[i + 1]}\r\n`
  return `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines}\r\n${body}`
}
