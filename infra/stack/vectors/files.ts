import { DIGESTS } from './digests.ts'
import { FEEDS } from './feeds.ts'
import type { Subject } from './model.ts'
import { SIGNING } from './signing.ts'
import { STATE_SUBJECTS } from './states.ts'

export const SUBJECTS: readonly Subject[] = [...DIGESTS, ...FEEDS, ...STATE_SUBJECTS, ...SIGNING]

/** The files of docs/mirror-vectors with their texts. */
export const vectorFiles = (): ReadonlyMap<string, string> =>
  new Map(SUBJECTS.map((subject) => [`${subject.subject}.json`, textOf(subject)]))

/** A vector a line, so that a difference shows which one changed. */
function textOf({ vectors, ...head }: Subject): string {
  const lines = vectors.map((vector) => `    ${JSON.stringify(vector)}`).join(',\n')
  return `${JSON.stringify({ protocol: 'ccm/1', ...head }, null, 2).slice(0, -2)},\n  "vectors": [\n${lines}\n  ]\n}\n`
}
