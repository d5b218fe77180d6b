import { zstdDecompressSync } from 'node:zlib'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'

/**
 * A Parquet file as a library of others reads it. Instants come as dates and integers of 64 bits as `bigint`; `types`
 * has each element of the schema below the root in one line.
 */
export async function readTable(path: string) {
  const file = await asyncBufferFromFile(path)
  const { schema, row_groups } = await parquetMetadataAsync(file)
  const compressors = { ZSTD: (input: Uint8Array) => zstdDecompressSync(input) }
  return {
    // The library reads a list that is null as undefined.
    rows: (await parquetReadObjects({ file, compressors })).map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? null])),
    ),
    types: schema.slice(1).map(({ name, type, converted_type, logical_type }) => {
      const isUtc = logical_type?.type === 'TIMESTAMP' && logical_type.isAdjustedToUTC
      return [name, type, converted_type, isUtc && 'UTC'].filter(Boolean).join(' ')
    }),
    groups: row_groups.map(({ num_rows }) => Number(num_rows)),
    codecs: new Set(row_groups.flatMap(({ columns }) => columns.map(({ meta_data }) => meta_data?.codec))),
  }
}
