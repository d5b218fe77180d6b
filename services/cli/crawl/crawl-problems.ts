import type { CrawlProblem } from '@catalog/core/events/crawls.ts'
import { heldCommands } from '@catalog/operations/status.ts'

/** A problem for people: its sentence, and a line for each record that shows it. */
export const problemLines = ({ code, detail, examples = [] }: CrawlProblem): readonly string[] => [
  `${code}: ${oneLine(detail)}`,
  ...examples.map((example) => `  for example ${oneLine(example)}`),
]

const oneLine = (text: string) => text.replace(/\s+/g, ' ')

/**
 * The next step where crawls are held: how to decide about each, by the ids of their sources or their own. `count`: how many
 * there are, where the list lacks some.
 */
export function heldNext(ids: readonly string[], count: number = ids.length): string {
  const shown = ids.slice(0, HELD_SHOWN_MAX).map((id) => {
    const { accept, drop } = heldCommands(id)
    return `${accept}, or ${drop}`
  })
  const left = count - shown.length
  const all = [...shown, ...(left > 0 ? [`and ${left} more: catalog sources`] : [])].join('; ')
  return count === 1 ? all : `${count} crawls are held: ${all}`
}
const HELD_SHOWN_MAX = 5

/** How a person decides about a held crawl. */
export function heldText({ crawlId, sourceId }: Readonly<{ crawlId: string; sourceId: string }>): string {
  const { accept, drop, look } = heldCommands(sourceId)
  return `${crawlId} waits for ${accept}, or ${drop}; ${look} shows what the source gives now`
}
