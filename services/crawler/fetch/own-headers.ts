/** Headers that an operator adds to requests of one source, as the key of its API. They go to its entry points' origins alone. */
export type OwnHeaders = Readonly<{ headers: Readonly<Record<string, string>>; origins: ReadonlySet<string> }>

/** Where the value of a header stands: never in the sources file, which many people read. */
export type HeaderFrom = Readonly<{ env: string } | { file: string }>

type SourceWithHeaders = Readonly<{
  name: string
  headers?: Readonly<Record<string, HeaderFrom>>
  entryPoints: readonly Readonly<{ url: string }>[]
}>

/** Reads each value; `read` throws an error that names the place. Undefined for a source without headers. */
export function ownHeadersOf(
  { name, headers, entryPoints }: SourceWithHeaders,
  read: ((from: HeaderFrom) => string) | undefined,
): OwnHeaders | undefined {
  if (headers === undefined) return undefined
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
  }
}

/** Those that a request to this address carries. A redirect to another origin leaves them behind. */
export const ownHeadersFor = (url: URL, own: OwnHeaders | undefined): Readonly<Record<string, string>> =>
  own?.origins.has(url.origin) === true ? own.headers : {}
