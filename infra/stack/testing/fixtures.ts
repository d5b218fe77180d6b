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
