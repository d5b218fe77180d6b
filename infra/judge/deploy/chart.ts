import { join } from 'node:path'

/** The Helm chart, and files of values that its judges lay over its own. */
export const CHART = join(import.meta.dirname, '../../helm/construction-cost-catalog')
export const CHART_VALUES = { least: 'ci/least.yaml', all: 'ci/all.yaml', wrong: 'ci/wrong.yaml' } as const
