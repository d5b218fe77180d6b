import type { SourcePreview } from '@catalog/crawler/crawls/preview-source.ts'
import type { CrawlPreview } from '@catalog/crawler/ingest/preview.ts'
import type { Moves } from '@catalog/operations/what-if/records.ts'

/** A preview of an input for machines. */
export const inputPreviewJson = ({
  parked,
  recordable: _recordable,
  recipes: _recipes,
  isComplete: _isComplete,
  figures: { isWhole, ...figures },
  ...preview
}: CrawlPreview) => ({
  ...preview,
  parked: parked.map(parkedJson),
  figures: { ...figures, is_whole: isWhole },
})

/** What would move, for machines; null without a catalog. */
export const movesJson = (moves: Moves | null) =>
  moves && {
    records: moves.records,
    is_whole: moves.isWhole,
    items: moves.items,
    new_items: moves.newItems,
    largest: moves.largest.map(({ itemId, ...move }) => ({ item_id: itemId, ...move })),
  }

/** The documents of a source for machines. */
export const documentsJson = (documents: SourcePreview['documents']) =>
  documents.map(({ name, contentType, bytes }) => ({ name, content_type: contentType, bytes }))

/** A parked record with the keys of its event. */
export const parkedJson = ({ rawSha256, refused, ...record }: CrawlPreview['parked'][number]) => ({
  ...record,
  ...(rawSha256 !== undefined && { raw_sha256: rawSha256 }),
  ...(refused?.vendorRef !== undefined && { vendor_ref: refused.vendorRef }),
  ...(refused?.observedAt !== undefined && { observed_at: refused.observedAt }),
})

/** Records of a preview, those of them that would be recorded, and those that would not. */
export function totalsOf(preview: CrawlPreview | null) {
  const { records = 0, duplicates = 0, parked: reasons = {} } = preview?.figures ?? {}
  const parked = Object.values(reasons).reduce((sum, count) => sum + count, 0)
  return { records, recorded: records - duplicates - parked, parked }
}
