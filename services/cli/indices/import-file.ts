import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { licenceLines } from '@catalog/cli/presets/preset-text.ts'
import type { Stage } from '@catalog/cli/shared/context.ts'
import { parseInstant } from '@catalog/cli/shared/instants.ts'
import { table } from '@catalog/cli/shared/terminal.ts'
import { importIndex, type StandingIndex } from '@catalog/crawler/indices/import-index.ts'
import { type IndexPreset, parseIndexPreset, readIndexPreset } from '@catalog/crawler/indices/index-preset.ts'
import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { INDEX_BYTES_MAX } from '@catalog/formats/indices/index-rows.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { readIndexPoints, readIndices } from '@catalog/store/indices/index-points.ts'
import { readLicence } from '@catalog/store/vendor/sources.ts'

export type ImportIndexFlags = Readonly<{ preset?: string; mapping?: string; observedAt?: string; dryRun?: boolean }>

/** `catalog indices import`: records the points of a file of an office. Importing it again records nothing. */
export async function importIndexFile(
  { catalog, terminal }: Stage,
  path: string,
  flags: ImportIndexFlags,
): Promise<void> {
  const preset = await presetOf(flags)
  const observedAt = flags.observedAt === undefined ? undefined : parseInstant(flags.observedAt, '--observed-at')
  const source = bytesSource(basename(path), await wholeFile(path, INDEX_BYTES_MAX))
  terminal.note(`${[`${preset.title}, ${preset.publisher}`, ...licenceLines(preset.licence)].join('\n')}\n`)
  const { store, log, newCrawlId } = catalog
  // A killed import may have left points in the log that the tables lack.
  await catalog.catchUp()
  const dryRun = flags.dryRun ?? false
  const imported = await importIndex(
    source,
    { preset, observedAt, dryRun },
    {
      log,
      newCrawlId,
      now: () => catalog.now(),
      licenceOf: (sourceId) => readLicence(store, sourceId),
      standing: (indexId) => standingIndex(catalog, indexId),
    },
  )
  if (!dryRun) await catalog.catchUp()
  const { series, read, other_series, other_frequency, without_value, crawl_id } = imported
  terminal.answer({ dry_run: dryRun, ...imported }, () =>
    [
      table(series.map(({ index_id, series, title, ...counts }) => ({ index: index_id, series, title, ...counts }))),
      '',
      `${read} cells: ${other_series} of other series, ${other_frequency} of other frequencies, ${without_value} without a value`,
      dryRun
        ? 'nothing was recorded: it was a dry run'
        : `recorded as ${crawl_id}: catalog retract --crawl takes it back`,
    ].join('\n'),
  )
  terminal.next(dryRun ? 'the same command without --dry-run' : 'catalog indices list')
}

async function presetOf({ preset, mapping }: ImportIndexFlags): Promise<IndexPreset> {
  if ((preset === undefined) === (mapping === undefined))
    throw new Error('expected either --preset ID or --mapping FILE')
  if (preset !== undefined) return readIndexPreset(preset)
  return parseIndexPreset((await wholeFile(mapping as string, MAPPING_BYTES_MAX)).toString('utf8'), mapping as string)
}
const MAPPING_BYTES_MAX = 256 * 1024

async function wholeFile(path: string, bytesMax: number): Promise<Buffer> {
  const found = await stat(path).catch((cause: Error) => {
    throw new Error(`'${path}': expected a file that can be read`, { cause })
  })
  if (!found.isFile() || found.size > bytesMax)
    throw new Error(`'${path}': expected a file of at most ${bytesMax} bytes, found ${found.size}`)
  return readFile(path)
}

async function standingIndex({ store }: Pick<Catalog, 'store'>, indexId: string): Promise<StandingIndex | null> {
  const [row] = await readIndices(store, { indexId })
  if (row === undefined) return null
  const { source_id, publisher, url, series, title, region, base, frequency } = row
  const points = await readIndexPoints(store, indexId)
  return {
    description: { source_id, publisher, url, series, title, region, base, frequency },
    values: new Map(points.map(({ period, value }) => [period, value])),
  }
}
