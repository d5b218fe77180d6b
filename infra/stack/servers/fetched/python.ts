import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CACHE_DIR, cachedFolder } from './cache.ts'

export const PYTHON = 'python3'
/** Downloads are slow on cold mirrors. */
const INSTALL_TIMEOUT_MS = 600_000

/** A virtual environment: its name, the file with the digests of its packages, and further flags of pip. */
export type PythonPackages = Readonly<{ name: string; requirements: string; flags?: readonly string[] }>

/** Null where Python can run here, also with these packages, else the reason in one line. With CI=true it throws instead. */
export function pythonAvailable(packages?: PythonPackages): string | null {
  if (packages !== undefined && existsSync(join(CACHE_DIR, folderOf(packages)))) return null
  const check = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'
  if (spawnSync(PYTHON, ['-c', check]).status === 0) return null
  const reason = 'expected Python 3.11 or later with its modules venv and ensurepip'
  if (process.env.CI === 'true') throw new Error(reason)
  return reason
}

/** The Python of the environment, which is made in the cache on first use. */
export async function pythonWith(packages: PythonPackages): Promise<string> {
  const { requirements, flags = [] } = packages
  const place = await cachedFolder(folderOf(packages), async (folder) => {
    const run = (program: string, args: readonly string[]) =>
      promisify(execFile)(program, args, { timeout: INSTALL_TIMEOUT_MS })
    await run(PYTHON, ['-m', 'venv', folder])
    const digests = ['--require-hashes', '--only-binary', ':all:', ...flags, '--requirement', requirements]
    await run(join(folder, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', ...digests])
  })
  return join(place, 'bin', 'python')
}

function folderOf({ name, requirements }: PythonPackages): string {
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex')
  return `${name}-${digest.slice(0, 12)}`
}
