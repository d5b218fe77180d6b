import { matchFile } from '@catalog/cli/match/match.ts'
import { withCatalog } from '@catalog/cli/shared/context.ts'
import type { Actions } from './actions.ts'

export const ACTIONS: Actions = { match: withCatalog(matchFile) }
