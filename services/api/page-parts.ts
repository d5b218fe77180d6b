import { type Bills, openBills } from '@catalog/api/bills/bills.ts'
import type { Callers } from '@catalog/api/callers/caller.ts'
import type { ReadCatalog } from '@catalog/api/http/catalog-version.ts'
import { type ChangedItem, readItemsByPrefix } from '@catalog/replica/read/items.ts'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type InProcessRead, inProcessRead } from './in-process-read.ts'
import type { RoutesContext } from './routes.ts'

/** What pages of the catalog are made with. */
export type PageParts = Readonly<{
  /** The public origin, without a trailing slash. */
  origin: string
  callers: Callers
  read: InProcessRead
  /** Bills that readers upload. */
  bills: Bills
  /** Active items whose ids begin with a text, for lists of addresses. */
  itemsByPrefix: (asked: { prefix: string; max: number }) => readonly ChangedItem[]
  /** The API's error of a failure, which is logged where it is ours. */
  failureOf: RoutesContext['failureOf']
  now: () => Date
}>

export type Explorer = Readonly<{
  /** An error as a page, for a browser at a path that nothing serves. */
  failure: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => FastifyReply
  /** Answers GET / of a browser, and every error of it. */
  home: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
  /** Adds the other pages. */
  mount: (app: FastifyInstance) => void
}>

/** The pages on this server; undefined: it has none. */
export function openExplorer(
  { explorer }: { explorer?: ((parts: PageParts) => Explorer) | undefined },
  app: FastifyInstance,
  {
    origin,
    callers,
    failureOf,
    read,
    ...given
  }: Omit<PageParts, 'read' | 'bills' | 'itemsByPrefix'> & Parameters<typeof openBills>[0] & { read: ReadCatalog },
): Explorer | undefined {
  if (explorer === undefined) return undefined
  const bills = openBills({ ...given, read })
  app.addHook('onClose', async () => bills[Symbol.dispose]())
  return explorer({
    origin,
    callers,
    read: inProcessRead(app),
    bills,
    itemsByPrefix: (asked) => read((tables) => readItemsByPrefix(tables, asked)),
    failureOf,
    now: given.now,
  })
}
