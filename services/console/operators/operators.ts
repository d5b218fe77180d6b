import type { FastifyInstance } from 'fastify'
import { crawlsView } from './crawls-view.ts'
import { decisionsView } from './decisions-view.ts'
import type { OperatorContext } from './operator-views.ts'
import { parkedView } from './parked-view.ts'
import { quarantineView } from './quarantine-view.ts'
import { reviewView } from './review-view.ts'
import { runsView } from './runs-view.ts'
import { statusView } from './status-view.ts'
import { trustView } from './trust-view.ts'
import { unitsView } from './units-view.ts'

/**
 * The operators' views below /console. Each shows what a command shows and does what it does, by the same function. For
 * everybody but operators they do not exist.
 */
export function operatorViews(pages: FastifyInstance, context: OperatorContext): void {
  for (const register of [
    statusView,
    reviewView,
    unitsView,
    crawlsView,
    parkedView,
    quarantineView,
    trustView,
    runsView,
    decisionsView,
  ])
    register(pages, context)
}
