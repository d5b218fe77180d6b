import { HOUR_MS } from '@catalog/core/time.ts'

/** An endpoint with the embeddings API of OpenAI. */
export type Endpoint = Readonly<{
  /**
   * The base address, which gets `/embeddings`; a query part stays. Private addresses are allowed: the operator chooses
   * it.
   */
  url: string
  model: string
  dims: number
  /** Whether requests name `dims`; models with fixed dimensions refuse that. */
  sendDims: boolean
  /** The bearer token; null where the server needs none. */
  key: string | null
}>

export type Answer =
  /** Unit vectors in the order of the texts; null for a vector that is null, zero or NaN. */
  | Readonly<{ kind: 'vectors'; vectors: readonly (Float32Array | null)[]; tokens: number | null }>
  /** The provider refuses these texts: too many, too long, or disliked. */
  | Readonly<{ kind: 'refused'; reason: string; isTooLarge: boolean }>
  | Failure
export type Failure = Readonly<{
  kind: 'failed'
  reason: string
  /** Whether a retry may succeed. */
  isTransient: boolean
  /** Whether the provider may charge for the failed request. */
  mayBeCharged: boolean
  retryAfterMs: number | null
  cause?: unknown
}>

/**
 * Sends one request. Rejects with the signal's reason when the signal aborts; every other outcome is an answer.
 *
 * Law: no answer or error contains the key, and the key goes to no other address: a redirect is a failure.
 */
export async function requestEmbeddings(
  endpoint: Endpoint,
  texts: readonly string[],
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<Answer> {
  const timeout = AbortSignal.timeout(timeoutMs)
  let response: Response | undefined
  try {
    response = await fetch(addressOf(endpoint.url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(endpoint.key !== null && { authorization: `Bearer ${endpoint.key}` }),
      },
      body: JSON.stringify({
        model: endpoint.model,
        input: texts,
        encoding_format: 'float',
        ...(endpoint.sendDims && { dimensions: endpoint.dims }),
      }),
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    })
    if (!response.ok) return await refusalOf(response, endpoint)
    return vectorsOf(await limitedText(response, RESPONSE_BYTES_MAX), { texts, dims: endpoint.dims })
  } catch (cause) {
    signal.throwIfAborted()
    if (timeout.aborted) return failure(`no answer within ${timeoutMs} ms`, { mayBeCharged: true })
    const reason = `${response ? 'the answer broke off' : 'no connection'}: ${messageOf(cause)}`
    return failure(reason, { mayBeCharged: response !== undefined || !isBeforeSending(cause), cause })
  }
}

/** 128 texts of 4,096 dimensions, some 22 characters a component: 12 MB. */
const RESPONSE_BYTES_MAX = 32 * 1024 * 1024
const REFUSAL_BYTES_MAX = 16 * 1024
const REASON_CHARS_MAX = 200
/** Longer waits are mistakes, and would outlast the repair. */
const RETRY_AFTER_MS_MAX = HOUR_MS

function addressOf(base: string): string {
  const address = new URL(base)
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/embeddings`
  return address.href
}

async function refusalOf(response: Response, { key }: Endpoint): Promise<Answer> {
  const { status, headers } = response
  if (status >= 300 && status < 400) {
    await response.body?.cancel()
    return failure(`status ${status}: redirects are not followed; expected the final address`, { isTransient: false })
  }
  const said = await limitedText(response, REFUSAL_BYTES_MAX).catch(() => '')
  const reason = `status ${status}${errorDetail(said, key)}`
  if (TEXTS_REFUSED.includes(status)) return { kind: 'refused', reason, isTooLarge: status === 413 }
  // Waiting does not correct keys, addresses and model names.
  const isTransient = status === 408 || status === 429 || status >= 500
  return failure(reason, { isTransient, retryAfterMs: retryAfterMs(headers) })
}
const TEXTS_REFUSED = [400, 413, 422]

/** The provider's explanation as one short line, with the key masked. */
function errorDetail(body: string, key: string | null): string {
  let said: unknown = body
  try {
    const { error, message } = JSON.parse(body) as { error?: unknown; message?: unknown }
    said = (error as { message?: unknown } | undefined)?.message ?? error ?? message ?? ''
  } catch {
    // Not JSON but a proxy's page: its beginning suffices.
  }
  const line = (typeof said === 'string' ? said : JSON.stringify(said)).replace(/\s+/g, ' ').trim()
  const shown = key === null ? line : line.replaceAll(key, '***')
  return shown === '' ? '' : `: ${shown.slice(0, REASON_CHARS_MAX)}`
}

/** Retry-After, in seconds or as a date relative to the server's own clock; null without one. */
function retryAfterMs(headers: Headers): number | null {
  const value = headers.get('retry-after')
  if (value === null) return null
  const seconds = /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : null
  const ms = seconds === null ? Date.parse(value) - Date.parse(headers.get('date') ?? '') : seconds * 1000
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), RETRY_AFTER_MS_MAX) : null
}

/** The body as text; throws when it exceeds `bytesMax` or breaks off. */
async function limitedText(response: Response, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    // Leaving the loop closes the connection.
    if (bytes > bytesMax) throw new Error(`more than ${bytesMax} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function vectorsOf(body: string, { texts, dims }: { texts: readonly string[]; dims: number }): Answer {
  const broken = (reason: string, isTransient: boolean) => failure(reason, { isTransient, mayBeCharged: true })
  const parsed = parse(body)
  if (!isObject(parsed) || !Array.isArray(parsed.data)) return broken('the answer is no list of embeddings', true)
  if (parsed.data.length !== texts.length) {
    return broken(`${parsed.data.length} embeddings for ${texts.length} texts`, true)
  }
  const vectors: (Float32Array | null | undefined)[] = texts.map(() => undefined)
  let otherDims: number | undefined
  for (const [place, entry] of parsed.data.entries()) {
    const { index = place, embedding } = isObject(entry) ? entry : {}
    if (!Number.isInteger(index) || !((index as number) in vectors) || vectors[index as number] !== undefined) {
      return broken(`an embedding with index ${index}, of ${texts.length} texts`, true)
    }
    const vector = unitVector(embedding)
    if (vector !== null && vector.length !== dims) otherDims = vector.length
    vectors[index as number] = vector?.length === dims ? vector : null
  }
  if (vectors.every((vector) => vector === null)) {
    // A single text may cause this; several such vectors, or another length, are the provider's fault.
    if (otherDims !== undefined) {
      return broken(`embeddings of ${otherDims} dimensions, expected ${dims} (EMBEDDINGS_DIMS)`, false)
    }
    if (texts.length > 1) return broken(`none of ${texts.length} embeddings can be used`, true)
  }
  const { total_tokens: tokens } = isObject(parsed.usage) ? parsed.usage : {}
  return {
    kind: 'vectors',
    vectors: vectors as (Float32Array | null)[],
    tokens: typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= 0 ? tokens : null,
  }
}

/** Parses JSON, including Python's NaN and Infinity; undefined for anything else. */
function parse(body: string): unknown {
  for (const text of [body, body.replace(/(?:NaN|-?Infinity)(?=\s*[,\]])/g, 'null')]) {
    try {
      return JSON.parse(text)
    } catch {
      // Retry without those words, then give up.
    }
  }
  return undefined
}

/** Scales to length 1; null for a vector without a direction. */
function unitVector(embedding: unknown): Float32Array | null {
  if (!Array.isArray(embedding)) return null
  let square = 0
  for (const component of embedding) {
    if (typeof component !== 'number') return null
    square += component * component
  }
  const length = Math.sqrt(square)
  return length > 0 && Number.isFinite(length) ? Float32Array.from(embedding, (component) => component / length) : null
}

function failure(
  reason: string,
  {
    isTransient = true,
    mayBeCharged = false,
    retryAfterMs = null,
    cause,
  }: { isTransient?: boolean; mayBeCharged?: boolean; retryAfterMs?: number | null; cause?: unknown },
): Failure {
  return { kind: 'failed', reason, isTransient, mayBeCharged, retryAfterMs, ...(cause !== undefined && { cause }) }
}

/** fetch says only "fetch failed"; its cause has the reason. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return cause.message || ((cause as NodeJS.ErrnoException).code ?? error.message)
}

/** Whether the request cannot have reached the provider. */
function isBeforeSending(error: unknown): boolean {
  const { code } = ((error as Error | undefined)?.cause ?? {}) as NodeJS.ErrnoException
  return code !== undefined && NOT_CONNECTED.includes(code)
}
const NOT_CONNECTED = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
