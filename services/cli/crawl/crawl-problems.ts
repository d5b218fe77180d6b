import type { CrawlProblem } from '@catalog/core/events/crawls.ts'

/** A problem for people: its sentence, and a line for each record that shows it. */
export const problemLines = ({ code, detail, examples = [] }: CrawlProblem): readonly string[] => [
  `${code}: ${oneLine(detail)}`,
  ...examples.map((example) => `  for example ${oneLine(example)}`),
]

const oneLine = (text: string) => text.replace(/\s+/g, ' ')

/** The commands that decide about the held crawl of a source, and the one that looks at the source again. */
export const heldCommands = (sourceId: string) => ({
  accept: `catalog sources accept ${sourceId}`,
  drop: `catalog sources drop ${sourceId} --reason "..."`,
  look: `catalog sources test ${sourceId}`,
})

/** How a person decides about a held crawl. */
export function heldText({ crawlId, sourceId }: Readonly<{ crawlId: string; sourceId: string }>): string {
  const { accept, drop, look } = heldCommands(sourceId)
  return `${crawlId} waits for ${accept}, or ${drop}; ${look} shows what the source gives now`
}
