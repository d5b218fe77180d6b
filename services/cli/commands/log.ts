import { exportLog } from '@catalog/cli/log/export.ts'
import { importLog } from '@catalog/cli/log/import.ts'
import { withCatalog } from '@catalog/cli/shared/context.ts'
import type { Actions } from './actions.ts'

export const ACTIONS: Actions = { 'log export': withCatalog(exportLog), 'log import': withCatalog(importLog) }
