import type { Page } from '@catalog/explorer/pages/frame.ts'
import { linkTo, type View } from '@catalog/explorer/pages/view.ts'
import { sourcePage, sourcesPage } from '@catalog/explorer/views/sources.ts'
import type { FastifyRequest } from 'fastify'
import type { CatalogReader } from './catalog-reader.ts'
import { idOf } from './items.ts'

/** Whose prices these are. */

const PAGE_SOURCES = 50

export async function readSources(view: View, read: CatalogReader): Promise<Page> {
  const cursor = view.address.searchParams.get('cursor') ?? undefined
  const { sources, cursor: next } = await read.sources({ cursor, limit: PAGE_SOURCES })
  return sourcesPage(view, { sources, next: next === null ? undefined : linkTo(view, '/sources', { cursor: next }) })
}

export async function readSource(view: View, read: CatalogReader, request: FastifyRequest): Promise<Page> {
  return sourcePage(view, await read.source(idOf(request)))
}
