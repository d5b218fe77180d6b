/** The parts of the guide on the tree of categories, and on price indices. */
export const CATEGORIES = `## Categories

One tree holds every item whose category the vendors' paths, the names or the kind tell. \`/categories\` lists the roots, and
\`?parent=ID\` what lies below, with \`names\` in six languages; \`category_id\` of \`/items\` selects a category with all below
it. The vendors' own trees differ: \`/items/ID/basis\` shows where each vendor files the item, what told its category (\`by\`:
\`vendor_path\`, \`name\` or \`kind\`), and \`confidence_percent\`. An item that nothing tells with enough confidence has none.
\`/categories/tree\` gives the whole tree in one answer, nested, with the number of items in each category.
\`/categories/changes\` says how the medians of each moved within 7, 30, 90 or 365 days: the geometric mean of the
changes of its items, and how many rose and fell.

## Price indices

\`/indices\` lists official price indices of statistics offices, and \`/indices/ID\` gives the points of one: exact decimals by month,
quarter or year, each the value that its publisher stated last, with the number of its revisions. They say how construction prices
moved. **An index is no price**: no item, median, search, feed or export has anything of one.
`
