import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The parts of an OpenAPI document that the judges read. */
export type OpenApi = {
  info: { title: string; version: string }
  servers: { url: string }[]
  security: object[]
  paths: Record<string, Record<string, { security?: object[] }>>
}

/** The accepted contract; later documents must keep its promises. */
export const BASELINE = join(import.meta.dirname, '../contract/openapi.baseline.json')
/** The folder of the published clients. */
export const CLIENTS = resolve(import.meta.dirname, '../../../clients')
export const RENEW = 'npm run judge -- renew'

/**
 * The document as a comparable file, independent of its address and of what the operator sets (limits, data licence,
 * contact).
 */
export function contractText({ info: { title, version }, ...document }: OpenApi): string {
  const { origin } = new URL(document.servers[0]?.url as string)
  return `${JSON.stringify({ ...document, info: { title, version } }, null, 2).replaceAll(origin, PLACEHOLDER)}\n`
}
const PLACEHOLDER = 'https://catalog.example.org'

export function contractDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Digest of the baseline; undefined without one. */
export function baselineDigest(): string | undefined {
  return existsSync(BASELINE) ? contractDigest(readFileSync(BASELINE, 'utf8')) : undefined
}
