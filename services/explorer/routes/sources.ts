import type { Page } from '@catalog/explorer/pages/frame.ts'
import { linkTo, type View } from '@catalog/explorer/pages/view.ts'
import { indexPage, indicesPage } from '@catalog/explorer/views/indices.ts'
import { sourcePage, sourcesPage } from '@catalog/explorer/views/sources.ts'
import type { FastifyRequest } from 'fastify'
import type { CatalogReader } from './catalog-reader.ts'
import { idOf } from './items.ts'

/** Whose prices these are, and the official indices beside them. */

const PAGE_SOURCES = 50

export async function readSources(view: View, read: CatalogReader): Promise<Page> {
  const cursor = view.address.searchParams.get('cursor') ?? undefined
  const { sources, cursor: next } = await read.sources({ cursor, limit: PAGE_SOURCES })
  return sourcesPage(view, { sources, next: next === null ? undefined : linkTo(view, '/sources', { cursor: next }) })
}

export async function readSource(view: View, read: CatalogReader, request: FastifyRequest): Promise<Page> {
  return sourcePage(view, await read.source(idOf(request)))
}

export async function readIndices(view: View, read: CatalogReader): Promise<Page> {
  const { searchParams } = view.address
  const query = { cursor: searchParams.get('cursor') ?? undefined, region: searchParams.get('region') ?? undefined }
  const { indices, cursor } = await read.indices({ ...query, limit: PAGE_SOURCES })
  const next = cursor === null ? undefined : linkTo(view, '/indices', { ...query, cursor })
  return indicesPage(view, { indices, next })
}

export async function readIndex(view: View, read: CatalogReader, request: FastifyRequest): Promise<Page> {
  return indexPage(view, await read.index(idOf(request)))
}
