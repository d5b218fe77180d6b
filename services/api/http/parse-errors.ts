import { ApiError } from './errors.ts'

/** Requests that Node's parser refuses, explained: the value, its place and what was expected. */

/** The error of the parser, with the packet in which it stopped. */
export type ParseError = Error & { code?: string; rawPacket?: unknown; bytesParsed?: unknown }

/**
 * The answer to a request that is not HTTP/1.1. `methodsAt` lists the methods of a path, none where nothing is served: a
 * method that the parser does not know is refused there as any other wrong one.
 */
export function unreadable(error: ParseError, methodsAt: (path: string) => readonly string[]): ApiError {
  const line = refusedLine(error)
  switch (error.code) {
    case 'HPE_INVALID_METHOD':
      return invalidMethod(line, methodsAt)
    case 'HPE_INVALID_URL':
      return invalidAddress(line)
    case 'HPE_INVALID_VERSION':
      return badRequest(`version ${shown(line.split(' ').at(-1) ?? '')}: expected HTTP/1.1`)
    case 'HPE_INVALID_HEADER_TOKEN':
      // Values may be secret, and a name is enough to find the line.
      return badRequest(`header ${shown(line.split(':')[0] ?? '')}: expected "name: value" without control characters`)
    case 'HPE_PAUSED_H2_UPGRADE':
      return badRequest(HTTP_2)
    default:
      return badRequest(PROBLEMS[error.code ?? ''] ?? EXPECTED)
  }
}

const EXPECTED = 'expected a request of HTTP/1.1'
const HTTP_2 = 'expected HTTP/1.1, found the first line of HTTP/2'
const LENGTHS = 'expected Content-Length once, as a number of bytes, and without Transfer-Encoding beside it'
const LINE_ENDS = 'expected lines that end with CR and LF'
const PROBLEMS: Readonly<Record<string, string>> = {
  HPE_INVALID_CONTENT_LENGTH: LENGTHS,
  HPE_UNEXPECTED_CONTENT_LENGTH: LENGTHS,
  HPE_INVALID_TRANSFER_ENCODING: 'Transfer-Encoding: expected chunked, once and last',
  HPE_INVALID_CHUNK_SIZE: 'body: expected chunks that begin with their hexadecimal size',
  HPE_CR_EXPECTED: LINE_ENDS,
  HPE_LF_EXPECTED: LINE_ENDS,
  HPE_STRICT: LINE_ENDS,
  HPE_INVALID_EOF_STATE: 'expected a whole request, and the connection ended within it',
}

const badRequest = (details: string) => new ApiError('bad_request', details)

/** The line in which the parser stopped, one character a byte. */
function refusedLine({ rawPacket, bytesParsed }: ParseError): string {
  if (!(rawPacket instanceof Buffer)) return ''
  const text = rawPacket.toString('latin1')
  const at = typeof bytesParsed === 'number' ? Math.min(bytesParsed, text.length) : 0
  const start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
  return text.slice(start).split(/\r?\n/, 1)[0] as string
}

const REQUEST_LINE = /^([!#$%&'*+.^_`|~\w-]+) (\/[^\s?]*)(?:\?\S*)? HTTP\/1\.[01]$/
const TLS_HANDSHAKE = String.fromCharCode(0x16, 3)

function invalidMethod(line: string, methodsAt: (path: string) => readonly string[]): ApiError {
  if (line.startsWith(TLS_HANDSHAKE)) return badRequest('expected HTTP, found TLS: this address begins with http://')
  if (line.startsWith('PRI * HTTP/2')) return badRequest(HTTP_2)
  const [, method, path] = REQUEST_LINE.exec(line) ?? []
  if (method === undefined || path === undefined) {
    return badRequest(`request line ${shown(line)}: expected METHOD /path HTTP/1.1`)
  }
  const methods = methodsAt(path)
  if (methods.length === 0) return badRequest(`method ${shown(method)}: expected one of GET, HEAD, OPTIONS and POST`)
  const allow = methods.join(', ')
  return new ApiError(
    'method_not_allowed',
    `${method.slice(0, SHOWN_MAX)} ${path.slice(0, SHOWN_MAX)}: expected one of ${allow}`,
    {
      headers: { allow },
    },
  )
}

/** Names the first byte that an address may not hold (RFC 3986), and how its character is written. */
function invalidAddress(line: string): ApiError {
  const address = line.replace(/^\S* /, '').replace(/ HTTP\/\d\.\d$/, '')
  const at = address.search(/[^\x21-\x7e]/)
  if (at < 0) return badRequest(`address ${shown(address)}: expected a path that begins with /, or an absolute address`)
  const byte = address.charCodeAt(at)
  const found = `address ${shown(address)}: expected visible ASCII, found ${hex(byte)} at character ${at + 1}`
  const [other = ''] = /^[\x80-\xff]+/.exec(address.slice(at)) ?? []
  const written = [...Buffer.from(other.slice(0, WRITTEN_MAX), 'latin1')].map((one) => `%${hex(one).slice(2)}`).join('')
  return badRequest(written === '' ? found : `${found}; write it as ${written}`)
}

const SHOWN_MAX = 100
/** Bytes of the characters whose percent-encoding an error spells. */
const WRITTEN_MAX = 12
const hex = (byte: number) => `0x${byte.toString(16).toUpperCase().padStart(2, '0')}`

/** Quoted, cut, and with bytes outside visible ASCII as \xNN. */
function shown(text: string): string {
  const cut = text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text
  return `"${cut.replace(/[^\x20-\x7e…]/g, (letter) => `\\x${hex(letter.charCodeAt(0)).slice(2)}`)}"`
}
