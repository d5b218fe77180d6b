import { diffRuns } from '@catalog/cli/diff/diff.ts'
import { withCatalog } from '@catalog/cli/shared/context.ts'
import { answerWhatIf } from '@catalog/cli/what-if/what-if.ts'
import type { Actions } from './actions.ts'

export const ACTIONS: Actions = { diff: withCatalog(diffRuns), 'what-if': withCatalog(answerWhatIf) }
