import type { Catalog } from '@catalog/operations/catalog.ts'
import type { Outcome, Paging } from '@catalog/operations/outcome.ts'
import { type Context, withCatalog } from './context.ts'
import type { Terminal } from './terminal.ts'
import { rowLimit } from './whole-number.ts'

/** How a command shows one page of a list. */
export type List<Page, Options extends Paging = Paging> = Readonly<{
  /** The command, which shows the next page with --after. */
  command: string
  read: (catalog: Catalog, options: Options) => Promise<Page>
  text: (page: Page) => string
  /** The likely next command; undefined for none. */
  next: (page: Page) => string | undefined
}>

export async function showList<Page extends { cursor: string | null }, Options extends Paging>(
  { command, read, text, next }: List<Page, Options>,
  { catalog, terminal }: Pick<Context, 'catalog' | 'terminal'>,
  options: Options,
): Promise<void> {
  const page = await read(catalog, options)
  const { cursor } = page
  terminal.answer(page, () =>
    cursor === null ? text(page) : `${text(page)}\n\nmore: ${command} --after ${shellWord(cursor)}`,
  )
  const following = next(page)
  if (following !== undefined) terminal.next(following)
}

const shellWord = (text: string) => (/^[a-z0-9_./-]+$/.test(text) ? text : JSON.stringify(text))

/** A command that shows a list, from `--after` on and with `--limit` rows. */
export const listing = <Page extends { cursor: string | null }, Options extends Paging>(list: List<Page, Options>) =>
  withCatalog((context, options: Omit<Options, 'limit'> & { limit: string }) =>
    showList(list, context, { ...options, limit: rowLimit(options.limit) } as unknown as Options),
  )

/** A command that does an operation and prints what it did; `next` is the likely next command. */
export function doing<Given extends unknown[]>(
  operation: (catalog: Catalog, ...given: Given) => Promise<Outcome>,
  next?: string,
) {
  return withCatalog(async ({ catalog, terminal }, ...given: Given) => {
    printOutcome(terminal, await operation(catalog, ...given))
    if (next !== undefined) terminal.next(next)
  })
}

export function printOutcome(terminal: Terminal, { value, said, remarks = [] }: Outcome): void {
  for (const remark of remarks) terminal.note(remark)
  terminal.answer(value, () => said)
}
