import type { Actions } from '@catalog/cli/commands/actions.ts'
import { readDataFile } from '@catalog/core/data-file.ts'
import { leaveSoon } from '@catalog/runtime/process.ts'
import { VERSION } from '@catalog/runtime/version.ts'
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander'

/** What commands do, by the `module` of commands.yaml. Loading all of them takes longer than most commands run. */
type Module = () => Promise<{ ACTIONS: Actions }>
const MODULES: Readonly<Record<string, Module>> = {
  access: async () => await import('@catalog/cli/commands/access.ts'),
  backup: async () => await import('@catalog/cli/commands/backup.ts'),
  bc3: async () => await import('@catalog/cli/commands/bc3.ts'),
  compare: async () => await import('@catalog/cli/commands/compare.ts'),
  crawl: async () => await import('@catalog/cli/commands/crawl.ts'),
  decisions: async () => await import('@catalog/cli/commands/decisions.ts'),
  inspect: async () => await import('@catalog/cli/commands/inspect.ts'),
  log: async () => await import('@catalog/cli/commands/log.ts'),
  match: async () => await import('@catalog/cli/commands/match.ts'),
  mirror: async () => await import('@catalog/cli/commands/mirror.ts'),
  replay: async () => await import('@catalog/cli/commands/replay.ts'),
  serve: async () => await import('@catalog/cli/commands/serve.ts'),
  sources: async () => await import('@catalog/cli/commands/sources.ts'),
  sql: async () => await import('@catalog/cli/commands/sql.ts'),
}

/** Of an argument or option: what it means, alone or with more. */
type Word =
  | string
  | null
  | Readonly<{
      about?: string
      choices?: readonly string[]
      default?: string
      is_required?: boolean
      /** The option may stand several times. */
      repeats?: boolean
      /** The largest of the whole numbers from 1. */
      max?: number
    }>
type Described = Readonly<{
  about: string
  alias?: string
  is_default?: boolean
  arguments?: Readonly<Record<string, Word>>
  options?: Readonly<Record<string, Word>>
  help?: string
  commands?: Readonly<Record<string, Described>>
}>

/** The command line, to be parsed. */
export function openProgram(): Command {
  const program = new Command('catalog')
    .description('Vendors’ observed construction prices as one public catalog that explains, replays and mirrors')
    .version(VERSION)
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .showHelpAfterError('(catalog --help lists the commands)')
    .option('--json', 'print one JSON value on stdout, everything else on stderr')
    .option('--data <dir>', 'folder of the embedded data (default: CATALOG_DATA or .catalog)')
  for (const [name, given] of Object.entries(
    readDataFile(import.meta.url, 'commands/commands.yaml') as Record<string, Described & { module: string }>,
  ))
    addCommand(program, [name], given, MODULES[given.module] as Module)
  return program
}

function addCommand(parent: Command, path: readonly string[], given: Described, actions: Module): void {
  const { about, alias, is_default: isDefault = false, arguments: words = {}, options, help, commands } = given
  const command = parent.command(path.at(-1) as string, { isDefault }).description(about)
  if (alias !== undefined) command.alias(alias)
  for (const [name, word] of Object.entries(words)) command.addArgument(argumentOf(name, word))
  for (const [flags, word] of Object.entries(options ?? {})) command.addOption(optionOf(flags, word))
  if (help !== undefined) command.addHelpText('after', `\n${help}`)
  for (const [name, inner] of Object.entries(commands ?? {})) addCommand(command, [...path, name], inner, actions)
  // A command of others does something by itself only with options of its own.
  if (commands === undefined || options !== undefined)
    command.action(async (...words) => await (await actions()).ACTIONS[path.join(' ')]?.(...(words as never[])))
}

const described = (word: Word) => (typeof word === 'string' ? { about: word } : (word ?? {}))

function argumentOf(name: string, word: Word): Argument {
  const { about, choices } = described(word)
  const argument = new Argument(name, about)
  return choices === undefined ? argument : argument.choices(choices)
}

function optionOf(flags: string, word: Word): Option {
  const { about, choices, default: byDefault, is_required: isRequired = false, repeats = false, max } = described(word)
  const option = new Option(flags, about).default(byDefault).makeOptionMandatory(isRequired)
  if (choices !== undefined) option.choices(choices)
  if (repeats) option.argParser((value, before: string[] = []) => [...before, value])
  if (max !== undefined) option.argParser((text) => wholeNumber(text, max))
  return option
}

function wholeNumber(text: string, max: number): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= max) return value
  throw new InvalidArgumentError(`expected a whole number from 1 to ${max}`)
}

/** Runs a command line, and ends the process after it. One that cannot be read ends with exit code 1 and, with --json, one JSON value on stdout. */
export async function runWords(words: readonly string[]): Promise<void> {
  try {
    await openProgram().parseAsync(words, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    process.exitCode = error.exitCode
    if (error.exitCode !== 0 && words.includes('--json'))
      process.stdout.write(`${JSON.stringify(usageFailure(error))}\n`)
  }
  leaveSoon()
}

/** Commander has said it on stderr, with the help; without a command it says the help alone. */
const usageFailure = ({ code, message }: CommanderError) => ({
  error: 'Usage',
  details:
    code === 'commander.help' ? 'expected a command: catalog --help lists them' : message.replace(/^error: /, ''),
})
