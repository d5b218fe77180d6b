import type { Draft, Report } from './draft.ts'
import type { Family } from './price-book.ts'

/** Recipe lines that refer to parametric families, or to concepts that the file does not define. */

/** Characters of a family's code before the `$` at its seventh place. */
const FAMILY_PREFIX_CHARS = 6

type Counted = { code: string; line: number; references: number }

/**
 * Counts the recipe lines that refer to each parametric family. Reports the families, and each concept without a ~C
 * once; the lines that refer to it stay.
 */
export function countReferences(
  described: readonly Draft[],
  { families, report }: { families: ReadonlyMap<string, { line: number }>; report: Report },
): readonly Family[] {
  const counted = new Map<string, Counted>()
  for (const { code, line, firstLine } of described) {
    if (isFamily(code)) counted.set(familyOf(code), { code, line: line ?? firstLine ?? 1, references: 0 })
  }
  for (const [code, { line }] of families) counted.set(familyOf(code), { code, line, references: 0 })
  const undefinedConcepts = new Map<Draft, { by: Draft; lines: number }>()
  for (const by of described) {
    for (const component of by.components) {
      const concept = component.concept as Draft
      const family = counted.size === 0 ? undefined : counted.get(familyOf(concept.code))
      if (family !== undefined && (concept.line === null || isFamily(concept.code))) family.references++
      else if (concept.line === null) {
        const count = undefinedConcepts.get(concept)
        if (count === undefined) undefinedConcepts.set(concept, { by, lines: 1 })
        else count.lines++
      }
    }
  }
  reportUndefined(described, undefinedConcepts, report)
  for (const family of counted.values()) reportFamily(family, report)
  return [...counted.values()]
}

function reportUndefined(
  described: readonly Draft[],
  undefinedConcepts: ReadonlyMap<Draft, { by: Draft; lines: number }>,
  report: Report,
): void {
  for (const [{ code }, { by, lines }] of undefinedConcepts) {
    const where = lines === 1 ? `the recipe of ${by.code} has` : `${lines} recipe lines have, the first in ${by.code},`
    report(by.firstLine ?? by.line ?? 1, 'MISSING_CONCEPT', `${where} ${code}, which has no ~C`)
  }
  for (const draft of described) {
    if (draft.line === null && !undefinedConcepts.has(draft) && !isFamily(draft.code)) {
      report(draft.firstLine ?? 1, 'MISSING_CONCEPT', `${draft.code} has a text or a recipe, and no ~C`)
    }
  }
}

function reportFamily({ code, line, references }: Counted, report: Report): void {
  const lines = `${references} recipe ${references === 1 ? 'line' : 'lines'}`
  const subject = code === '' ? 'the record that all parametric families share' : `parametric family ${code}`
  report(line, 'PARAMETRIC_NOT_SUPPORTED', `${subject}: not supported, kept as written; ${lines} refer to it`)
}

/** A family's code has a `$` at its seventh place; its variants share the characters before. */
function isFamily(code: string): boolean {
  return code[FAMILY_PREFIX_CHARS] === '$'
}

function familyOf(code: string): string {
  return code.length > FAMILY_PREFIX_CHARS ? code.slice(0, FAMILY_PREFIX_CHARS) : code
}
