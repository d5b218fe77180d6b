import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CACHE_DIR } from '@catalog/stack/servers/maven.ts'

const PYTHON = 'python3'
/** Wheels of some 40 MB. */
const INSTALL_TIMEOUT_MS = 300_000

/** Null where {@link pythonWith} finds what it needs, else the reason for skipped tests. With CI=true it throws instead. */
export function pythonWithAvailable(): string | null {
  const check = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'
  if (spawnSync(PYTHON, ['-c', check]).status === 0) return null
  const reason = 'the mirror in Python needs Python 3.11 or later with its modules venv and ensurepip'
  if (process.env.CI === 'true') throw new Error(reason)
  return reason
}

/** The Python of a virtual environment in the cache, with the packages of this file of digests; made on first use. */
export async function pythonWith(name: string, requirements: string): Promise<string> {
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex')
  const folder = join(CACHE_DIR, `${name}-${digest.slice(0, 12)}`)
  const python = join(folder, 'bin', 'python')
  if (existsSync(folder)) return python
  const making = `${folder}.${process.pid}`
  try {
    const run = promisify(execFile)
    await run(PYTHON, ['-m', 'venv', making])
    const digests = ['--require-hashes', '--only-binary', ':all:', '--requirement', requirements]
    await run(join(making, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', ...digests], {
      timeout: INSTALL_TIMEOUT_MS,
    })
    // Another process may have made the same meanwhile.
    if (!existsSync(folder)) await rename(making, folder)
  } finally {
    await rm(making, { recursive: true, force: true })
  }
  return python
}
