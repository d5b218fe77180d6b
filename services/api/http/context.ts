import type { IncomingMessage, ServerResponse } from 'node:http'
import { isFileError, isRowError, type Tables } from '@catalog/replica/tables.ts'
import type { CatalogVersion } from '@catalog/store/catalog/queries.ts'
import type { Store } from '@catalog/store/db.ts'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { DocumentCache } from './cache.ts'
import type { CachedRead } from './cached-read.ts'
import type { Cursors } from './cursor.ts'
import { asApiError } from './errors.ts'

/** The services that routes share. */
export type ApiContext = Readonly<{
  store: Store
  cache: DocumentCache
  /** The version of the catalog, which decides whether cached documents are current. */
  catalogVersion: CachedRead<CatalogVersion>
  replica: ReplicaTables
  /** Whether the store does not answer, so that the replica is all there is. */
  isAway: () => boolean
  /** Read once from the store. */
  cursors: CachedRead<Cursors>
  /** Absolute address of the API with its /v1, without a trailing slash; never taken from a request. */
  baseUrl: string
}>

/** The tables of the replica, when it is as new as the version; undefined: read the store. */
export type ReplicaTables = (() => Tables | undefined) & {
  /** The tables however old, for a store that fails after it said its version. */
  readonly last?: () => Tables | undefined
}

export type V1 = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>

export type Parameters = Readonly<Record<string, string | number | boolean | undefined>>

/** The address with the defined parameters. */
export function addressOf(url: string, parameters: Parameters): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return given.length === 0 ? url : `${url}?${new URLSearchParams(given as [string, string][])}`
}

/** The `Link` header to the next page: the same query with its cursor, absolute. */
export function nextLink(url: string, parameters: Parameters): string {
  return `<${addressOf(url, parameters)}>; rel="next"`
}

/** The address beside /v1. */
export const siteOf = (baseUrl: string) => baseUrl.replace(/\/v1$/, '/')
/** The page of an item for people, with the prices of a region. */
export function itemPage(itemId: string, { baseUrl, region }: { baseUrl: string; region: string | undefined }): string {
  return addressOf(`${siteOf(baseUrl)}items/${itemId}`, { price_region: region })
}

/** Pages beside /v1 on the same host: the plans, and the documentation. */
export const plansUrl = (baseUrl: string): string => baseUrl.replace(/v1$/, 'plans')
export const docsUrl = (baseUrl: string): string => baseUrl.replace(/v1$/, 'docs')

/** The origin of the public address, which may end in /v1. */
export const originOf = (publicBaseUrl: string): string => publicBaseUrl.replace(/\/+$/, '').replace(/\/v1$/, '')

/**
 * What the replica says, or else the store: while the replica is filled or behind, and where its file proves bad. Where a row
 * cannot be read, the file is checked, which tells damage from a fault of the code.
 */
export async function fromReplica<T>(
  replica: ApiContext['replica'] | undefined,
  read: (tables: Tables) => T,
  otherwise: () => Promise<T>,
): Promise<T> {
  const tables = replica?.()
  if (tables === undefined) return await storeOrLast(replica, read, otherwise)
  try {
    return read(tables)
  } catch (error) {
    if (isRowError(error)) tables.suspect(error)
    else if (!isFileError(error)) throw error
    return await otherwise()
  }
}

/** What the store says; where it does not answer, what an older replica does: public reads go on. */
export async function storeOrLast<T>(
  replica: ReplicaTables | undefined,
  read: (tables: Tables) => T,
  otherwise: () => Promise<T>,
): Promise<T> {
  try {
    return await otherwise()
  } catch (error) {
    const last = asApiError(error).code === 'store_unavailable' ? replica?.last?.() : undefined
    if (last === undefined) throw error
    return read(last)
  }
}

/**
 * Renders rows; renders again, from the store, where rows of the replica cannot be shown. Throws the
 * error where the file of the replica is known to be sound.
 */
export async function renderedAgain<T>(replica: ApiContext['replica'], render: () => Promise<T>): Promise<T> {
  const tables = replica()
  try {
    return await render()
  } catch (error) {
    if (tables === undefined || !isRowError(error) || !tables.suspect(error)) throw error
    return await render()
  }
}
