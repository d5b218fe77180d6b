import type { Asking, Downloads, Validators } from './downloads.ts'
import { MirrorProblem } from './mirror-error.ts'
import { type OriginState, parseState } from './origin-state.ts'

/** What a mirror reads from: an API, or a folder of plain files. */
export type Origin = Readonly<{
  /** Address of state.json, once it was found. */
  stateUrl: () => string | undefined
  /** Where everything stands; 'unchanged' when that is what it was at the last pass that `settled`. */
  state: (asking: Asking) => Promise<FoundState | 'unchanged'>
  settled: () => void
  unsettled: () => void
  /** Bytes of a document that state.json led to; unsettled when it is not there, which a later state.json may know. */
  read: (url: string, asking: Asking) => Promise<Uint8Array>
}>
export type FoundState = OriginState & Readonly<{ bytes: Uint8Array }>

/** `url` is the base address with its /v1, or the folder of a static copy. Throws when it is no address. */
export function openOrigin(url: string, downloads: Downloads): Origin {
  const base = URL.parse(url.endsWith('/') ? url : `${url}/`)
  if (base === null || !['http:', 'https:'].includes(base.protocol)) {
    throw new Error(`address '${url}': expected http://... or https://...`)
  }
  const places = [new URL('feeds/state.json', base).href, new URL('state.json', base).href]
  let stateUrl: string | undefined
  let asked: Validators = {}
  /** Of the last pass that settled; asked with them, an idle poll is a 304. */
  let validators: Validators | undefined

  return {
    stateUrl: () => stateUrl,
    settled() {
      validators = asked
    },
    unsettled() {
      validators = undefined
    },
    async state(asking) {
      const isAgain = validators !== undefined && !asking.isFresh
      for (const place of stateUrl === undefined ? places : [stateUrl]) {
        const answer = await downloads.get(place, { ...asking, ...(isAgain && validators && { validators }) })
        if (answer.kind === 'unchanged') return 'unchanged'
        if (answer.kind === 'absent') continue
        const state = parseState(answer.bytes, place)
        stateUrl = place
        asked = answer.validators
        return { ...state, bytes: answer.bytes }
      }
      const expected = stateUrl ?? places.join(' or ')
      throw new MirrorProblem(`no feeds at ${url}: expected ${expected}`, { kind: 'unreachable' })
    },
    async read(address, asking) {
      const answer = await downloads.get(address, asking)
      if (answer.kind === 'found') return answer.bytes
      const status = answer.kind === 'absent' ? answer.status : 304
      throw new MirrorProblem(`GET ${address}: status ${status}`, { kind: 'unsettled' })
    },
  }
}
