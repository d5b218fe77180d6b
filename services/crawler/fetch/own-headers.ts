import { Cookies } from './cookies.ts'

/**
 * Headers that an operator adds to requests of one source, as the key of its API. They go to its entry points' origins alone.
 * Cookies are those of one crawl, where the operator wants them.
 */
export type OwnHeaders = Readonly<{
  headers: Readonly<Record<string, string>>
  origins: ReadonlySet<string>
  cookies?: Cookies | undefined
}>

/** Where the value of a header stands: never in the sources file, which many people read. */
export type HeaderFrom = Readonly<{ env: string } | { file: string }>

type SourceWithHeaders = Readonly<{
  name: string
  headers?: Readonly<Record<string, HeaderFrom>>
  cookies?: boolean
  entryPoints: readonly Readonly<{ url: string }>[]
}>

/**
 * Reads each value; `read` throws an error that names the place. Opens the cookies of one crawl. Undefined for a source without
 * headers and cookies.
 */
export function ownHeadersOf(
  { name, headers = {}, cookies = false, entryPoints }: SourceWithHeaders,
  read: ((from: HeaderFrom) => string) | undefined,
): OwnHeaders | undefined {
  if (Object.keys(headers).length === 0 && !cookies) return undefined
  const valueFrom = (header: string, from: HeaderFrom) => {
    try {
      if (read === undefined) throw new Error('nobody reads headers here')
      return read(from)
    } catch (error) {
      throw new Error(`source '${name}', header ${header}: ${(error as Error).message}`, { cause: error })
    }
  }
  return {
    headers: Object.fromEntries(Object.entries(headers).map(([header, from]) => [header, valueFrom(header, from)])),
    origins: new Set(entryPoints.map(({ url }) => new URL(url).origin)),
    ...(cookies && { cookies: new Cookies() }),
  }
}

/** Those that a request to this address carries. A redirect to another origin leaves the operator's behind. */
export function ownHeadersFor(url: URL, own: OwnHeaders | undefined): Readonly<Record<string, string>> {
  const cookie = own?.cookies?.headerFor(url) ?? null
  return { ...(own?.origins.has(url.origin) === true && own.headers), ...(cookie !== null && { cookie }) }
}
