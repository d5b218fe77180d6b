import { addKeys, addOauth, addWorkspace } from '@catalog/cli/commands/access.ts'
import { addBc3 } from '@catalog/cli/commands/bc3.ts'
import { addCrawl } from '@catalog/cli/commands/crawl.ts'
import { addParked, addRetract, addReview, addTrust } from '@catalog/cli/commands/decisions.ts'
import { addEval } from '@catalog/cli/commands/eval.ts'
import { addExplain, addStatus, addVerify } from '@catalog/cli/commands/inspect.ts'
import { addLog } from '@catalog/cli/commands/log.ts'
import { addMatch } from '@catalog/cli/commands/match.ts'
import { addMirror, addRestored, addSnapshot } from '@catalog/cli/commands/mirror.ts'
import { addReplay } from '@catalog/cli/commands/replay.ts'
import { addAggregate, addProject, addServe, addUp } from '@catalog/cli/commands/serve.ts'
import { addSources } from '@catalog/cli/commands/sources.ts'
import { addSql } from '@catalog/cli/commands/sql.ts'
import { addWhatIf } from '@catalog/cli/commands/what-if.ts'
import { Command } from 'commander'

const program = new Command('catalog')
  .description('Vendors’ observed construction prices as one public catalog that explains, replays and mirrors')
  .configureHelp({ showGlobalOptions: true })
  .showHelpAfterError('(catalog --help lists the commands)')
  .option('--json', 'print one JSON value on stdout, everything else on stderr')
  .option('--data <dir>', 'folder of the embedded data (default: CATALOG_DATA or .catalog)')

/** The order of `catalog --help`. */
const COMMANDS: readonly ((program: Command) => void)[] = [
  addUp,
  addCrawl,
  addSources,
  addProject,
  addAggregate,
  addSnapshot,
  addRestored,
  addServe,
  addStatus,
  addVerify,
  addReplay,
  addExplain,
  addWhatIf,
  addMirror,
  addLog,
  addParked,
  addTrust,
  addRetract,
  addMatch,
  addBc3,
  addReview,
  addWorkspace,
  addKeys,
  addSql,
  addOauth,
  addEval,
]
for (const add of COMMANDS) add(program)
await program.parseAsync()
