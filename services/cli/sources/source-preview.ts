import { documentsJson, movesJson, parkedJson, totalsOf } from '@catalog/cli/crawl/preview-json.ts'
import type { SourcePreview } from '@catalog/crawler/crawls/preview-source.ts'
import { resolveMapping } from '@catalog/formats/headings/resolve-mapping.ts'
import { columnsOf } from '@catalog/formats/mapping/columns.ts'
import type { MappingKey } from '@catalog/formats/mapping/mapping-keys.ts'
import type { Moves } from '@catalog/operations/what-if/records.ts'

/** Records of a source in a preview. */
export const RECORDS_SHOWN = 3

/** A preview for machines. */
export function previewJson({ documents, problems, preview }: SourcePreview, moves: Moves | null = null) {
  const { detected = [], observations = [], parked = [], figures } = preview ?? {}
  return {
    documents: documentsJson(documents),
    problems,
    detected,
    observations,
    parked: parked.map(parkedJson),
    totals: { ...totalsOf(preview), parked: figures?.parked ?? {}, is_whole: figures?.isWhole ?? true },
    moves: movesJson(moves),
  }
}

/** The headings of a table without any recognised column; null otherwise. */
export function unknownColumns({ preview }: SourcePreview): readonly string[] | null {
  const broken = preview?.parked.find(({ reason }) => reason === 'NO_COLUMN')
  return broken === undefined || preview?.observations.length !== 0 ? null : broken.raw.split(' | ')
}

/** A mapping file to fill in, with guesses from the headings. */
export function mappingSkeleton(columns: readonly string[]): string {
  const { resolved } = resolveMapping({}, columns)
  const keys = [...new Set<MappingKey>(['vendor_ref', 'name', 'unit', 'price', ...resolved.guessed])]
  const lines = keys.map((key) => {
    const guessed = resolved.columns[key]
    return guessed === undefined ? `  # ${key}: "..."` : `  ${key}: ${JSON.stringify(columnsOf(guessed)[0])}`
  })
  return [`# columns: ${columns.map((column) => JSON.stringify(column)).join(', ')}`, 'columns:', ...lines].join('\n')
}
