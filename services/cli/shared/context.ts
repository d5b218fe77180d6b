import { resolve } from 'node:path'
import { originOf } from '@catalog/api/http/context.ts'
import type { Catalog, OperationContext } from '@catalog/operations/catalog.ts'
import { type Environment, readEnvironment } from '@catalog/runtime/env.ts'
import { Interrupted, run, Stopped } from '@catalog/runtime/run.ts'
import { openTracing, span } from '@catalog/runtime/tracing.ts'
import type { Command } from 'commander'
import { failureJson, failureOf, fullName } from './failure.ts'
import { openTerminal, type Terminal } from './terminal.ts'

/** Options of every command. */
export type GlobalOptions = { json?: boolean; data?: string; port?: string }
/** The environment of a command. */
export type Context = OperationContext & Readonly<{ terminal: Terminal }>
/** What most commands need of it. */
export type Stage = Pick<Context, 'catalog' | 'terminal'>

/** The address of the API with its /v1, as readers reach it. */
export const apiAddress = ({ PUBLIC_BASE_URL, PORT }: Environment): string =>
  `${originOf(PUBLIC_BASE_URL ?? `http://127.0.0.1:${PORT}`)}/v1`

const environmentOf = ({ data, port }: GlobalOptions) =>
  withWholePath(
    readEnvironment({
      ...process.env,
      ...(data === undefined ? {} : { CATALOG_DATA: data }),
      ...(port === undefined ? {} : { PORT: port }),
    }),
  )

const withWholePath = (env: Environment): Environment => ({ ...env, CATALOG_DATA: resolve(env.CATALOG_DATA) })

/** Runs a command that needs no environment. */
export const withTerminal =
  <Arguments extends unknown[]>(work: (terminal: Terminal, ...given: Arguments) => Promise<unknown>) =>
  (...given: [...Arguments, Command]) =>
    reporting(given.at(-1) as Command, (_options, terminal) => work(terminal, ...(given.slice(0, -1) as Arguments)))

/** Runs a command with its environment, and reports its errors as {@link reporting} does. */
export function withEnvironment<Arguments extends unknown[]>(
  work: (context: Omit<Context, 'catalog'>, ...given: Arguments) => Promise<unknown>,
) {
  return (...given: [...Arguments, Command]) =>
    reporting(given.at(-1) as Command, (options, terminal) =>
      run((signal) => {
        // Prices of vendors, mail and keys are for this user alone.
        process.umask(0o077)
        return work({ env: environmentOf(options), terminal, signal }, ...(given.slice(0, -1) as Arguments))
      }),
    )
}

/** The same with the catalog open. */
export function withCatalog<Arguments extends unknown[]>(
  work: (context: Context, ...given: Arguments) => Promise<unknown>,
  { projects }: { projects?: true } = {},
) {
  return (...given: [...Arguments, Command]) => {
    const command = given.at(-1) as Command
    return withEnvironment((context) =>
      inCatalog(context, { name: command.name(), ...(projects && { projects }) }, (context) =>
        work(context, ...(given.slice(0, -1) as Arguments)),
      ),
    )(command)
  }
}

/** Runs the work of a command with the catalog open. */
export async function inCatalog(
  context: Omit<Context, 'catalog'>,
  { name, ...options }: { name: string; projects?: true },
  work: (context: Context) => Promise<unknown>,
): Promise<unknown> {
  const { env } = context
  await using _tracing = await openTracing(env, name)
  // Help needs no store, log or index.
  const { openCatalog } = await import('./wire.ts')
  await using catalog = await span('start', {}, () => openCatalog(env, options))
  return await work({ ...context, catalog })
}

/** What a preview needs; without a catalog it shows no prices. */
export type PreviewContext = Omit<Context, 'catalog'> & Readonly<{ catalog: Catalog | null }>

/** Runs a preview with the catalog open where there is one. A catalog that does not open leaves its prices out. */
export const withPresentCatalog = (work: (context: PreviewContext) => Promise<unknown>) =>
  withEnvironment(async (context) => {
    const { openPresentCatalog } = await import('./wire.ts')
    await using catalog = await openPresentCatalog(context.env).catch((error: Error) => {
      context.terminal.note(`the catalog does not open, so what would move is not shown: ${error.message}`)
      return null
    })
    return await work({ ...context, catalog })
  })

/** Runs a command; an error becomes one line, or one JSON value, and exit code 1. */
export async function reporting(
  command: Command,
  work: (options: GlobalOptions, terminal: Terminal) => Promise<unknown>,
): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions>()
  const terminal = openTerminal({ json: options.json ?? false })
  try {
    if ((await work(options, terminal)) === false) process.exitCode = 1
  } catch (error) {
    if (error instanceof Stopped) return
    const failure = failureOf(error)
    if (terminal.json) terminal.answer(failureJson(failure), () => '')
    else terminal.note(`${fullName(command)}: ${failure.details}`)
    if (!terminal.json) for (const cause of failure.causes) terminal.note(`  because ${cause}`)
    process.exitCode = error instanceof Interrupted ? error.exitCode : 1
  }
}
