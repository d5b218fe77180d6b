import { priceWork } from '@catalog/cli/bc3/price.ts'
import { readBc3Files } from '@catalog/cli/bc3/read.ts'
import { writePriceBook } from '@catalog/cli/bc3/write.ts'
import { withCatalog, withTerminal } from '@catalog/cli/shared/context.ts'
import type { Actions } from './actions.ts'

export const ACTIONS: Actions = {
  'bc3 read': withTerminal((terminal, paths: string[]) => readBc3Files(terminal, paths)),
  'bc3 price': withCatalog(priceWork),
  'bc3 write': withCatalog(writePriceBook),
}
