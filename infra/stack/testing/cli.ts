import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printOutcome } from '@catalog/cli/shared/list.ts'
import type { Terminal } from '@catalog/cli/shared/terminal.ts'
import { openCatalog } from '@catalog/cli/shared/wire.ts'
import type { CatalogEvent } from '@catalog/core/events/events.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import type { Outcome } from '@catalog/operations/outcome.ts'
import { type Environment, readEnvironment } from '@catalog/runtime/env.ts'
import { type Command, CommanderError } from 'commander'
import { appendTo } from './events.ts'
import { testDatabase, testDataDir } from './store.ts'

/** A terminal that records answers, notes and the proposed next command, with the text of the last answer. */
export function listening({ json = true }: { json?: boolean } = {}) {
  const heard = { answers: [] as unknown[], text: '', notes: [] as string[], next: '' }
  const terminal: Terminal = {
    json,
    answer: (value, text) => {
      heard.answers.push(value)
      heard.text = text()
    },
    note: (line) => heard.notes.push(line),
    next: (command) => {
      heard.next = command
    },
    progress: () => ({ to: () => {}, done: () => {} }),
  }
  return { heard, terminal }
}

/** Prints the outcome of an operation; a command has printed its own. */
export function printDone(terminal: Terminal, done: unknown): void {
  if (typeof done === 'object' && done !== null && 'said' in done) printOutcome(terminal, done as Outcome)
}

/** Runs a command or an operation; returns its answer beside all that its terminal heard. */
export async function heardOf<Value>(work: (terminal: Terminal) => Promise<unknown>, options?: { json?: boolean }) {
  const { heard, terminal } = listening(options)
  printDone(terminal, await work(terminal))
  return { ...heard, value: heard.answers[0] as Value }
}

export type TestCatalog = AsyncDisposable & Readonly<{ catalog: Catalog; env: Environment; folder: string }>

/** A catalog with a store as {@link openTestStore} chooses it, and a folder of its own. Both go with it. */
export async function openTestCatalog(): Promise<TestCatalog> {
  const database = await testDatabase()
  const folder = database === null ? await testDataDir() : mkdtempSync(join(tmpdir(), 'catalog-test-'))
  const store = database === null ? {} : { DATABASE_URL: database.url }
  const env = readEnvironment({ CATALOG_DATA: folder, LOG_LEVEL: 'silent', ...store })
  const catalog = await openCatalog(env)
  return {
    catalog,
    env,
    folder,
    async [Symbol.asyncDispose]() {
      await catalog[Symbol.asyncDispose]()
      await database?.[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Appends events to the log of a catalog and projects them. */
export async function tell({ log, catchUp }: Catalog, events: readonly CatalogEvent[]): Promise<void> {
  await appendTo(log, events)
  await catchUp()
}

/**
 * Asks a program of this name and every command that its help lists for help. Returns the names of those whose help
 * begins with their usage and ends with exit code 0, and of the others, which the test should find empty.
 */
export async function explainedCommands(
  name: string,
  openProgram: (words: readonly string[]) => Command | Promise<Command>,
): Promise<{ explained: string[]; helpless: string[] }> {
  const found = { explained: [] as string[], helpless: [] as string[] }
  const walk = async (path: readonly string[]): Promise<void> => {
    const words = [...path, '--help']
    const { code, text } = await printed(await openProgram(words), words)
    const full = [name, ...path].join(' ')
    const isExplained = code === 0 && text.startsWith(`Usage: ${full}`)
    found[isExplained ? 'explained' : 'helpless'].push(full)
    // Examples may follow the list.
    const listed = text.split(/^Commands:$/m)[1]?.split('\n\n')[0] ?? ''
    const names = [...listed.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, word]) => word as string)
    for (const word of names) if (word !== 'help') await walk([...path, word])
  }
  await walk([])
  return found
}

/** The exit code and text of a command line that only prints; code null when it acts, which it has then done. */
async function printed(program: Command, words: readonly string[]): Promise<{ code: number | null; text: string }> {
  let text = ''
  const writeOut = (written: string) => {
    text += written
  }
  const all = [program]
  // Commands copied the settings of their program when they were added.
  for (const command of all) {
    command.exitOverride().configureOutput({ writeOut })
    all.push(...command.commands)
  }
  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return { code: error.exitCode, text }
    throw error
  }
  return { code: null, text }
}
