import { join } from 'node:path'
import { fileDigest, syncPath } from './durable-files.ts'
import type { TableFile } from './manifest.ts'

/**
 * Parquet tables for analysts with the API's names: `median_price.cents` becomes `median_price_cents`, an instant a
 * TIMESTAMP WITH TIME ZONE, cents a BIGINT. They are built from the shards' lines, so they cannot differ from them.
 */

/** DuckDB's memory before it spills to the folder beside the files. */
const MEMORY_LIMIT = '256MB'
const THREADS = '2'

const MONEY = 'STRUCT(cents BIGINT, currency VARCHAR, recorded_at VARCHAR)'
const STATE = {
  item: `STRUCT(id VARCHAR, name VARCHAR, unit VARCHAR, cpv VARCHAR, category_id VARCHAR, vendor_count INTEGER,
    observation_count INTEGER, median_price ${MONEY}, updated_at VARCHAR)`,
  markets: `STRUCT(region VARCHAR, vendor_count INTEGER, median_price ${MONEY})[]`,
  regions: 'VARCHAR[]',
  kind: 'VARCHAR',
  names: 'STRUCT(lang VARCHAR, name VARCHAR, regions VARCHAR[], minor_regions VARCHAR[])[]',
}
/** A line of the price point file. */
const POINT = { item_id: 'VARCHAR', market: 'VARCHAR', recorded_at: 'VARCHAR', cents: 'BIGINT', currency: 'VARCHAR' }

const money = (of: string) => `${of}.median_price.cents as median_price_cents,
  ${of}.median_price.currency as median_price_currency,
  ${of}.median_price.recorded_at::timestamptz as median_price_recorded_at`

/** A line of the observation file: a row of the store. */
const OBSERVATION = {
  observation_id: 'VARCHAR',
  vendor_sku_id: 'VARCHAR',
  item_id: 'VARCHAR',
  source_id: 'VARCHAR',
  vendor_ref: 'VARCHAR',
  name: 'VARCHAR',
  category_path: 'VARCHAR[]',
  gtin: 'VARCHAR',
  lang: 'VARCHAR',
  unit: 'VARCHAR',
  pack_quantity: 'VARCHAR',
  pack_unit: 'VARCHAR',
  price_cents: 'BIGINT',
  currency: 'VARCHAR',
  per_quantity: 'BIGINT',
  min_quantity: 'VARCHAR',
  tax_included: 'BOOLEAN',
  tax_rate: 'VARCHAR',
  price_kind: 'VARCHAR',
  observed_at: 'VARCHAR',
  recorded_at: 'VARCHAR',
  crawl_id: 'VARCHAR',
}
/** A line of the basis file. Methods before twm/3 leave out tax and flags. */
const BASIS = {
  item_id: 'VARCHAR',
  run_id: 'VARCHAR',
  as_of: 'VARCHAR',
  votes: `STRUCT(vendor_sku_id VARCHAR, source_id VARCHAR, observation_id VARCHAR, price VARCHAR, currency VARCHAR,
    trust INTEGER, observed_at VARCHAR, markets VARCHAR[], flags VARCHAR[],
    tax STRUCT(state VARCHAR, rate VARCHAR, "by" VARCHAR))[]`,
  excluded: 'STRUCT(id VARCHAR, reason VARCHAR)[]',
}

type Lines = Readonly<{ states: string; points: string; observations: string; bases: string }>

const TABLES: readonly { file: string; query: (sources: Lines) => string }[] = [
  {
    file: 'items.parquet',
    query: ({ states }) => `select item.id, item.name, item.unit, item.cpv, item.category_id, item.vendor_count,
      item.observation_count, ${money('item')}, item.updated_at::timestamptz as updated_at, regions, kind
      from ${states} order by item.id`,
  },
  {
    file: 'markets.parquet',
    query: ({ states }) => `select item_id, market.region, ${money('market')}, market.vendor_count
      from (select item.id as item_id, unnest(markets) as market from ${states}) order by item_id, market.region`,
  },
  {
    file: 'names.parquet',
    query: ({ states }) => `select item_id, place, called.lang, called.name, called.regions,
        coalesce(called.minor_regions, []) as minor_regions
      from (select item.id as item_id, unnest(names) as called, generate_subscripts(names, 1)::integer as place from ${states})
      order by item_id, place`,
  },
  {
    file: 'price_history.parquet',
    // The headline has no region, as in the API.
    query: ({ points }) => `select item_id, nullif(market, '') as price_region, recorded_at::timestamptz as recorded_at,
      cents as price_cents, currency from ${points} order by item_id, market, recorded_at`,
  },
  {
    file: 'observations.parquet',
    query: ({ observations }) => `select * replace (observed_at::timestamptz as observed_at,
      recorded_at::timestamptz as recorded_at) from ${observations}`,
  },
  {
    file: 'votes.parquet',
    // The exact price is a fraction of minor units, so a double stands beside it.
    query: ({ bases }) => `select item_id, vote.vendor_sku_id, vote.source_id, vote.observation_id,
      vote.price as price_exact, split_part(vote.price, '/', 1)::double / coalesce(nullif(split_part(vote.price, '/', 2), ''), '1')::double as price_cents,
      vote.currency, vote.trust, vote.observed_at::timestamptz as observed_at, vote.markets, vote.flags,
      vote.tax.state as tax_state, vote.tax.rate as tax_rate, vote.tax."by" as tax_rate_by, run_id, as_of::timestamptz as as_of
      from (select item_id, run_id, as_of, unnest(votes) as vote from ${bases}) order by item_id, vote.vendor_sku_id`,
  },
  {
    file: 'exclusions.parquet',
    query: ({
      bases,
    }) => `select item_id, excluded.id as excluded_id, excluded.reason, run_id, as_of::timestamptz as as_of
      from (select item_id, run_id, as_of, unnest(excluded) as excluded from ${bases})
      order by item_id, excluded.id, excluded.reason`,
  },
]

/** Names of the files of lines beside the shards' `??.ndjson`. */
export const LINES = { points: 'points.json', observations: 'observations.json', bases: 'bases.json' } as const

/** Writes the files into `folder` from the lines in `text`: `??.ndjson` and those of {@link LINES}. */
export async function writeTables({ folder, text }: { folder: string; text: string }): Promise<readonly TableFile[]> {
  const instance = await open(join(text, 'spilled'))
  try {
    const connection = await instance.connect()
    const sources: Lines = {
      states: linesOf(join(text, '??.ndjson'), STATE),
      points: linesOf(join(text, LINES.points), POINT),
      observations: linesOf(join(text, LINES.observations), OBSERVATION),
      bases: linesOf(join(text, LINES.bases), BASIS),
    }
    const tables: TableFile[] = []
    for (const { file, query } of TABLES) {
      const path = join(folder, file)
      await connection.run(`copy (${query(sources)}) to ${literal(path)} (format parquet, compression zstd)`)
      await syncPath(path)
      const counted = await connection.runAndReadAll(`select count(*)::integer from read_parquet(${literal(path)})`)
      tables.push({ file, rows: Number(counted.getRows()[0]?.[0]), ...(await fileDigest(path)) })
    }
    connection.closeSync()
    return tables
  } finally {
    instance.closeSync()
  }
}

/** A record of `catalog log export`; `raw` replaces an unreadable event. */
const LOG_RECORD = {
  topic: 'VARCHAR',
  partition: 'INTEGER',
  offset: 'BIGINT',
  key: 'VARCHAR',
  recorded_at: 'VARCHAR',
  event: 'JSON',
  raw: 'VARCHAR',
}

/** Writes an exported log as a table with events as JSON text; the footer's metadata holds the manifest. */
export async function writeLogTable({
  lines,
  path,
  manifest,
}: {
  lines: string
  path: string
  manifest: string
}): Promise<void> {
  const instance = await open(`${lines}.spilled`)
  try {
    const connection = await instance.connect()
    await connection.run(
      `copy (select topic, partition, "offset", key, recorded_at::timestamptz as recorded_at, coalesce(event::varchar, raw) as event
         from ${linesOf(lines, LOG_RECORD)} where topic is not null)
       to ${literal(path)} (format parquet, compression zstd, kv_metadata {manifest: ${literal(manifest)}})`,
    )
    await syncPath(path)
    connection.closeSync()
  } finally {
    instance.closeSync()
  }
}

/** An in-memory database that spills into a folder. A process that writes no snapshot does without its library. */
async function open(folder: string) {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  return await DuckDBInstance.create(':memory:', {
    threads: THREADS,
    memory_limit: MEMORY_LIMIT,
    temp_directory: folder,
    // Never download extensions.
    autoinstall_known_extensions: 'false',
  })
}

/** The lines of files as a relation with these columns. */
function linesOf(path: string, columns: Readonly<Record<string, string>>): string {
  const typed = Object.entries(columns).map(([name, type]) => `"${name}": ${literal(type)}`)
  return `read_json(${literal(path)}, format = 'newline_delimited', columns = {${typed}})`
}

const literal = (value: string) => `'${value.replaceAll("'", "''")}'`
