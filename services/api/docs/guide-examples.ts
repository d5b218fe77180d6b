/**
 * Three tasks as curl lines, with the answers of the sample market, shortened. Tests run the lines and look for the fields
 * of the answers. As Markdown; `origin` is the address of the server without a trailing slash.
 */
export function howTo(origin: string): string {
  return [priceABill(origin), followOneMarket(origin), citeAPrice(origin)].join('\n')
}

function priceABill(origin: string): string {
  return `## How to price a bill

Send the lines of a list of materials, in any language, up to 500 at once:

\`\`\`sh
curl '${origin}/v1/match' -H 'Content-Type: application/json' -d '{
  "region": "ES",
  "lines": [
    { "text": "pladur 13 mm", "unit": "m2", "quantity": 30 },
    { "text": "cemento 25 kg", "unit": "kg", "quantity": 500 }
  ]
}'
\`\`\`

\`\`\`json
{
  "lines": [
    {
      "text": "pladur 13 mm",
      "status": "matched",
      "item": {
        "id": "ci_etnkrwxdm3syacuduavuhcyh42",
        "name": "Placa de yeso laminado 13 mm",
        "unit": "m²",
        "median_price": { "cents": 471, "currency": "EUR" }
      },
      "cost": { "cents": 14130, "currency": "EUR" },
      "alternatives": []
    },
    {
      "text": "cemento 25 kg",
      "status": "ambiguous",
      "item": { "name": "Cemento gris CEM II/B-M 32,5 N", "unit": "25 kg" },
      "cost": null,
      "alternatives": [{ "item": { "name": "Cemento CEM I 42,5 N", "unit": "25 kg" } }]
    }
  ],
  "matched": 1,
  "ambiguous": 1,
  "unmatched": 0
}
\`\`\`

- \`matched\`: \`cost\` is the price of the whole quantity at the median. Add these up.
- \`ambiguous\`: several items fit. Choose among \`item\` and \`alternatives\`, or say more in the text, such as "cemento CEM I
  42,5 N 25 kg".
- \`unmatched\`: no item fits, and \`reason\` says why, such as \`size_differs\`.

Every ten lines count as one search.
`
}

function followOneMarket(origin: string): string {
  return `## How to follow one market

Every change in a market has a number. Read the changes after the last number that you know, at first 0, as one JSON object
a line:

\`\`\`sh
curl -H 'Accept: application/x-ndjson' '${origin}/v1/feeds/region/ES?since=0&limit=1'
\`\`\`

\`\`\`json
{
  "seq": 1,
  "op": "upsert",
  "id": "ci_23othm2zwngsu5ycf4kj52cwnw",
  "updated": "2026-08-27T00:00:00.000001Z",
  "state": {
    "item": { "name": "AZULEJO BRANCO BRILHANTE 20X20 CM", "unit": "ft²", "vendor_count": 15 },
    "markets": [{ "region": "ES", "median_price": { "cents": 74, "currency": "EUR" }, "vendor_count": 3 }]
  }
}
\`\`\`

Keep the last \`seq\` and send it as \`since\` the next time: an answer of 304 says that nothing changed, and costs nothing. A
feed reader takes the same address without \`since\`.

To see all prices of the market as they are now, page through the items that are sold in it:

\`\`\`sh
curl '${origin}/v1/items?region=ES&price_region=ES&limit=100'
\`\`\`
`
}

function citeAPrice(origin: string): string {
  return `## How to cite a price

A citation names the item, the market, the median, and the computation that gave it: \`run_id\` and \`as_of\`. \`/basis\` has
them, with every vote behind the price:

\`\`\`sh
id=$(curl -s '${origin}/v1/search?q=drywall&region=ES&price_region=ES&limit=1' | grep -o 'ci_[a-z2-7]*' | head -1)
curl "${origin}/v1/items/$id/basis"
\`\`\`

\`\`\`json
{
  "item_id": "ci_etnkrwxdm3syacuduavuhcyh42",
  "name": "Placa de yeso laminado 13 mm",
  "unit": "m²",
  "run_id": "run_20261125224614_0b86195559",
  "as_of": "2026-11-25T00:00:00Z",
  "markets": [{ "region": "ES", "median": { "cents": 471, "currency": "EUR" }, "vendor_count": 3, "voters": 3 }],
  "basis": {
    "votes": [
      {
        "source_name": "Acabados Levantina del Turia",
        "price_cents": 511,
        "currency": "EUR",
        "trust": 58,
        "observed_at": "2026-11-25T00:00:00Z",
        "markets": ["ES", "EU"]
      }
    ]
  }
}
\`\`\`

So: "Placa de yeso laminado 13 mm, Spain, EUR 4.71 per m², median of 3 vendors, run_20261125224614_0b86195559 as of
2026-11-25". A later run may change the price; \`/history\` still tells what it was on the cited day:

\`\`\`sh
id=$(curl -s '${origin}/v1/search?q=drywall&region=ES&price_region=ES&limit=1' | grep -o 'ci_[a-z2-7]*' | head -1)
curl "${origin}/v1/items/$id/history?price_region=ES&from=2026-11-01&to=2026-11-30"
\`\`\`

\`\`\`json
{
  "item_id": "ci_etnkrwxdm3syacuduavuhcyh42",
  "price_region": "ES",
  "points": [
    { "recorded_at": "2026-11-01T00:00:00Z", "price_cents": 460, "currency": "EUR" },
    { "recorded_at": "2026-11-25T00:00:00Z", "price_cents": 471, "currency": "EUR" }
  ],
  "cursor": null
}
\`\`\`

A price holds until the next point.
`
}
