import { type ParseArgsConfig, parseArgs } from 'node:util'

type OptionsConfig = NonNullable<ParseArgsConfig['options']>

/**
 * Reads the words and options of one of this repository's commands. `--help` prints the help and ends with 0; an unknown
 * option prints its reason and the help, and ends with 2.
 */
export function readOptions<const T extends OptionsConfig>(help: string, options: T) {
  const config = { allowPositionals: true, options: { ...options, help: { type: 'boolean' } } } as const
  try {
    const read = parseArgs<typeof config>(config)
    if ((read.values as { help?: boolean }).help !== true) return read
    process.stdout.write(`${help.trim()}\n`)
    process.exit(0)
  } catch (error) {
    // Node adds a hint about words that begin with a dash.
    refuseUsage((error as Error).message.split('. To specify')[0] as string, help)
  }
}

/** Ends the command with 2, the reason and the help. */
export function refuseUsage(reason: string, help: string): never {
  process.stderr.write(`${reason}\n\n${help.trim()}\n`)
  process.exit(2)
}
