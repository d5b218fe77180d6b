import { PROTOCOL } from '@catalog/core/changes/protocol.ts'
import type { Signature } from '@catalog/core/changes/signature.ts'
import { type MirrorError, malformed } from './mirror-error.ts'

/** state.json of an origin, validated field by field, with absolute addresses. */
export type OriginState = Readonly<{
  gen: string
  /** Changes on a closed page. */
  pageSize: number
  scopes: ReadonlyMap<string, OriginScope>
  digest: Readonly<{ mark: number; scopes: ReadonlyMap<string, OriginDigest> }> | null
  snapshot: Readonly<{ seq: number; url: string; sha: string }> | null
  /** Whose it says to be; null without signatures. */
  identity: Readonly<{
    catalog: string
    generatedAt: string
    validUntil: string
    keysUrl: string
    signatures: readonly Signature[]
  }> | null
  isPlainFiles: boolean
}>

export type OriginScope = Readonly<{
  head: number
  /** Chain at the head. */
  chain: string
  /** Changes up to this number are no longer kept. */
  floor: number
  closed: number
  subscriptionUrl: string
  archiveUrl: (page: number) => string
}>

export type OriginDigest = Readonly<{
  seq: number
  /** Chain at `seq`; null where the origin leaves it out. */
  chain: string | null
  root: string
  url: string
}>

const PAGE_CHANGES_MAX = 100_000
/** Signatures of one document: a rotation a week for the 90 days that keys sign together. */
const SIGNATURES_MAX = 16

/** Parses state.json from `url`; throws a contradiction that names the field. */
export function parseState(bytes: Uint8Array, url: string): OriginState {
  const state = new JsonFields(jsonOf(bytes, url), url)
  if (state.text('protocol') !== PROTOCOL) throw state.wrong('protocol', PROTOCOL)
  const address = (fields: JsonFields, name: string) => addressOf(fields.text(name), { from: url })
  const digest = state.optional('digest')
  const snapshot = state.optional('snapshot')
  const mirror = state.optional('mirror')
  const pageSize = state.wholeNumber('page_size')
  if (pageSize < 1 || pageSize > PAGE_CHANGES_MAX) throw state.wrong('page_size', `1 to ${PAGE_CHANGES_MAX}`)
  const held = mirror?.has('scopes') ? mirror.list('scopes') : undefined
  /** A static copy may hold fewer scopes than the origin signed. */
  const isHeld = ([scope]: readonly [string, unknown]) => held === undefined || held.includes(scope)
  return {
    gen: state.name('gen'),
    pageSize,
    scopes: new Map(
      state
        .object('scopes')
        .entries((scope) => {
          const archive = scope.text('archive')
          return {
            head: scope.wholeNumber('head'),
            chain: scope.hash('chain'),
            floor: scope.wholeNumber('floor'),
            closed: scope.wholeNumber('closed'),
            subscriptionUrl: address(scope, 'subscription'),
            archiveUrl: (page: number) => addressOf(archive.replace('{page}', String(page)), { from: url }),
          }
        })
        .filter(isHeld),
    ),
    digest: digest && {
      mark: digest.wholeNumber('mark'),
      scopes: new Map(
        digest
          .object('scopes')
          .entries((scope) => ({
            seq: scope.wholeNumber('seq'),
            chain: scope.has('chain') ? scope.hash('chain') : null,
            root: scope.hash('state_root'),
            url: address(scope, 'url'),
          }))
          .filter(isHeld),
      ),
    },
    snapshot: snapshot && {
      seq: snapshot.wholeNumber('seq'),
      url: address(snapshot, 'url'),
      sha: snapshot.hash('sha256'),
    },
    identity: identityIn(state, (name) => address(state, name)),
    isPlainFiles: mirror !== null,
  }
}

function identityIn(state: JsonFields, address: (name: string) => string): OriginState['identity'] {
  if (!state.has('signatures')) return null
  return {
    catalog: state.name('catalog'),
    generatedAt: state.instant('generated_at'),
    validUntil: state.instant('valid_until'),
    keysUrl: address('keys'),
    signatures: signaturesIn(state, 'signatures'),
  }
}

/** A list of signatures. Throws a contradiction that names the member. */
export function signaturesIn(document: JsonFields, name: string): Signature[] {
  const list = document.list(name)
  if (list.length > SIGNATURES_MAX) throw document.wrong(name, `at most ${SIGNATURES_MAX}`)
  return list.map((value, i) => {
    const fields = new JsonFields(value, `${name} ${i}`)
    return { key: fields.name('key'), signature: fields.text('signature') }
  })
}

/** Parses JSON from an address of the origin. */
export function jsonOf(bytes: Uint8Array, url: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw malformed(`${url}: no JSON: ${(cause as Error).message}`, cause)
  }
}

/**
 * Resolves a relative address in the document at `from`. It must lie below that document's folder, so that no origin
 * sends mirrors to other hosts or local files.
 */
export function addressOf(relative: string, { from }: { from: string }): string {
  const folder = new URL('.', from)
  if (PLAIN_PATH.test(relative) && !relative.split('/').includes('..')) {
    const { href } = new URL(relative, folder)
    if (href.startsWith(folder.href)) return href
  }
  throw malformed(`${from}: '${relative.slice(0, 200)}' is no address below ${folder.href}`)
}
const PLAIN_PATH = /^[A-Za-z0-9_~-][A-Za-z0-9._~/-]{0,500}$/

/** Typed access to the members of a JSON object; each getter throws a contradiction that names the member. */
export class JsonFields {
  readonly #value: Readonly<Record<string, unknown>>
  readonly #place: string

  constructor(value: unknown, place: string) {
    this.#place = place
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw malformed(`${place}: expected an object`)
    }
    this.#value = value as Readonly<Record<string, unknown>>
  }

  wrong(name: string, expected: string | number): MirrorError {
    const found = JSON.stringify(this.#value[name])?.slice(0, 200)
    return malformed(`${this.#place}: ${name}: expected ${expected}, found ${found}`)
  }

  /** Whether the member is there and not null. */
  has(name: string): boolean {
    return (this.#value[name] ?? null) !== null
  }

  instant(name: string): string {
    const value = this.text(name)
    if (Number.isNaN(Date.parse(value))) throw this.wrong(name, 'an instant')
    return value
  }

  text(name: string): string {
    const value = this.#value[name]
    if (typeof value !== 'string') throw this.wrong(name, 'text')
    return value
  }

  /** Text that is safe in a file name. */
  name(name: string): string {
    const value = this.text(name)
    if (!/^[A-Za-z0-9_-]{1,100}$/.test(value)) throw this.wrong(name, 'letters, digits, - and _')
    return value
  }

  hash(name: string): string {
    const value = this.text(name)
    if (!/^[0-9a-f]{64}$/.test(value)) throw this.wrong(name, '64 hex digits')
    return value
  }

  wholeNumber(name: string): number {
    const value = this.#value[name]
    if (!Number.isSafeInteger(value) || (value as number) < 0) throw this.wrong(name, 'a whole number')
    return value as number
  }

  list(name: string): readonly unknown[] {
    const value = this.#value[name]
    if (!Array.isArray(value)) throw this.wrong(name, 'a list')
    return value
  }

  object(name: string): JsonFields {
    return new JsonFields(this.#value[name], `${this.#place}: ${name}`)
  }

  optional(name: string): JsonFields | null {
    return this.has(name) ? this.object(name) : null
  }

  entries<T>(read: (fields: JsonFields) => T): [string, T][] {
    return Object.keys(this.#value).map((name) => [name, read(this.object(name))])
  }
}
