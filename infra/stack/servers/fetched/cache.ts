import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Programs that tests and judges fetch stay outside the tree. */
export const CACHE_DIR = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'construction-cost-catalog')

/** Works in a folder of its own inside the cache, so that a finished download moves to its place in one step. */
export async function inFetchFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(CACHE_DIR, { recursive: true })
  const folder = await mkdtemp(join(CACHE_DIR, 'fetching-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The folder of this name in the cache, which `work` fills on first use: as a whole, or not at all. */
export async function cachedFolder(name: string, work: (folder: string) => Promise<void>): Promise<string> {
  const place = join(CACHE_DIR, name)
  if (existsSync(place)) return place
  return await inFetchFolder(async (folder) => {
    await work(folder)
    // Another process may have made the same meanwhile.
    if (!existsSync(place)) await rename(folder, place)
    return place
  })
}
