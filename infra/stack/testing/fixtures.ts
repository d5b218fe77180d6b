import type { PreviewDeps } from '@catalog/crawler/crawls/preview-source.ts'
import { CLOCK } from '@catalog/crawler/fetch/fetcher.ts'
import { unavailable } from '@catalog/stack/servers/servers.ts'
import type { Store } from '@catalog/store/db.ts'
import { afterAll } from 'vitest'
import { openEmbeddedTestStore, openPostgresTestStore, openTestStore } from './store.ts'

/** Closes after all tests of a file what they share. */
export function closedAfterAll<T extends AsyncDisposable>(opened: T): T {
  afterAll(() => opened[Symbol.asyncDispose]())
  return opened
}

/** Opens an empty store for the tests of one file. */
export const storeOfFile = async (): Promise<Store> => closedAfterAll(await openTestStore())

/** Both stores, for laws that each must hold: name, opener, and why this machine cannot run it (null where it can). */
export const BOTH_STORES = [
  ['PGlite', openEmbeddedTestStore, null],
  ['PostgreSQL', openPostgresTestStore, unavailable('postgres')],
] as const

/** What a preview of a file needs; `crawlsDir` is an empty folder. It refuses to fetch. */
export function fileDeps(crawlsDir: string): PreviewDeps {
  const refuses = () => Promise.reject(new Error('a file needs no network'))
  return { fetcher: { get: refuses, sitemaps: refuses }, clock: CLOCK, crawlsDir, now: () => new Date() }
}
