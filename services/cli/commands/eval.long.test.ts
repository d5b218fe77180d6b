import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const CATALOG = fileURLToPath(new URL('../catalog.js', import.meta.url))

test('given the options of every command, then the program that measures follows them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-eval-'))
  try {
    const measured = promisify(execFile)(
      process.execPath,
      [CATALOG, 'eval', 'questions', '--data', 'named', '--json'],
      {
        cwd: folder,
      },
    )
    const { stdout } = await measured.catch((error: { stdout: string }) => error)
    expect(JSON.parse(stdout)).toMatchObject({ details: expect.stringContaining('no vendor of the sample') })
    expect(existsSync(join(folder, 'named'))).toBe(true)
    expect(existsSync(join(folder, '.catalog'))).toBe(false)
  } finally {
    await rm(folder, { recursive: true })
  }
})
