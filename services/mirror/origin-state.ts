import { PROTOCOL } from '@catalog/core/changes/protocol.ts'
import type { Signature } from '@catalog/core/changes/signature.ts'
import { z } from 'zod'
import { malformed } from './mirror-error.ts'

/** state.json of an origin, validated, with absolute addresses. */
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

// Messages say what was expected.
export const TEXT = z.string('text')
/** Text that is safe in a file name. */
export const NAME = TEXT.regex(/^[A-Za-z0-9_-]{1,100}$/, 'letters, digits, - and _')
export const HASH = TEXT.regex(/^[0-9a-f]{64}$/, '64 hex digits')
export const WHOLE_NUMBER = z.int('a whole number').min(0, 'a whole number')
export const SIGNATURES = z
  .array(z.object({ key: NAME, signature: TEXT }, 'an object'), 'a list')
  .max(SIGNATURES_MAX, `at most ${SIGNATURES_MAX}`)
const INSTANT = TEXT.refine((text) => !Number.isNaN(Date.parse(text)), 'an instant')
/** An object whose members have names of the origin's choice. */
export const byName = <T extends z.ZodType>(member: T) => z.record(z.string(), member, 'an object')

const SCOPE = z.object(
  { head: WHOLE_NUMBER, chain: HASH, floor: WHOLE_NUMBER, closed: WHOLE_NUMBER, subscription: TEXT, archive: TEXT },
  'an object',
)
const DIGEST = z.object({ seq: WHOLE_NUMBER, chain: HASH.nullish(), state_root: HASH, url: TEXT }, 'an object')
const STATE = z.object(
  {
    protocol: z.literal(PROTOCOL, PROTOCOL),
    gen: NAME,
    page_size: WHOLE_NUMBER.refine((size) => size >= 1 && size <= PAGE_CHANGES_MAX, `1 to ${PAGE_CHANGES_MAX}`),
    scopes: byName(SCOPE),
    digest: z.object({ mark: WHOLE_NUMBER, scopes: byName(DIGEST) }, 'an object').nullish(),
    snapshot: z.object({ seq: WHOLE_NUMBER, url: TEXT, sha256: HASH }, 'an object').nullish(),
    /** Only a static copy has it, and may hold fewer scopes than the origin signed. */
    mirror: z.object({ scopes: z.array(z.unknown(), 'a list').nullish() }, 'an object').nullish(),
  },
  'an object',
)
const SIGNED = z.object({
  catalog: NAME,
  generated_at: INSTANT,
  valid_until: INSTANT,
  keys: TEXT,
  signatures: SIGNATURES,
})

/** Parses state.json from `url`; throws a contradiction that names the field. */
export function parseState(bytes: Uint8Array, url: string): OriginState {
  const document = jsonOf(bytes, url)
  const { gen, page_size, scopes, digest, snapshot, mirror } = checked(document, { schema: STATE, place: url })
  const address = (relative: string) => addressOf(relative, { from: url })
  const held = <T>(scopes: Readonly<Record<string, T>>) =>
    Object.entries(scopes).filter(([scope]) => mirror?.scopes?.includes(scope) ?? true)
  const isSigned = ((document as { signatures?: unknown }).signatures ?? null) !== null
  return {
    gen,
    pageSize: page_size,
    scopes: new Map(
      held(scopes).map(([scope, { subscription, archive, ...at }]) => {
        const archiveUrl = (page: number) => address(archive.replace('{page}', String(page)))
        return [scope, { ...at, subscriptionUrl: address(subscription), archiveUrl }]
      }),
    ),
    digest: digest
      ? {
          mark: digest.mark,
          scopes: new Map(
            held(digest.scopes).map(([scope, { seq, chain = null, state_root, url }]) => [
              scope,
              { seq, chain, root: state_root, url: address(url) },
            ]),
          ),
        }
      : null,
    snapshot: snapshot ? { seq: snapshot.seq, url: address(snapshot.url), sha: snapshot.sha256 } : null,
    identity: isSigned ? identityOf(checked(document, { schema: SIGNED, place: url }), address) : null,
    isPlainFiles: (mirror ?? null) !== null,
  }
}

const identityOf = (
  { catalog, generated_at, valid_until, keys, signatures }: z.infer<typeof SIGNED>,
  address: (relative: string) => string,
) => ({ catalog, generatedAt: generated_at, validUntil: valid_until, keysUrl: address(keys), signatures })

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

/** The document as the schema has it. Throws a contradiction that names the member, what was expected and what was found. */
export function checked<T extends z.ZodType>(
  document: unknown,
  { schema, place }: { schema: T; place: string },
): z.infer<T> {
  const { data, error } = schema.safeParse(document)
  const [issue] = error?.issues ?? []
  if (issue === undefined) return data as z.infer<T>
  const at = (value: unknown, name: PropertyKey) => (value as Readonly<Record<PropertyKey, unknown>>)[name]
  const found = JSON.stringify(issue.path.reduce(at, document))?.slice(0, 200)
  throw malformed(`${[place, ...issue.path].join(': ')}: expected ${issue.message}, found ${found}`)
}
