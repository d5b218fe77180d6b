import { posix } from 'node:path'
import { BadArchive } from '@catalog/formats/bytes/zip.ts'
import { Parser } from 'htmlparser2'

/**
 * The path of a workbook's first sheet inside its archive, such as "xl/worksheets/sheet1.xml". Packages name their parts by
 * relationships (ECMA-376 part 2, §9), so the name itself tells nothing. `textOf` reads a part.
 */
export function firstSheetPath(textOf: (path: string) => string): string {
  const workbook = targetOf(relationships(textOf('_rels/.rels')), '', ({ type }) => type.endsWith('/officeDocument'))
  const [sheet] = elements(textOf(workbook), 'sheet')
  const id = Object.entries(sheet ?? {}).find(([name]) => /:id$/i.test(name))?.[1]
  const { dir, base } = posix.parse(workbook)
  return targetOf(relationships(textOf(`${dir}/_rels/${base}.rels`)), dir, (part) => part.id === id)
}

type Relationship = Readonly<{ id: string; type: string; target: string }>

function relationships(xml: string): Relationship[] {
  return elements(xml, 'relationship').map(({ Id = '', Type = '', Target = '' }) => ({
    id: Id,
    type: Type,
    target: Target,
  }))
}

function targetOf(parts: readonly Relationship[], folder: string, isWanted: (part: Relationship) => boolean): string {
  const found = parts.find(isWanted)
  if (found === undefined) throw new BadArchive('no sheet is named by the workbook: expected an XLSX workbook')
  return posix.join('/', found.target.startsWith('/') ? '' : folder, found.target).slice(1)
}

/** The attributes of every element of a name, whatever its prefix, in order. */
function elements(xml: string, name: string): Record<string, string>[] {
  const found: Record<string, string>[] = []
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        if (tag.replace(/^.*:/, '').toLowerCase() === name) found.push(attributes)
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return found
}
