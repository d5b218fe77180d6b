/**
 * What the bench expects of a peer: its address is the first line that it prints, and it ends when its stdin does, however
 * the bench ended.
 */
export function serving(port) {
  process.stdin.on('end', () => process.exit()).resume()
  console.log(`http://127.0.0.1:${port}`)
}

/** The address that every peer listens on. */
export const HOST = '127.0.0.1'

/** How every peer reaches the tables: as ours does, with as many connections. */
export const POOL = {
  connectionString: process.env.DATABASE_URL,
  options: '-c search_path=catalog_live,catalog -c timezone=UTC -c jit=off',
  max: 8,
}

/**
 * A page, of rows with one more than is shown. Fair: of the item there is its JSON, so to make an object of it is the least
 * that a server of objects does; the framework serialises it. The cursor is the bare id.
 */
export function pageOf(rows, limit) {
  const items = rows.slice(0, limit).map(({ item_json }) => JSON.parse(item_json))
  return {
    items,
    cursor: rows.length > limit ? items.at(-1).id : null,
    meta: { tier: 'anon', rate_limit_per_min: 60 },
  }
}
