import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CatalogVersion } from '@catalog/store/catalog/queries.ts'
import type { Store } from '@catalog/store/db.ts'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { DocumentCache } from './cache.ts'
import type { CachedRead } from './cached-read.ts'
import type { ReadCatalog, WatchedCatalog } from './catalog-version.ts'
import { addressOf, type Cursors } from './cursor.ts'

/** The services that routes share. */
export type ApiContext = Readonly<{
  store: Store
  cache: DocumentCache
  /** The version of the catalog, which decides whether cached documents are current. */
  catalogVersion: CachedRead<CatalogVersion>
  read: ReadCatalog
  catchUp: WatchedCatalog['catchUp']
  /** Whether the store does not answer, so that the replica is all there is. */
  isAway: () => boolean
  /** Read once from the store. */
  cursors: CachedRead<Cursors>
  /** Absolute address of the API with its /v1, without a trailing slash; never taken from a request. */
  baseUrl: string
}>

export type V1 = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>

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
