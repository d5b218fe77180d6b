import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The product ships without research/, so it starts the program instead of importing it. */
const PROGRAM = fileURLToPath(new URL('../../../research/evaluate.ts', import.meta.url))

/** `catalog eval ...`: runs research/evaluate.ts with the given words and ends with its exit code. */
export async function evaluate(words: readonly string[]): Promise<void> {
  if (!existsSync(PROGRAM)) throw new Error(`catalog eval needs ${PROGRAM}; run it in a checkout of the repository`)
  const child = spawn(process.execPath, [...process.execArgv, PROGRAM, ...words], { stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  process.exitCode = code ?? 1
}
