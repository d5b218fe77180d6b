import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type GlobalOptions, reporting } from '@catalog/cli/shared/context.ts'
import type { Command } from 'commander'

/** The product ships without research/, so this starts the program instead of importing it. */
const PROGRAM = fileURLToPath(new URL('../../../research/evaluate.ts', import.meta.url))

export function addEval(program: Command): void {
  program
    .command('eval')
    .description('measure search and matching, on our labels or on yours (runs research/evaluate.ts)')
    .argument('[words...]', 'search, questions, bills or match, and their options')
    .allowUnknownOption()
    .helpOption(false)
    .action((_words: string[], _options: unknown, command: Command) =>
      reporting(command, (options) => evaluate([...command.args, ...sharedFlags(options)])),
    )
}

/** The options of every command again: this program has read them, and the other one needs them too. */
const sharedFlags = ({ data, json }: GlobalOptions): string[] => [
  ...(data === undefined ? [] : ['--data', data]),
  ...(json ? ['--json'] : []),
]

/** Runs research/evaluate.ts with these arguments and ends with its exit code. */
async function evaluate(words: readonly string[]): Promise<void> {
  if (!existsSync(PROGRAM)) throw new Error(`catalog eval needs ${PROGRAM}; run it in a checkout of the repository`)
  const child = spawn(process.execPath, [...process.execArgv, PROGRAM, ...words], { stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  process.exitCode = code ?? 1
}
