import { keepHeapSmall } from '@catalog/runtime/heap.ts'
import { leaveSoon } from '@catalog/runtime/process.ts'
import { VERSION } from '@catalog/runtime/version.ts'
import { Command, CommanderError } from 'commander'

type AddCommand = (program: Command) => void

/** Commands in the order of `catalog --help`. Loading the modules of all of them takes longer than most commands run. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  up: async () => {
    keepHeapSmall()
    return (await import('@catalog/cli/commands/serve.ts')).addUp
  },
  crawl: async () => (await import('@catalog/cli/commands/crawl.ts')).addCrawl,
  sources: async () => (await import('@catalog/cli/commands/sources.ts')).addSources,
  presets: async () => (await import('@catalog/cli/commands/sources.ts')).addPresets,
  indices: async () => (await import('@catalog/cli/commands/sources.ts')).addIndices,
  project: async () => (await import('@catalog/cli/commands/serve.ts')).addProject,
  aggregate: async () => (await import('@catalog/cli/commands/serve.ts')).addAggregate,
  snapshot: async () => (await import('@catalog/cli/commands/mirror.ts')).addSnapshot,
  backup: async () => (await import('@catalog/cli/commands/backup.ts')).addBackup,
  restore: async () => (await import('@catalog/cli/commands/backup.ts')).addRestore,
  restored: async () => (await import('@catalog/cli/commands/mirror.ts')).addRestored,
  serve: async () => (await import('@catalog/cli/commands/serve.ts')).addServe,
  status: async () => (await import('@catalog/cli/commands/inspect.ts')).addStatus,
  doctor: async () => (await import('@catalog/cli/commands/inspect.ts')).addDoctor,
  verify: async () => (await import('@catalog/cli/commands/inspect.ts')).addVerify,
  quality: async () => (await import('@catalog/cli/commands/inspect.ts')).addQuality,
  replay: async () => (await import('@catalog/cli/commands/replay.ts')).addReplay,
  explain: async () => (await import('@catalog/cli/commands/inspect.ts')).addExplain,
  diff: async () => (await import('@catalog/cli/commands/compare.ts')).addDiff,
  'what-if': async () => (await import('@catalog/cli/commands/compare.ts')).addWhatIf,
  mirror: async () => (await import('@catalog/cli/commands/mirror.ts')).addMirror,
  log: async () => (await import('@catalog/cli/commands/log.ts')).addLog,
  parked: async () => (await import('@catalog/cli/commands/decisions.ts')).addParked,
  units: async () => (await import('@catalog/cli/commands/decisions.ts')).addUnits,
  trust: async () => (await import('@catalog/cli/commands/decisions.ts')).addTrust,
  tax: async () => (await import('@catalog/cli/commands/decisions.ts')).addTax,
  retract: async () => (await import('@catalog/cli/commands/decisions.ts')).addRetract,
  match: async () => (await import('@catalog/cli/commands/match.ts')).addMatch,
  bc3: async () => (await import('@catalog/cli/commands/bc3.ts')).addBc3,
  rematch: async () => (await import('@catalog/cli/commands/decisions.ts')).addRematch,
  review: async () => (await import('@catalog/cli/commands/decisions.ts')).addReview,
  workspace: async () => (await import('@catalog/cli/commands/access.ts')).addWorkspace,
  operators: async () => (await import('@catalog/cli/commands/access.ts')).addOperators,
  keys: async () => (await import('@catalog/cli/commands/access.ts')).addKeys,
  sql: async () => (await import('@catalog/cli/commands/sql.ts')).addSql,
  oauth: async () => (await import('@catalog/cli/commands/access.ts')).addOauth,
  'feed-keys': async () => (await import('@catalog/cli/commands/access.ts')).addFeedKeys,
}

/** The named command alone; all of them where the words begin with no command, so that help and errors list them. */
function commandsOf(words: readonly string[]): readonly (() => Promise<AddCommand>)[] {
  const [name] = words.filter((word, i) => word !== '--json' && word !== '--data' && words[i - 1] !== '--data')
  const named = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  return named === undefined ? Object.values(COMMANDS) : [named]
}

/** The command line for these words, to be parsed. */
export async function programOf(words: readonly string[]): Promise<Command> {
  const program = new Command('catalog')
    .description('Vendors’ observed construction prices as one public catalog that explains, replays and mirrors')
    .version(VERSION)
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .showHelpAfterError('(catalog --help lists the commands)')
    .option('--json', 'print one JSON value on stdout, everything else on stderr')
    .option('--data <dir>', 'folder of the embedded data (default: CATALOG_DATA or .catalog)')
  for (const load of commandsOf(words)) (await load())(program)
  return program
}

/** Runs a command line, and ends the process after it. One that cannot be read ends with exit code 1 and, with --json, one JSON value on stdout. */
export async function runWords(words: readonly string[]): Promise<void> {
  try {
    await (await programOf(words)).parseAsync(words, { from: 'user' })
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
