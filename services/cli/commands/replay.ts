import { replayCatalog } from '@catalog/cli/replay/replay.ts'
import { withCatalog } from '@catalog/cli/shared/context.ts'
import type { Actions } from './actions.ts'

export const ACTIONS: Actions = { replay: withCatalog(replayCatalog) }
