import type { Limits } from '@catalog/api/callers/rate-limits.ts'
import { EXPORT_COLUMNS } from '@catalog/api/contract/contract.ts'
import { CATEGORIES } from './guide-categories.ts'
import { howTo } from './guide-examples.ts'

/** The licence of the prices as the operator states it; null: not stated. */
export type DataLicence = Readonly<{ name: string; url: string | null }>

export type GuideFacts = Readonly<{
  /** Absolute, without a trailing slash. */
  origin: string
  limits: Limits
  dataLicence: DataLicence | null
}>

/** The introduction for developers, as Markdown: the start of /docs; docs/api.md holds the same text. */
export function guide(facts: GuideFacts): string {
  const { origin } = facts
  return [quickStart(facts), howTo(origin), programs(origin), SEARCH, CATEGORIES, files(origin), policies(facts)].join(
    '\n',
  )
}

function quickStart({ origin, limits }: GuideFacts): string {
  return `## Quick start

Every address begins with \`${origin}/v1\`. Reading needs no key, and answers are JSON unless you ask
for another form:

\`\`\`sh
curl '${origin}/v1/search?q=drywall&region=ES&price_region=ES&limit=1'
\`\`\`

The answer, shortened:

\`\`\`json
{
  "query": "drywall",
  "results": [
    {
      "id": "ci_etnkrwxdm3syacuduavuhcyh42",
      "name": "Placa de yeso laminado 13 mm",
      "unit": "m²",
      "vendor_count": 18,
      "median_price": {
        "cents": 471,
        "currency": "EUR",
        "recorded_at": "2026-11-25T00:00:00Z"
      }
    }
  ],
  "mode": "vector"
}
\`\`\`

- \`median_price\` is the trust-weighted median of what vendors published for one \`unit\`: 471 cents of EUR are 4.71 euros.
  It is recomputed nightly, and null while no price is eligible. Nothing is converted between currencies.
- \`region=ES\` finds what is sold in Spain, and \`price_region=ES\` asks for Spain's median. Without it you get the median in
  the currency with the most trust.
- \`price_region\`, and \`region\` of lists, also take a subdivision by ISO 3166-2, such as \`BR-SP\` or \`ES-AN\`, where a source has
  prices for it; \`/items/{id}/basis\` shows them beside the regions. A price of an official list has its \`edition\` in \`vendors\`.
- \`vendor_count\` says how many vendors sell the item. \`/v1/items/{id}\` names them with their prices.

With the id, read the item: as JSON, or as a text for people and language models.

\`\`\`sh
id=$(curl -s '${origin}/v1/search?q=drywall&region=ES&price_region=ES&limit=1' | grep -o 'ci_[a-z2-7]*' | head -1)
curl "${origin}/v1/items/$id"
curl -H 'Accept: text/markdown' "${origin}/v1/items/$id"
\`\`\`

A free key raises the limit from ${limits.anonPerMinute} to ${limits.publicDevPerMinute} requests a minute (see Limits). It is
shown once; send it with every request:

\`\`\`sh
answer=$(curl -sS -X POST '${origin}/v1/keys/signup' -H 'Content-Type: application/json' \\
  -d '{"email":"you@example.org","name":"first steps"}')
key=$(printf '%s' "$answer" | sed -n 's/.*"key":"\\(svc_pub_[0-9A-Za-z]*\\)".*/\\1/p')
[ -n "$key" ] || echo "no key: $answer" >&2
curl -H "Authorization: Bearer \${key:?}" '${origin}/v1/usage'
\`\`\`

An error has a code for programs and a sentence for people. [All codes](${origin}/docs/errors) are explained. Where
waiting helps, \`retry_after_seconds\` says how long:

\`\`\`sh
curl '${origin}/v1/items?limit=0'
\`\`\`

\`\`\`json
{ "error": "invalid_parameter", "details": "limit: expected an integer from 1 to 100, found \\"0\\"" }
\`\`\`
`
}

function programs(origin: string): string {
  return `## Programs

${javascriptExample(origin)}
${pythonExample(origin)}`
}

function javascriptExample(origin: string): string {
  return `Every item of a region in JavaScript (Node 18 or later, or a browser): follow \`cursor\` until it is null, and wait when
you are told to.

\`\`\`js
const base = '${origin}/v1'

async function get(path) {
  for (;;) {
    const response = await fetch(base + path)
    const body = await response.json()
    if (response.ok) return body
    if (body.retry_after_seconds === undefined) throw new Error(\`\${body.error}: \${body.details}\`)
    await new Promise((resolve) => setTimeout(resolve, 1000 * body.retry_after_seconds))
  }
}

let cursor = null
do {
  const page = await get(\`/items?region=ES&price_region=ES&limit=100\${cursor ? \`&cursor=\${cursor}\` : ''}\`)
  for (const { id, name, median_price: price } of page.items) {
    console.log(id, name, price ? \`\${price.cents} minor units of \${price.currency}\` : 'no price')
  }
  cursor = page.cursor
} while (cursor)
\`\`\`
`
}

function pythonExample(origin: string): string {
  return `The same in Python, without a package:

\`\`\`python
import json, time, urllib.error, urllib.request

BASE = '${origin}/v1'

def get(path):
    while True:
        try:
            with urllib.request.urlopen(BASE + path) as response:
                return json.load(response)
        except urllib.error.HTTPError as refused:
            error = json.load(refused)
            if 'retry_after_seconds' not in error:
                raise SystemExit(f"{error['error']}: {error.get('details')}")
            time.sleep(error['retry_after_seconds'])

cursor = None
while True:
    page = get('/items?region=ES&price_region=ES&limit=100' + (f'&cursor={cursor}' if cursor else ''))
    for item in page['items']:
        print(item['id'], item['name'], item['median_price'])
    cursor = page['cursor']
    if cursor is None:
        break
\`\`\`
`
}

const SEARCH = `## Whose price

An item has a median in each market, in that market's money. \`region=ES\` selects the items that are sold in Spain, and
\`price_region=ES\` puts Spain's median into \`median_price\`: ask for both. Without \`price_region\`, \`median_price\` is the
headline: the median in the currency with the most trust, which may be another one from item to item. Pages of items,
items and searches say in the header \`Price-Region\` which they show: \`ES\`, or \`headline\`.

## Lists

\`/items\` gives all items, or those that pass every filter, in pages. Follow \`cursor\` or the header \`Link\`; a cursor holds for
the sort and the filters of its page, and another one is refused (\`invalid_cursor\`).

| parameter | selects |
|---|---|
| \`region\`, \`category_id\`, \`kind\`, \`unit\`, \`source\` | by market, category with all below it, kind, unit in any spelling, and source |
| \`q\` | names that contain every word |
| \`currency\`, \`price_min\`, \`price_max\` | by the price as shown; a range needs its currency |
| \`updated_since\` | changed at this instant or later |
| \`cpv\` | CPV codes that begin so: \`45\`, \`4526\`, \`45262311\`, \`45262311-4\`. Items whose vendors give no code are in none |
| \`gtin\` | items of which a vendor says this GTIN (8, 12, 13 or 14 digits) |
| \`manufacturer_ref\` | items of which a vendor says this manufacturer's reference; case, blanks and punctuation do not matter. At most the first 1,000 by id |
| \`ids\` | up to 100 items by id, on one page |

\`ids=A,B,C\` gives each item once, in the order of the ids, in place of 100 requests; it counts as one. \`not_found\` names the ids
of no item, and of items that are gone. The id of a merged item gives the item into which it was merged, as \`/items/{id}\` does, and
\`merged\` says so. \`price_region\`, \`lang\` and \`fields\` go with it, and no filter, sort or count does.

\`sort\` is \`id\` unless you say otherwise. Walk the whole catalog by \`id\`: no item is lost or comes twice, whatever is published
meanwhile. \`updated\` ascends by change, to follow the catalog; \`-updated\` shows the latest changes first. \`name\` goes by
the name in the headline without case and accents, by its first 100 characters. \`price\` and \`-price\` go by \`median_price\` as shown:
of the region with \`price_region\`. Prices of two currencies are not compared, so these two need \`currency\`, or \`price_region\`, whose
prices come currency by currency where there are several. Items without a price come last; \`currency\` selects none of them. Equal items are in the order of their ids, descending under \`-updated\` and \`-price\`. In orders other than \`id\`, an item
that is published while you read may move past you, or move on and come a second time: keep the one that came last.

\`total=1\` says how many items the filters select (\`total.count\`), and \`facets=1\` how many of those are of each category, kind, unit,
currency with lowest and highest price, and region: the 20 most frequent of each. Counting has a bound: \`exact\` is false where the filters
select more than can be counted at once, and the numbers are then at least so large. Catalogs of up to 10,000 items
are always counted exactly, and in larger ones filters of which one selects at most 2,000 items; the total also without a filter, and of
one by region, category, kind or unit that selects up to 100,000. Links to next pages do not repeat a count.

\`fields=name,unit,median_price\` leaves out other fields of each item. \`id\`, \`name\`, \`vendor_count\`, \`observation_count\` and
\`updated_at\` are always there, so that every item is one by the contract.

## Search

\`/search\` takes words of any language, sizes in any unit (\`1/2 in\` finds boards of 12.5 and of 13 mm), article numbers,
GTINs, manufacturers' references, short names, brands and regional words (PYL, pladur, varilla), and whole questions ("what
does a bag of cement cost in spain"). Every name of an item counts, and what one price buys: \`cement 25 kg\` finds bags of
25 kg. What nobody stocks finds nothing.

- \`region\`, \`category_id\` (with all categories below it), \`kind\`, \`unit\`, \`source\`, and \`currency\` with \`price_min\` and
  \`price_max\` narrow the results, by what the answer shows, as they do on \`/items\`.
- \`price_region\` chooses the price, and with \`lang\` the name that vendors of that market or language use.
- \`facets=true\` counts the results of all pages (\`found\`, at most 200) by category, kind, unit, currency with lowest and
  highest price, and source: the values to filter by next.
- \`explain=true\` shows what the question was read as (\`interpreted\`) and why each result was found (\`why\`).
- \`cursor\` or the header \`Link\` leads to the next page of up to 50; each page counts as a search.

\`score\` sorts the results. It compares results of one answer, not of two:

| score | says |
|---|---|
| 10 and more | the query says the GTIN or the reference of the item's manufacturer |
| 3 to 7 | a name or the category of the item holds an article number, grade or other code of the query, letter by letter |
| below 3 | likeness: 0 to 1 in meaning, and up to 1.05 for words, names in other languages, sizes, grades and spelling in common; an item of another size, grade or kind loses |

\`mode\` says how they were found:

| mode | says |
|---|---|
| \`vector\` | some are near in meaning |
| \`vector_no_match\` | none is: those that hold the words, or nothing at all |
| \`empty_embedding\` | a query without a word, such as \`B500S\` or \`12,5\`: those that hold its codes and numbers |
| \`fallback_no_ai\` | by words alone, without a model |

Without its model or its index, search answers 503.
`

function files(origin: string): string {
  return `## A list as a file

\`/items.csv\` and \`/items.ndjson\` stream all items that match the filters of \`/items\`, ascending by \`id\`, without pages:

\`\`\`sh
curl -s --compressed '${origin}/v1/items.ndjson?region=ES&price_region=ES&limit=300' | tail -1
curl -s --compressed '${origin}/v1/items.csv?region=ES&price_region=ES&kind=material&limit=300' | wc -l
\`\`\`

Each 100 items count as one request, as the pages of \`/items\` would. The last line of NDJSON, \`{"export":{…}}\`, says whether the export
is complete; where a limit ended it, \`after\` and \`retry_after_seconds\` say how and when to go on. CSV has no such line: an
export that a rate limit ends breaks off with an error of the connection, so that a file that arrived is whole. After any interruption
continue with \`after=\` and the last \`id\` that arrived whole. Trailer fields say the same to clients that read them
(\`Export-Complete\`, \`Export-Items\`, \`Export-After\`, \`Export-Seq-From\`, \`Export-Seq-To\`). Equal numbers of seq say that nothing was published
meanwhile, and the export shows one state; otherwise each item is as it was when its page was read. \`If-None-Match\` with the last \`ETag\`
gives 304 until something is published. Four exports of a caller run at one time.

CSV is UTF-8 by RFC 4180, with a header row. A text that a spreadsheet would run as a formula has an apostrophe before it. For the
whole catalog take a snapshot: \`/feeds/snapshots/index.json\`, with Parquet files.

| column | content |
|---|---|
${Object.entries(EXPORT_COLUMNS)
  .map(([name, meaning]) => `| \`${name}\` | ${meaning} |`)
  .join('\n')}

## Editions

An edition is the catalog at the end of the last run of a month (UTC). It is frozen once a run of a later month ended, and never changes.
\`/editions\` lists them. \`/editions/2026-10\` is the manifest of one: run, method, number of items, licence and hashes.
\`/editions/2026-10/items/ID?price_region=ES\` gives an item as it was, with

- \`id\`, \`ccc:2026-10:ID\`: what a contract, a report or a paper names;
- \`cite_as\`: a line for the list of references, with the median, its currency, market and instant;
- \`state_sha256\`, the SHA-256 of the canonical JSON (RFC 8785) of \`state\`, and \`edition_sha256\`, that of the manifest.

\`/editions/2026-10/items\` lists all states of an edition; together they hash to \`state_root\` of the manifest, by the rule of digests
in docs/mirror-protocol.md.
`
}

const COUNTING_RULES = `- A request that is admitted counts once, whatever its answer, errors too. Answers of 304 and 429 do not count.
- An export (/items.csv, /items.ndjson) counts once for each 100 items.
- A search counts in a bucket of its own a minute instead of the ordinary one, and in the month like all others.
- /status and the state.json, keys.json, archives, digests and snapshots of the feeds do not count. Together they have a
  bucket of their own of ten times the limit a minute. state.json?wait=30 takes one from it, however long it waits.
- /usage, /pricing, /keys/signup, /keys/revoke and /openapi.json count in the minute and not in the month, so that they
  answer at the cap.
- The keys and agents of a workspace count together, and a message to /api/mcp counts as the request that it makes.
- Numbers of other processes are up to a second old.`

function policies({ origin, limits, dataLicence }: GuideFacts): string {
  const thousands = (count: number) => count.toLocaleString('en-US')
  return `## Limits

| caller | requests a minute | searches a minute | requests a month |
|---|---|---|---|
| without a key, per IPv4 address or IPv6 /64 | ${thousands(limits.anonPerMinute)} | ${thousands(limits.searchPerMinute)} | - |
| free developer key (\`svc_pub_\`) | ${thousands(limits.publicDevPerMinute)} | ${thousands(limits.searchPerMinute)} | ${thousands(limits.publicDevPerMonth)} |
| workspace plan (\`svc_org_\`) | ${thousands(limits.orgPerMinute)} | ${thousands(limits.searchPerMinute)} | ${thousands(limits.orgPerMonth)} |

${COUNTING_RULES}

Every answer says what is left: \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\`, \`X-RateLimit-Reset\` (seconds since 1970),
and \`RateLimit\` with \`RateLimit-Policy\`. An answer of 429 or 503 says when to come back: \`Retry-After\` and
\`retry_after_seconds\` are equal. A signup shows the signups that its address has left an hour and a day.

## Status

\`/v1/status\` says whether everything answers (\`state\`: \`ok\`, \`degraded\` or \`down\`, with \`problems\`), how many records
and seconds the tables, this server's copy and search are behind, the last run and snapshot, and the operator's incidents. It is a
page for browsers and JSON for programs, some seconds old at most. It answers while the database is away, and to callers at their
limit.

## Caching

Answers that stay for a while carry a strong \`ETag\`, one for each content coding (exports a weak one). Send it back in \`If-None-Match\`: while
nothing changed the answer is 304 without a body, and is not charged. The tag of every coding that the request accepts
counts. \`Last-Modified\` is when the part of the catalog that the answer shows last changed: the same from every server and in
every coding, absent for the first seconds after a change. \`If-Modified-Since\` with that date or a later one gives 304 too;
beside \`If-None-Match\` it is ignored. A publication shows within a quarter of a second, so
caches may keep answers but have to ask (\`no-cache\`). Bodies of a kilobyte and more come compressed (br, gzip) where
\`Accept-Encoding\` takes it. To keep a copy up to date, follow the feeds.

While the database is away, pages, items, history, categories and feeds go on unchanged from the server's own copy. \`Age\`
then says for how many seconds the database has not answered. Search, sources, the basis of a median and recipes answer 503
until it is back, and so do lists by \`source\`, \`gtin\` or \`manufacturer_ref\`. An address that a server answered lately may go on
from its memory even for these, with \`Age\`.

## Feeds

\`/v1/feeds/items.atom\`, \`items.rss\` and \`region/ES\` show what changed, newest first, in titles for people and in
elements \`ccm:\` for machines: every change has a number, 1, 2, 3 ... without a gap. \`?since=N\` gives all that came after
number N, as Atom, as RSS or with \`Accept: application/x-ndjson\` as a JSON object a line; follow \`Link: rel="next"\`, and
ask again from your last number on: 304 says that nothing came. 410 says that changes so old are no longer kept, and \`Link\`
names the snapshot to begin at; 409 that the number is of another server, or of another generation of numbers.
\`/v1/feeds/state.json\` says where everything stands. Closed pages below \`/v1/feeds/archive/\` never change, chains of
hashes join all changes, and digests prove that a copy is complete: such a mirror is described in docs/mirror-protocol.md.
The catalog signs \`state.json\`, digests and snapshots with keys that \`/v1/feeds/keys.json\` lists, so that a mirror knows whose they are.
A server renders documents of more than 100 changes one after another, so that other requests need not wait; while 64 of them wait,
a further one gets 503 (\`overloaded\`). Ask for one at a time.

For people's feed readers there are feeds without those elements. \`items.atom?limit=20\`, \`items.rss?limit=20\` and
\`region/ES?limit=20\` (as JSON Feed: \`items.json\`, \`region/ES.json\`) hold the newest items alone (\`limit\` 1 to 100), each with what changed: a price, its name or unit, a region or the
category. Changes of nothing else, as of the number of vendors, are left out. A region's feed says the prices, names and vendors there, and the
headline only of an item without a price there. Tombstones name the item that left, and name and link the one that it was merged into.
\`/v1/feeds/item/ID\` has the price changes of one item and \`/v1/feeds/category/ID\` the last ones in a category and
below it: each entry says the price before and after, of the headline or with \`price_region=ES\` of that market, and links to the
item. They are Atom, RSS with \`.rss\` or JSON Feed with \`.json\` behind the id; a webhook service that watches the
feed of an item sees each change as a new entry. A category's feed holds the last change of each item, at most 100 of them: follow
\`since\` where none may be missed.

## Errors

Every error is \`{ "error", "details" }\` in JSON, with \`retry_after_seconds\` where waiting helps. \`error\` is one of a closed
list of [codes](${origin}/docs/errors), to which the header \`Link\` of the answer points; \`details\` is for people and may
change. \`X-Request-Id\` finds the request in the log of the service. A client that closes its side of the connection before the
answer has come counts as gone and gets none.

## Versioning and deprecation

The version is part of the path. As long as it says \`v1\`, changes only add: new paths, new optional parameters, new fields
where a shape may grow, new error codes for new causes. The shapes of the specification keep exactly their fields, and
nothing that works stops working. What is to go in a later version is announced six months before: answers then carry
\`Deprecation\` (RFC 9745) and \`Sunset\` (RFC 8594), and the changelog says what to use instead. An unknown query
parameter, or member of a list of \`/match\`, is refused with \`unknown_parameter\`, which names the nearest known one; \`strict=false\`
ignores it. A signup ignores members that it does not know. Switches take \`true\` and \`false\`.

Instants have milliseconds: \`updated_since\` with finer digits begins at the next one. A filter that names an id that nothing has
answers 404, and one that no id can be 400. A \`cursor\` holds for the same filters and order, whatever \`limit\`, \`lang\` or
\`price_region\` show; where prices select or order, \`price_region\` stays the same too.

## Data licence

${licenceText(dataLicence)}
The software itself is under Apache-2.0.
`
}

/** One sentence about the licence of the data. */
export function licenceText(dataLicence: DataLicence | null): string {
  if (dataLicence === null)
    return 'The operator of this catalog has stated no licence for its data: ask before you republish it.'
  const { name, url } = dataLicence
  return `The data of this catalog is under ${url === null ? name : `[${name}](${url})`}.`
}
