import type { Client, estypes } from '@elastic/elasticsearch'
import type { StoredDocument } from './documents.ts'
import { IF_THERE, requestError, responseOf, SEARCH } from './requests.ts'

/** Requests in one call: more would wait for the slowest one without saving much more. */
const BATCH_MAX = 16

type Response = estypes.SearchResponse<StoredDocument>
type Waiting = Readonly<{
  index: string
  request: estypes.SearchRequest
  resolve: (response: Response) => void
  reject: (error: Error) => void
}>

/**
 * Sends the requests of one turn of the event loop as one call: a search asks for words and vectors at once, and the call
 * itself costs as much as either.
 */
export class BatchedSearches {
  readonly #client: Client
  #waiting: Waiting[] = []

  constructor(client: Client) {
    this.#client = client
  }

  search(index: string, request: estypes.SearchRequest): Promise<Response> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#send())
      this.#waiting.push({ index, request, resolve, reject })
      if (this.#waiting.length === BATCH_MAX) this.#send()
    })
  }

  #send(): void {
    const waiting = this.#waiting
    this.#waiting = []
    if (waiting.length === 0) return
    this.#answer(waiting).catch((error) => {
      for (const { reject } of waiting) reject(error)
    })
  }

  async #answer(waiting: readonly Waiting[]): Promise<void> {
    const searches = waiting.flatMap(({ index, request }) => [{ index, ...OPTIONS }, request])
    const { responses } = await responseOf('search', this.#client.msearch<StoredDocument>({ searches }, SEARCH))
    for (const [i, { resolve, reject }] of waiting.entries()) {
      const response = responses[i]
      if (response !== undefined && !('error' in response)) resolve(response)
      else reject(requestError('search', new Error(response?.error.reason ?? response?.error.type ?? 'no response')))
    }
  }
}

/** A shard that does not answer is a failure, not fewer results. */
const OPTIONS = { ...IF_THERE, allow_partial_search_results: false } as const
