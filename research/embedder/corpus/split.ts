import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomOf, shuffled } from '@catalog/sample-files/seeded-random.ts'
import type { Concept } from './concepts.ts'

/**
 * Held-out concepts that no model may learn from: `test` for published figures, `dev` for choices (settings of the
 * training, gates and weights of search).
 */
export type Part = 'test' | 'dev'
export type HeldOut = Readonly<Record<Part, ReadonlySet<string>>>

const FILE = join(import.meta.dirname, 'held-out.txt')

/** The frozen split, as ids of concepts. */
export function readHeldOut(): HeldOut {
  const sets = { test: new Set<string>(), dev: new Set<string>() }
  for (const line of readFileSync(FILE, 'utf8').split('\n')) {
    const [, part, id] = /^(test|dev) (.+)$/.exec(line) ?? []
    if (id !== undefined) sets[part as Part].add(id)
  }
  return sets
}

/** Shares of the groups that are held out. */
const SHARES: Readonly<Record<Part, number>> = { test: 0.12, dev: 0.06 }
const SPLIT_SEED = 1

/** Divisions of the Common Procurement Vocabulary that are about building. */
const CPV_DIVISIONS = ['14', '24', '31', '39', '42', '43', '44', '45', '71']

/** Whether a concept is of the kind that a catalog holds: a resource, or a label of the building divisions. */
export function isEvaluated({ id, source }: Concept): boolean {
  return source === 'cwicr' || (source === 'cpv' && CPV_DIVISIONS.includes(id.slice('cpv:'.length, 'cpv:'.length + 2)))
}

/** Draws the split by whole groups of a source, as lines of its file. */
export function drawHeldOut(concepts: readonly Concept[]): string[] {
  const random = randomOf(SPLIT_SEED)
  return ['cwicr', 'cpv'].flatMap((source) => {
    const own = concepts.filter((concept) => concept.source === source && isEvaluated(concept))
    const groups = shuffled([...new Set(own.map(({ group }) => group))].sort(), random)
    const testEnd = Math.round(groups.length * SHARES.test)
    const devEnd = testEnd + Math.round(groups.length * SHARES.dev)
    const lines = (part: Part, chosen: ReadonlySet<string>) =>
      own.filter(({ group }) => chosen.has(group)).map(({ id }) => `${part} ${id}`)
    return [
      ...lines('test', new Set(groups.slice(0, testEnd))),
      ...lines('dev', new Set(groups.slice(testEnd, devEnd))),
    ].sort()
  })
}
