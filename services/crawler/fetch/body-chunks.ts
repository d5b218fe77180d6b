import type { OwnHeaders } from './own-headers.ts'
import { drain, headerText, type OpenResponse, type RetryingClient } from './retry.ts'

/** A body broke off and cannot be resumed: it has to be fetched again. */
export class BodyCut extends Error {
  override name = 'BodyCut'
}

/** A body changed after it broke off; `open` has all of the new one. */
export class BodyChanged extends Error {
  override name = 'BodyChanged'
  readonly open: OpenResponse
  constructor(open: OpenResponse) {
    super('the body has changed since it broke off')
    this.open = open
  }
}

/**
 * The encoded bytes of a body. Resumes a broken body with If-Range, so that a changed one comes anew. Throws BodyCut,
 * BodyChanged, NotFetched and the signal's reason.
 */
export async function* bodyChunks(
  first: OpenResponse,
  {
    client,
    resumesMax,
    signal,
    own,
  }: Readonly<{
    client: RetryingClient
    resumesMax: number
    signal: AbortSignal | undefined
    own?: OwnHeaders | undefined
  }>,
): AsyncGenerator<Uint8Array> {
  const { headers: sent } = first.response
  const etag = headerText(sent.etag)
  const acceptsRanges = headerText(sent['accept-ranges'])?.toLowerCase() === 'bytes'
  const resumableTag = acceptsRanges && etag !== null && !etag.startsWith('W/') ? etag : null
  const length = Number(headerText(sent['content-length']) ?? Number.NaN)
  let open = first
  let at = 0
  for (let resumes = 0; ; resumes++) {
    let interruption: Error
    try {
      for await (const chunk of open.response.body) {
        at += chunk.length
        yield chunk
      }
      if (Number.isNaN(length) || at === length) return
      interruption = new Error(`the body ended, expected ${length} bytes`)
    } catch (error) {
      interruption = client.interruption(error, open)
    } finally {
      open[Symbol.dispose]()
    }
    const total = Number.isNaN(length) ? '' : ` of ${length}`
    const sentence = `${interruption.message}, after ${at}${total} bytes of the body`
    if (resumableTag === null || resumes === resumesMax) throw new BodyCut(sentence)
    open = await resume(first.url, { at, etag: resumableTag, sentence, client, signal, own })
  }
}

type Resuming = Readonly<{
  at: number
  etag: string
  sentence: string
  client: RetryingClient
  signal: AbortSignal | undefined
  own: OwnHeaders | undefined
}>

/** Requests the rest of a body after a backoff. Throws BodyChanged where the server sends a new body instead. */
async function resume(url: URL, { at, etag, sentence, client, signal, own }: Resuming): Promise<OpenResponse> {
  const headers = { range: `bytes=${at}-`, 'if-range': etag }
  await client.backOff(url, { headers, attempts: { count: 1 }, signal }, { sentence, httpStatus: null })
  const open = await client.send(url, { headers, attempts: { count: 0 }, signal, own })
  const { statusCode, headers: sent } = open.response
  const isNext = statusCode === 206 && headerText(sent['content-range'])?.startsWith(`bytes ${at}-`) === true
  if (isNext && (sent.etag === undefined || headerText(sent.etag) === etag)) return open
  if (statusCode === 200) throw new BodyChanged(open)
  await drain(open)
  throw new BodyCut(sentence)
}
