/**
 * The protocol between bench and peer: a peer prints its address as the first line, and exits at the end of its stdin, however
 * the bench ended.
 */
export function serving(port) {
  process.stdin.on('end', () => process.exit()).resume()
  console.log(`http://127.0.0.1:${port}`)
}

/** The address that every peer listens on. */
export const HOST = '127.0.0.1'

/** Every peer reads the same tables as our server, with as many connections. */
export const POOL = {
  connectionString: process.env.DATABASE_URL,
  options: '-c search_path=catalog_live,catalog -c timezone=UTC -c jit=off',
  max: 8,
}

/**
 * A page of rows; one row more than shown announces a next page. Parsing the item's JSON is the least work of a server of
 * objects, whose framework serialises them. The cursor is the bare id.
 */
export function pageOf(rows, limit) {
  const items = rows.slice(0, limit).map(({ item_json }) => JSON.parse(item_json))
  return {
    items,
    cursor: rows.length > limit ? items.at(-1).id : null,
    meta: { tier: 'anon', rate_limit_per_min: 60 },
  }
}
