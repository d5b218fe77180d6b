/** What a list of items asks for, and its pages. */

/**
 * `median_json` is the median of the requested price region; null without a region, or without a vote there.
 * `names_json` are its names by language and market; null where all are its name, and where the name is not asked for.
 */
export type ItemRow = Readonly<{
  item_id: string
  seq: bigint
  item_json: string
  median_json: string | null
  names_json: string | null
  /** The values that place the item, as JSON, in an order that has several. */
  place?: string
}>

export type ItemFilters = Readonly<{
  region?: string | undefined
  /** Every word must occur in the folded name. */
  q?: string | undefined
  /** The item is in one of these categories; see readCategoriesBelow. */
  categoryIds?: readonly string[] | undefined
  /** Material, labour, machinery, hire or work, as the public state says. */
  kind?: string | undefined
  /** As items show it. */
  unit?: string | undefined
  /** Currency of the displayed median. The price range (inclusive) needs it. */
  currency?: string | undefined
  priceMin?: number | undefined
  priceMax?: number | undefined
  /** A source with a SKU in the item, as last published. */
  sourceId?: string | undefined
  /** Changed at or after this instant. */
  updatedSince?: string | undefined
  /** The CPV code begins so. */
  cpv?: string | undefined
  /** Only these items, at most as many as a narrow filter selects. */
  itemIds?: readonly string[] | undefined
}>

/**
 * By id; by the number of the last change; by folded name; or by shown price within each currency, the currencies in the order
 * of their codes. `-` descends. Items without a price come last in both orders by price, by id. Equal names and prices are
 * ordered by id.
 */
export type ItemOrder = 'id' | 'seq' | '-seq' | 'name' | 'price' | '-price'

export type ItemsQuery = ItemFilters &
  Readonly<{
    /** Publications cannot move an id. */
    order: ItemOrder
    /** Exclusive start position; undefined: from the beginning. */
    after?: string | undefined
    /** At least 1. */
    limit: number
    priceRegion?: string | undefined
    /** Reads the names, as a price region does. */
    isNamed?: boolean
    /** Only items that show no price; in the order by id. */
    isUnpriced?: boolean
  }>

/** `next` is the position after which to continue; null at the end. A page before the end can be short, even empty. */
export type ItemsPage = Readonly<{ rows: readonly ItemRow[]; next: string | null }>
