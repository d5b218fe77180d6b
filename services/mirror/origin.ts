import type { Answer, Downloads, RequestOptions, Validators } from './downloads.ts'
import { MirrorError } from './mirror-error.ts'
import { type OriginState, parseState } from './origin-state.ts'

/** The source of a mirror: an API, or a folder of plain files. */
export type Origin = Readonly<{
  /** Address of state.json, once found. */
  stateUrl: () => string | undefined
  /** Reads state.json; 'unchanged' when it equals that of the last pass that ended with `settled`. */
  state: (options: RequestOptions & { waitSeconds?: number }) => Promise<FoundState | 'unchanged'>
  settled: () => void
  unsettled: () => void
  /**
   * Bytes of a document that state.json names. Throws an unsettled error when it is missing, because a later state.json
   * may differ.
   */
  read: (url: string, options: RequestOptions) => Promise<Uint8Array>
  /**
   * Asks a subscription for the changes after a number alone. An origin that once could not answer is not asked again.
   * Throws an unsettled error when the number does not fit the origin's present state.
   */
  readSince: (url: string, query: SinceQuery, options: RequestOptions) => Promise<SinceAnswer>
}>

export type SinceQuery = Readonly<{ since: number; gen: string; limit: number }>

export type SinceAnswer =
  | Readonly<{ kind: 'changes'; bytes: Uint8Array }>
  /** The whole subscription, from a server of plain files. */
  | Readonly<{ kind: 'document'; bytes: Uint8Array }>
  | Readonly<{ kind: 'unsupported' }>
export type FoundState = OriginState & Readonly<{ bytes: Uint8Array }>

/** `url` is the base address with its /v1, or the folder of a static copy. Throws for any other text. */
export function openOrigin(url: string, downloads: Downloads): Origin {
  const base = URL.parse(url.endsWith('/') ? url : `${url}/`)
  if (base === null || !['http:', 'https:'].includes(base.protocol)) {
    throw new Error(`address '${url}': expected http://... or https://...`)
  }
  const candidates = [new URL('feeds/state.json', base).href, new URL('state.json', base).href]
  let stateUrl: string | undefined
  let latestValidators: Validators = {}
  /** Validators of the last settled pass; with them an idle poll is a 304. */
  let validators: Validators | undefined
  let answersSince = true
  /** Servers of plain files ignore the parameter; origins of earlier releases refuse it. */
  let mayWait = true

  return {
    stateUrl: () => stateUrl,
    settled() {
      validators = latestValidators
    },
    unsettled() {
      validators = undefined
    },
    async state({ waitSeconds, ...given }) {
      const isConditional = validators !== undefined && !given.isFresh
      const options = { ...given, ...(isConditional && validators && { validators }) }
      for (const candidate of stateUrl === undefined ? candidates : [stateUrl]) {
        const waits = mayWait && isConditional && waitSeconds !== undefined
        let answer = await downloads.get(waits ? `${candidate}?wait=${waitSeconds}` : candidate, options)
        if (waits && answer.kind === 'absent') {
          mayWait = false
          answer = await downloads.get(candidate, options)
        }
        if (answer.kind === 'unchanged') return 'unchanged'
        if (answer.kind === 'absent') continue
        const state = parseState(answer.bytes, candidate)
        stateUrl = candidate
        latestValidators = answer.validators
        return { ...state, bytes: answer.bytes }
      }
      const expected = stateUrl ?? candidates.join(' or ')
      throw new MirrorError(`no feeds at ${url}: expected ${expected}`, { kind: 'unreachable' })
    },
    async read(address, options) {
      const answer = await downloads.get(address, options)
      if (answer.kind === 'found') return answer.bytes
      throw notFound(address, answer)
    },
    async readSince(url, { since, gen, limit }, options) {
      if (!answersSince) return { kind: 'unsupported' }
      const address = `${url}?since=${since}&gen=${gen}&limit=${limit}`
      const answer = await downloads.get(address, { ...options, accept: NDJSON_TYPE })
      if (answer.kind === 'found') {
        answersSince = answer.type === NDJSON_TYPE
        return { kind: answersSince ? 'changes' : 'document', bytes: answer.bytes }
      }
      if (answer.kind === 'absent' && answer.status === 404) {
        answersSince = false
        return { kind: 'unsupported' }
      }
      throw notFound(address, answer)
    },
  }
}

const NDJSON_TYPE = 'application/x-ndjson'

function notFound(address: string, answer: Exclude<Answer, { kind: 'found' }>): MirrorError {
  const status = answer.kind === 'absent' ? answer.status : 304
  return new MirrorError(`GET ${address}: status ${status}`, { kind: 'unsettled' })
}
