import { cpus, totalmem } from 'node:os'
import { asTable, type Row } from './report.ts'

/** docs/benchmarks.md: a section for each bench, with its date and machine, so that one bench may be measured again. */

const HEAD = `# Benchmarks

Our stages beside peers and limits, medians of interleaved runs within one process tree; \`npm run bench -- NAME --write\` measures one
again, and \`all --write\` all of them. Machines are shared: compare ratios, which are times (ours by beside), not the figures themselves.
`

/** The page with the section of this bench replaced, or added at its place among the benches. */
export function withSection(
  page: string,
  { name, section, order }: { name: string; section: string; order: readonly string[] },
): string {
  const known = new Map(
    page
      .split(/^(?=## )/m)
      .slice(1)
      .map((text) => [/^## (\S+)/.exec(text)?.[1] as string, text.trimEnd()] as const),
  )
  known.set(name, section.trimEnd())
  return `${[HEAD.trimEnd(), ...order.flatMap((bench) => known.get(bench) ?? [])].join('\n\n')}\n`
}

/** The section of one bench; `day` is the date in UTC. */
export function sectionOf(name: string, rows: readonly Row[], { title, day }: { title: string; day: string }): string {
  const model = cpus()[0]?.model.trim() || 'unknown processor'
  const machine = `${cpus().length} cores (${model}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`
  return `## ${name}\n\n${title}. ${day}, ${machine}.\n\n\`\`\`\n${asTable(rows)}\n\`\`\`\n`
}
