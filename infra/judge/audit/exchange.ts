import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

/** Requests as the tables write them, sent byte for byte: `fetch` would mend what readers send. */

export type Answer = Readonly<{
  status: number
  /** By names in lower case. */
  headers: Readonly<Record<string, string>>
  /** The decoded body. */
  text: string
}>

const TIMEOUT_MS = 60_000

/**
 * Sends `METHOD TARGET`, perhaps with ` HTTP/1.0` behind it, and after each ` | ` a header, or a body of JSON. A target `/x`
 * is below the base address, `~/x` below its host without /v1, and any other one is sent as it stands.
 */
export async function send(
  base: string,
  request: string,
  always: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const { protocol, hostname, port, host, pathname } = new URL(base)
  const [line = '', ...parts] = request.split(' | ')
  const [, method = '', given = '', version = '1.1'] = /^(\S+) (.*?)(?: HTTP\/(\S+))?$/.exec(line) ?? []
  const root = pathname.replace(/\/+$/, '')
  const target = given.startsWith('/') ? root + given : given.replace(/^~/, root.replace(/\/v1$/, ''))
  const body = parts.find((part) => part.startsWith('{') || part.startsWith('[')) ?? ''
  const fields = [
    `Host: ${host}`,
    'Connection: close',
    ...Object.entries(always).map(([name, value]) => `${name}: ${value}`),
    ...parts.filter((part) => part !== body),
    ...(body === '' && method !== 'POST' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ]
  const isSecure = protocol === 'https:'
  const place = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (isSecure ? 443 : 80)) }
  const socket = isSecure ? connectTls({ ...place, servername: hostname }) : connect(place)
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)))
  socket.write(`${method} ${target} HTTP/${version}\r\n${fields.join('\r\n')}\r\n\r\n${body}`)
  return read(await buffer(socket), method)
}

function read(bytes: Buffer, method: string): Answer {
  const end = bytes.indexOf('\r\n\r\n')
  // An interim answer, such as 100.
  if (/^HTTP\/1\.1 1/.test(bytes.toString('latin1', 0, 10))) return read(bytes.subarray(end + 4), method)
  const [line = '', ...fields] = bytes.toString('latin1', 0, end).split('\r\n')
  const headers: Record<string, string> = {}
  for (const field of fields) {
    const at = field.indexOf(':')
    const name = field.slice(0, at).toLowerCase()
    const value = field.slice(at + 1).trim()
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  const sent = bytes.subarray(end + 4)
  const whole = headers['transfer-encoding'] === 'chunked' ? dechunked(sent) : sent
  const coding = method === 'HEAD' || whole.length === 0 ? undefined : headers['content-encoding']
  const body = coding === 'br' ? brotliDecompressSync(whole) : coding === 'gzip' ? gunzipSync(whole) : whole
  return { status: Number(line.split(' ')[1]), headers, text: body.toString() }
}

function dechunked(bytes: Buffer): Buffer {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16)
    if (!(size > 0)) return Buffer.concat(chunks)
    chunks.push(bytes.subarray(end + 2, end + 2 + size))
    at = end + size + 4
  }
}
