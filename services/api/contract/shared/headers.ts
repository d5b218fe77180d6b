import { readDataFile } from '@catalog/core/data-file.ts'

/** The response headers of each operation, which headers.yaml describes. */

type HeaderDoc = Readonly<{ description: string; schema: Readonly<{ type: 'string' | 'integer' }> }>
type Headers = Readonly<Record<string, HeaderDoc>>
type HeadersFile = Readonly<{
  integers: readonly string[]
  /** Headers with their descriptions. */
  groups: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** The groups of an operation. */
  success: Readonly<Record<string, readonly string[]>>
  redirects: Readonly<Record<string, string>>
}>

const FILE = readDataFile(import.meta.url, 'headers.yaml') as HeadersFile

function ofGroups(...groups: readonly string[]): Headers {
  const described = groups.flatMap((group) => Object.entries(FILE.groups[group] ?? {}))
  const typeOf = (name: string) => (FILE.integers.includes(name) ? 'integer' : 'string')
  return Object.fromEntries(
    described.map(([name, description]) => [name, { description, schema: { type: typeOf(name) } }]),
  )
}

const ofSuccess = (operationId: string): Headers => ofGroups(...(FILE.success[operationId] ?? []))

/** Whether only some answers have the header. */
export function isOptional(header: string, status: number): boolean {
  if (status >= 400) return status === 503 && /ratelimit/i.test(header)
  return ['Link', 'Content-Location', 'Content-Encoding', 'Last-Modified'].includes(header)
}

/** The description of the 307 answer; undefined for an operation without one. */
export const redirectOf = (operationId: string): string | undefined => FILE.redirects[operationId]

/** Of errors with headers of their own. */
const ERRORS: Readonly<Record<number, readonly string[]>> = {
  401: ['help', 'challenge'],
  410: ['help_and_snapshot'],
  415: ['help', 'accepted'],
  416: ['help', 'length'],
  429: ['help', 'retry'],
  503: ['help', 'retry'],
}
/** Of a success that its 304 repeats. */
const REPEATED: ReadonlySet<string> = new Set(['ETag', 'Content-Location', 'Link', 'Price-Region'])

/** The response headers of an operation, as OpenAPI describes them. */
export function headersOf(operationId: string, status: number): Headers {
  const always = ofGroups('always')
  if (status >= 400) return { ...always, ...ofGroups(...(ERRORS[status] ?? ['help'])) }
  if (status === 307) return { ...always, ...ofGroups('subscription') }
  const success = ofSuccess(operationId)
  if (status !== 304) return { ...always, ...success, ...(status === 206 && ofGroups('part')) }
  const repeated = Object.entries(success).filter(([name]) => REPEATED.has(name))
  return { ...always, ...ofGroups('cached', 'tagged'), ...Object.fromEntries(repeated) }
}

export const answersConditionally = (operationId: string): boolean => ofSuccess(operationId).ETag !== undefined
