/** A row of tab-separated cells, and its place: `r.tsv:2`. */
export type Row = Readonly<{ cells: readonly string[]; place: string }>

/**
 * The rows of a text, without blank lines and, where it may have comments, without lines that begin with `#`. Throws for a
 * row with another number of cells than the columns.
 */
export function rowsOf(
  text: string,
  { file, columns, hasComments = false }: { file: string; columns: readonly string[]; hasComments?: boolean },
): Row[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  return lines.flatMap((line, i) => {
    if (line.trim() === '' || (hasComments && line.startsWith('#'))) return []
    const cells = line.split('\t')
    const place = `${file}:${i + 1}`
    if (cells.length === columns.length) return [{ cells, place }]
    const shown = line.length > SHOWN_MAX ? `${line.slice(0, SHOWN_MAX)} ...` : line
    throw new Error(
      `${place}: '${shown}': ${cells.length} columns; expected ${columns.length} with tabs between: ${columns.join(', ')}`,
    )
  })
}
const SHOWN_MAX = 80
