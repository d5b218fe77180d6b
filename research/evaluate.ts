#!/usr/bin/env node
import { reporting, withCatalog } from '@catalog/cli/shared/context.ts'
import { embedderOf, openBuiltinEmbedder } from '@catalog/embed/builtin/builtin.ts'
import { readModel } from '@catalog/embed/builtin/model.ts'
import { evaluateBillFiles } from '@catalog/research/bills/evaluate-bill-files.ts'
import { evaluateItems, type ItemFlags } from '@catalog/research/items/evaluate-items.ts'
import { evaluateMatch, type MatchFlags } from '@catalog/research/matching/evaluate-match.ts'
import { type EvaluateFlags, evaluateSearching } from '@catalog/research/search/evaluate-search.ts'
import { type BillFlags, evaluateBills } from '@catalog/research/search/questions/evaluate-bills.ts'
import { evaluateQuestions } from '@catalog/research/search/questions/evaluate-questions.ts'
import { trainRefusal } from '@catalog/research/search/questions/learn-refusal.ts'
import { BILL_SETS, QUESTION_SETS, type QuestionSet } from '@catalog/research/search/questions/question-files.ts'
import { evaluateWorks } from '@catalog/research/search/works/evaluate-works.ts'
import { Command, Option } from 'commander'

const partOption = () =>
  new Option('--part <part>', 'test, dev (which settings were chosen by), or all')
    .choices(['test', 'dev', 'all'])
    .default('test')

const inputsOption = () => new Option('--inputs <dir>', 'the real inputs (default: REAL_INPUTS_DIR or ../shared/data)')

/** `npm run evaluate -- search|match|questions|refusal|bills|bill-files|works`. */
export const program = new Command('npm run evaluate --')
  .description('how well search and matching do, on our own labels or on yours')
  .configureHelp({ showGlobalOptions: true })
  .option('--json', 'one JSON value on stdout, everything else on stderr')
  .option('--data <dir>', 'folder of the embedded data (default: CATALOG_DATA or .catalog)')
program
  .command('search')
  .description('how search ranks: on files of yours, or on what the built-in embedder was not trained on')
  .option('--index <file>', 'texts to find, a line each: id<TAB>text')
  .option('--queries <file>', 'what is asked, a line each: query<TAB>relevant_id[,relevant_id ...]')
  .addOption(inputsOption())
  .option('--part <part>', 'of what was held out of them: test, or dev, which settings were chosen by', 'test')
  .option('--model <dir>', 'judge weights that `npm run train` wrote, in place of the shipped ones')
  .option('--pairs', 'every ordered pair of languages too')
  .option('--provider', 'judge the embedder of EMBEDDINGS_URL, on its budget')
  .action((flags: EvaluateFlags & { provider?: boolean }, command: Command) =>
    flags.provider
      ? withCatalog(({ catalog, terminal }) => evaluateSearching(terminal, catalog.embedder, flags))(command)
      : reporting(command, (_shared, terminal) => {
          const embedder = flags.model === undefined ? openBuiltinEmbedder() : embedderOf(readModel(flags.model))
          return evaluateSearching(terminal, embedder, flags)
        }),
  )
program
  .command('match')
  .description('how matching judges pairs: learned from our own labelled records, or from three files of pairs')
  .option('--train <file>', 'pairs to learn from, a line each: COL name VAL text ...<TAB>COL name VAL text ...<TAB>0|1')
  .option('--valid <file>', 'pairs that the threshold is chosen on')
  .option('--test <file>', 'pairs that are judged')
  .addOption(
    new Option('--split <unit>', 'of our own labels: what learning and judging never share').choices([
      'family',
      'product',
    ]),
  )
  .option('--out <file>', 'write the model as JSON')
  .addOption(inputsOption())
  .option('--sample', 'whole items of the sample market and its near twins instead, by the shipped rule')
  .option('--cwicr <dir>', 'whole items of the CWICR catalogue in five languages instead, from the real inputs')
  .action((flags: MatchFlags & ItemFlags, command: Command) =>
    reporting(command, async (_shared, terminal) =>
      flags.sample || flags.cwicr !== undefined ? evaluateItems(terminal, flags) : await evaluateMatch(terminal, flags),
    ),
  )
program
  .command('questions')
  .description('how search answers questions of builders, on a catalog of their stock (--data)')
  .addOption(partOption())
  .addOption(
    new Option('--set <set>', 'which questions, and so which stock').choices(QUESTION_SETS).default('builders'),
  )
  .action((flags: { part: 'test' | 'dev' | 'all'; set: QuestionSet }, command: Command) =>
    withCatalog(({ catalog, terminal }) => evaluateQuestions(terminal, catalog, flags))(command),
  )
program
  .command('refusal <files...>')
  .description(
    'learn which results answer a question, from answers of `questions --part dev --json`, one file a set and catalog',
  )
  .addOption(inputsOption())
  .action((files: string[], flags: { inputs?: string }, command: Command) =>
    reporting(command, (_shared, terminal) => trainRefusal(terminal, files, flags)),
  )
program
  .command('bills')
  .description('how bills of 25 lines match, on a catalog of the sample market (--data)')
  .addOption(partOption())
  .addOption(new Option('--set <set>', 'which bills').choices(BILL_SETS).default('bills'))
  .option('--coded <files...>', 'lines of Brazilian bills instead, on a catalog of the list whose codes they carry')
  .action((flags: BillFlags, command: Command) =>
    withCatalog(({ catalog, terminal }) => evaluateBills(terminal, catalog, flags))(command),
  )
program
  .command('bill-files')
  .description('what is read of the bills of a folder, beside what X.truth.txt states of each')
  .argument('<dir>', 'folder of CSV, XLSX and BC3 files')
  .action((folder: string, _flags: object, command: Command) =>
    reporting(command, (_shared, terminal) => evaluateBillFiles(terminal, folder)),
  )
program
  .command('works')
  .description(
    'what share of real FIEBDC-3 works has a price: on the catalog of --data, their own bank and other banks',
  )
  .addOption(inputsOption())
  .action((flags: { inputs?: string }, command: Command) =>
    withCatalog(({ catalog, terminal }) => evaluateWorks(terminal, catalog, flags))(command),
  )

if (import.meta.main) await program.parseAsync()
