import type { SpoolReader } from '@catalog/crawler/discover/spool.ts'
import { withoutKeysOf } from '@catalog/crawler/fetch/document-name.ts'
import type { Input, InputFile, InputOptions } from '@catalog/crawler/ingest/inputs.ts'
import type { SourceSpec } from '@catalog/crawler/sources/sources-file.ts'

/** The documents of a spool as an input of a crawl. */
export function spooledInput(spool: SpoolReader, spec: SourceSpec): Input {
  return { path: spec.name, files: () => filesOf(spool, spec), bytes: spool.bytes, options: optionsOf(spec) }
}

function optionsOf(spec: SourceSpec): InputOptions {
  const { kind, trust, validity, validityDays, currency, lang, mapping } = spec
  return {
    source: spec.name,
    sourceId: spec.id,
    sourceUrl: spec.url ?? undefined,
    region: spec.region ?? undefined,
    kind,
    trust,
    validity,
    validityDays,
    currency,
    lang,
    mapping,
  }
}

async function* filesOf(
  spool: SpoolReader,
  { mapping, entryPoints, selectors }: SourceSpec,
): AsyncGenerator<InputFile> {
  const withoutKeys = withoutKeysOf(entryPoints.map(({ url }) => url))
  for await (const { file, name, url, charset, fetchedAt, format, records, expectsOffer } of spool.read()) {
    yield {
      path: file,
      name,
      options: {
        observedAt: fetchedAt,
        ...(format !== null && { format }),
        ...(records !== null && { mapping: { ...mapping, records } }),
      },
      // Observations record the page's address, which must not give away the keys of the entry points.
      page: { url: withoutKeys(url), charset: charset ?? undefined, expectsOffer, selectors },
    }
  }
}
