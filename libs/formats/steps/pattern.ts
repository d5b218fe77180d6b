import { RE2JS } from 're2js'
import { z } from 'zod'

/** Patterns of a mapping, in the syntax of RE2: they match in time linear in the text, whatever it holds. */

const PATTERN_CHARS_MAX = 500
const TEMPLATE_CHARS_MAX = 200

/** A regular expression as the mapping writes it. Mappings travel to other processes, so it stays a text. */
export const Pattern = z
  .string()
  .min(1)
  .max(PATTERN_CHARS_MAX)
  .superRefine((text, context) => {
    try {
      compiled(text)
    } catch (error) {
      const problem = (error as Error).message.replace(/^error parsing regexp: /, '')
      context.addIssue({ code: 'custom', message: `expected a regular expression of RE2: ${problem}` })
    }
  })

/** A text that takes the place of a match: $1 is its first group. */
export const Template = z.string().max(TEMPLATE_CHARS_MAX)

/** A compiled pattern. */
export type Matcher = Readonly<{
  matches: (text: string) => boolean
  /** The text with every match replaced. */
  replaced: (text: string, template: string) => string
  /** The first match by a template; null without one. */
  expanded: (text: string, template: string) => string | null
  groups: number
}>

export function compiled(pattern: string): Matcher {
  const program = RE2JS.compile(pattern)
  return {
    matches: (text) => program.matcher(text).find(),
    replaced: (text, template) => program.matcher(text).replaceAll(template),
    expanded(text, template) {
      const match = program.matcher(text)
      if (!match.find()) return null
      return template.replace(GROUP, (_all, group: string) => match.group(Number(group)) ?? '')
    },
    groups: program.groupCount(),
  }
}
const GROUP = /\$(\d)/g

/** Why a template does not fit a pattern; null when it does. */
export function templateProblem(template: string, pattern: string): string | null {
  let groups: number
  try {
    groups = compiled(pattern).groups
  } catch {
    // The pattern itself is reported.
    return null
  }
  if (/\$(?!\d)/.test(template)) return 'expected $ only before the number of a group'
  const beyond = [...template.matchAll(GROUP)].find(([, group]) => Number(group) > groups)
  return beyond === undefined ? null : `expected a group of the pattern, which has ${groups}, instead of ${beyond[0]}`
}
