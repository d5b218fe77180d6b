/**
 * Made by `npm run judge -- renew` from the OpenAPI document with this SHA-256 d74ec491e49e3d1d29c85c807f0986a2ceb18318a4733c37db529c3231eee2ca.
 * Use: createClient<paths>({ baseUrl: 'http://127.0.0.1:8080/v1' }) of openapi-fetch.
 */

export interface paths {
    "/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List canonical items
         * @description Every item once, or those that the filters select, with vendors and observations counted and the median price. Follow `cursor`, or the header Link, until there is none: a page may hold fewer items than `limit`, or none, and still name a next one. The next page counts nothing (`total`, `facets`) unless you ask again.
         */
        get: operations["listItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/items/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one item with its vendors and prices
         * @description The item, the latest price of each vendor, and 90 days of medians. An item that was merged answers with the one that survives, which Content-Location names. With `Accept: text/markdown` the same comes as a text for language models.
         */
        get: operations["getItem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/items.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Items as a CSV file
         * @description Take a whole list by the filters of `/items` as one streamed file, ascending by `id`; each 100 items count as one request, and a filter that few match also one for each 10,000 that it examines. Items that match throughout stand in it once, and equal `Export-Seq-From` and `Export-Seq-To` say that it shows one state. After an interruption continue with `after`. An export that a rate limit ends breaks the answer off, so that a file that arrived is whole.
         */
        get: operations["exportItemsCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/items.ndjson": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Items as NDJSON
         * @description Take a whole list by the filters of `/items` as one streamed file, ascending by `id`; each 100 items count as one request, and a filter that few match also one for each 10,000 that it examines. Items that match throughout stand in it once, and equal `Export-Seq-From` and `Export-Seq-To` say that it shows one state. After an interruption continue with `after`. The last line says how far the export came.
         */
        get: operations["exportItemsNdjson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/items/{id}/markets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare the price of an item across regions
         * @description The median of each region, in the currency with the most trust there, and how many vendors it rests on. Nothing is converted between currencies.
         */
        get: operations["getItemMarkets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/items/{id}/basis": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain and cite the price of an item
         * @description Every vote with its vendor, price and weight, every observation without a vote with the reason, and how far the prices spread. `run_id` and `as_of` name the computation, for a citation. The command `catalog explain` prints the same.
         */
        get: operations["getItemBasis"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/items/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the price of an item over all time
         * @description Each change of the median, ascending, of one region or of the headline. A price holds until the next point; a point without a price says that from then on there was none. From an instant in the future there are no points.
         */
        get: operations["getItemHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/items/{id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare an item between two instants
         * @description Compares what the catalog showed after the last run up to `from` with what it showed after the last run up to `to`: name, unit, codes, category, kind, vendors, regions, and the median of each market. The changes themselves are kept for a time that the operator sets (400 days by default): before `kept_since` an item whose later change replaced an earlier one says `not_kept`, and only its medians, which are kept for ever, are compared. The diff is of this very id: a merged item says where it went.
         */
        get: operations["getItemDiff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/items/{id}/decomposition": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Break a work down into what it is made of
         * @description The recipe that a price book gives for the item: labor, machinery, materials and auxiliaries, each at the book’s price and at today’s median. Of several recipes, those of `region` go first, then the most trusted source, then the newest; `source` chooses another. `Accept: text/markdown` gives a text for language models; `Accept: application/x-fiebdc3`, or `.bc3` behind the address, a price book, in which `depth` and `quantity` have no effect.
         */
        get: operations["getItemDecomposition"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search items in any language
         * @description Items by meaning, words, sizes and codes, the best first; `mode` says how they were found. A `score` compares results of one answer only. Follow `cursor`, or the header Link, for more: a search finds at most 200 items, and each page counts as a search.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/match": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Match and price the lines of a bill
         * @description For each line of a list of materials, in any language: the item that it means, how sure that is, and the cost of its quantity at the median. Sizes, packs, grades and kinds of unit are never crossed: a line whose size no item has is unmatched, with the reason. Every 10 lines count as one search. A member that the body does not describe is refused.
         */
        post: operations["matchLines"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Browse the tree of categories
         * @description One level of the tree, or with `tree` all levels below, each category with its number of items. Without `parent` it begins at the roots.
         */
        get: operations["listCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/categories/tree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The whole tree of categories
         * @description All categories, nested, with their names in each language and the number of their items: one answer in place of the pages of `/categories?tree=true`.
         */
        get: operations["getCategoryTree"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/categories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one category, also as a price book
         * @description Its names, how many items it holds with all below it, the way to it from the root, and its children. With `Accept: application/x-fiebdc3`, or `.bc3` behind the id, it comes as a price book: its items with the medians of all regions, and their recipes.
         */
        get: operations["getCategory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/categories/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare the medians of categories over time
         * @description For each category, how the medians of its items moved within 7, 30, 90 or 365 days: the geometric mean of their changes, how many rose and how many fell. Only items with a median in one currency at both ends count, so that a new product is no change of price.
         */
        get: operations["getCategoryChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sources of the prices
         * @description Who publishes the prices: how much each source is trusted, how fresh its prices are, and how its last crawls went. In pages, by id.
         */
        get: operations["listSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sources/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one source and the quality of its data
         * @description How much it is trusted, how fresh its prices are, how its last crawls went, and how good its data is: unknown units, unclear taxes, prices far from those of others.
         */
        get: operations["getSource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/indices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the official price indices
         * @description Indices of statistics offices, which say how construction prices moved. An index is no price: no item, median, search or feed has anything of one. In pages, by id.
         */
        get: operations["listIndices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/indices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one index with its points
         * @description What it measures, on which terms its publisher gives it away, and its points by period: exact decimals, each the value that its publisher stated last.
         */
        get: operations["getIndex"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/items.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow all changed items, Atom
         * @description Newest first, for a feed reader. Send If-None-Match: while nothing changed, the answer is 304 and free. With `since` it gives all changes after that number, ascending; with `Accept: application/x-ndjson` also as one JSON object a line. With `limit` alone it gives the newest items in words, for feed readers.
         */
        get: operations["getItemsAtom"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/items.rss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow all changed items, RSS
         * @description The entries of the Atom feed, for readers of RSS. With `since` it gives all changes after that number, ascending; with `Accept: application/x-ndjson` also as one JSON object a line. With `limit` alone it gives the newest items in words, for feed readers.
         */
        get: operations["getItemsRss"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/region/{region}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the changed items of one region, Atom
         * @description The items that are sold in the region, and those that left it; newest first. With `since` it gives all changes after that number, ascending; with `Accept: application/x-ndjson` also as one JSON object a line. With `limit` alone it gives the newest items in words, for feed readers.
         */
        get: operations["getRegionAtom"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/items.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the newest changed items, JSON Feed
         * @description Newest first, each item once, in words, for feed readers and webhooks. Send If-None-Match: while nothing changed, the answer is 304 and free.
         */
        get: operations["getItemsJsonFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/region/{region}.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the newest changed items of one region, JSON Feed
         * @description Newest first, each item once, in words, for feed readers and webhooks. Send If-None-Match: while nothing changed, the answer is 304 and free.
         */
        get: operations["getRegionJsonFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/state.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read where all feeds stand
         * @description The start of every copy: the newest number and hash of each feed, the newest digest and the newest snapshot. Poll it with If-None-Match; `wait` beside it holds the answer until something changes.
         */
        get: operations["getFeedState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/keys.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the keys that sign the feeds
         * @description Every key that ever signed for this catalog, the oldest first, with the signatures by which older keys endorsed it. Trust one that you know, and all that follow from it.
         */
        get: operations["getFeedKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/archive/{gen}/items/{page}.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a closed page of all changes, Atom
         * @description Load the whole past in pages: the bytes of a closed page never change, so that you read each once. An item that changes again stands on a later page again.
         */
        get: operations["getItemsArchiveAtom"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/archive/{gen}/items/{page}.rss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a closed page of all changes, RSS
         * @description Load the whole past in pages: the bytes of a closed page never change, so that you read each once. An item that changes again stands on a later page again.
         */
        get: operations["getItemsArchiveRss"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/archive/{gen}/region/{region}/{page}.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a closed page of one region’s changes, Atom
         * @description Load the whole past in pages: the bytes of a closed page never change, so that you read each once. An item that changes again stands on a later page again.
         */
        get: operations["getRegionArchiveAtom"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/item/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The price changes of one item, Atom, RSS or JSON Feed
         * @description Newest first, each with the price before and after it, of one region or of the headline. The feed of a merged item says so and goes on with the item that it was merged into. RSS with `.rss` behind the id, JSON Feed with `.json`, or by `Accept`.
         */
        get: operations["getItemFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/category/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The last price changes in a category, Atom, RSS or JSON Feed
         * @description Of the items in it and in all below it, each with its last change: the price before and after it, of one region or of the headline. RSS with `.rss` behind the id, JSON Feed with `.json`, or by `Accept`.
         */
        get: operations["getCategoryFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mirrors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the mirrors of the catalog
         * @description The mirrors that the operator names, as one process of the service last saw them: which feeds each holds, how far it is behind, and whether its root is ours. The list helps to choose a mirror, and proves nothing. It goes on while the database is away, and counts only in the bucket of archives.
         */
        get: operations["getMirrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/digest/{gen}/items/{seq}.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check a copy of all items
         * @description 256 hashes of all items at the end of a run, to compare with those of your copy: where two differ, so do the items whose id hashes to that bucket. state.json names the newest digest.
         */
        get: operations["getItemsDigest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/digest/{gen}/region/{region}/{seq}.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check a copy of the items of one region
         * @description 256 hashes of all items at the end of a run, to compare with those of your copy: where two differ, so do the items whose id hashes to that bucket. state.json names the newest digest.
         */
        get: operations["getRegionDigest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/snapshots/index.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the snapshots that are kept
         * @description The newest first, of all generations: begin a copy with one. The first of each month is kept for ever, to be cited.
         */
        get: operations["listSnapshots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/snapshots/{gen}/{seq}/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file of a snapshot
         * @description `manifest.json` names the others: all items in 256 files with one item a line, again in one file for each region and one for all, and Parquet files. No file ever changes, and Range asks for a part of one.
         */
        get: operations["getSnapshotFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/editions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The editions: one frozen catalog a month
         * @description The newest first. An edition is the catalog at the end of the last run of a month, UTC; it is frozen once a run of a later month ended, and never changes.
         */
        get: operations["listEditions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/editions/{edition}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The manifest of an edition
         * @description Run, method, count, licence, and the hashes that prove a copy: `state_root` and 256 buckets over all items, as digests of the feeds have them. Its bytes never change; GET `/editions` gives their SHA-256.
         */
        get: operations["getEdition"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/editions/{edition}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The items of an edition
         * @description Their public states, ascending by id, in pages: all of them hash to `state_root` of the manifest. A page may hold fewer than `limit`, where items had left by then.
         */
        get: operations["listEditionItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/editions/{edition}/items/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An item of an edition, to be cited
         * @description The item as the edition froze it, with its id for citations, the hashes that prove it, and a line for a list of references. `price_region` cites the median of that region.
         */
        get: operations["getEditionItem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/signup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a free developer key
         * @description Send an e-mail address and get a key, which raises the limits; no key is needed for it. The key is shown only this once. The answer is the same whether the e-mail is known or not, and each e-mail and address gets a few keys an hour and a day: the rate headers of the key, and of a refused signup, count those.
         */
        post: operations["createDeveloperKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the usage of the calling key this month
         * @description How many requests the key has made this month, and how many are left until `reset_at`. A key of a workspace counts the requests of all its keys and agents. The section Limits says which requests count.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pricing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what public access allows
         * @description The limits of a free developer key, and where workspace plans are described.
         */
        get: operations["getPricing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The state of the service
         * @description Whether everything answers, how far its parts are behind, the last run and snapshot, and incidents. It goes on while the database is away, and counts only in the bucket of archives. As JSON, or as a page where `Accept` prefers text/html.
         */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read this document as OpenAPI 3.1
         * @description The contract of every operation: make a typed client from it. While the path says /v1, operations and fields are only added.
         */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke the calling key
         * @description Send the developer key itself as bearer: it is refused from then on, for ever, within 30 seconds everywhere. A second call answers 404.
         */
        post: operations["revokeKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/items/{id}/decomposition.bc3": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The recipe of an item as a price book
         * @description What `Accept: application/x-fiebdc3` gives at `/items/{id}/decomposition`, by an address of its own: a FIEBDC-3 file for programs of measurements and budgets.
         */
        get: operations["getItemDecompositionBc3"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/categories/{id}.bc3": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The items of a category as a price book
         * @description What `Accept: application/x-fiebdc3` gives at `/categories/{id}`, by an address of its own: a FIEBDC-3 file for programs of measurements and budgets.
         */
        get: operations["getCategoryBc3"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            /**
             * @description A stable code of a closed list; the header Link leads to its explanation
             * @example invalid_parameter
             */
            error: string;
            /** @description For people: the value found, and the expectation */
            details?: string;
            /** @description Equal to the header Retry-After */
            retry_after_seconds?: number;
        };
        ItemBasisResponse: {
            /**
             * @description Item id: `ci_` and a unique suffix
             * @example ci_4pkz6qjxw2h7mtd3ruvy5cnaeo
             */
            item_id: string;
            name: string;
            unit: string | null;
            /** @description What the item is; null where its texts do not say */
            kind: ("material" | "labour" | "machinery" | "hire" | "work") | null;
            /** @description Its category in the catalog’s tree, from the root, with the vendor’s path or the name that says so and how sure that is; null without one */
            category: {
                /**
                 * @description Category id: `cat_` and a unique suffix
                 * @example cat_4pkz6qjxw2h7mtd3ruvy5cnaeo
                 */
                id: string;
                path: string[];
                /** @enum {string} */
                by: "vendor_path" | "name" | "kind";
                text: string;
                confidence_percent: number;
            } | null;
            /** @description What vendors call it, by market and language: `price_region` and `lang` choose among these. The first of a language is the one that most trust uses */
            names: {
                lang: string | null;
                name: string;
                regions: string[];
                minor_regions?: string[];
            }[];
            merged_into: string | null;
            /** @description The run that published this; null when no run did */
            run_id: string | null;
            /** Format: date-time */
            as_of: string;
            median: {
                /** @description Minor units of the currency: 485 of EUR are 4.85 euros */
                cents: number;
                /**
                 * @description ISO 4217 code
                 * @example EUR
                 */
                currency: string;
            } | null;
            markets: {
                region: string;
                median: {
                    /** @description Minor units of the currency: 485 of EUR are 4.85 euros */
                    cents: number;
                    /**
                     * @description ISO 4217 code
                     * @example EUR
                     */
                    currency: string;
                } | null;
                vendor_count: number;
                /** @description Votes in this median; vendor_count includes vendors without one */
                voters: number;
            }[];
            vendor_sku_ids: string[];
            basis: {
                /** @example twm/1 */
                method_version: string;
                currency: string | null;
                /** @description Votes in the headline */
                voters: number;
                /** @description true: the price depends on a single vendor */
                single_voter: boolean;
                /** @description For people: a caveat of the price */
                note: string | null;
                /** @description Sum of the trust of all voters */
                trust_total: number;
                p25: number | null;
                p75: number | null;
                last_observed_at: string | null;
                /** @description How far the vendors of one market stand apart */
                dispersion: {
                    /** @description Highest over lowest vote of one market, where it is greatest */
                    ratio: number | null;
                    /** @description The market with that ratio */
                    region: string | null;
                    markets: {
                        region: string;
                        voters: number;
                        ratio: number;
                    }[];
                    /** @description true: the vendors of a market stand more than 2 times apart, so the item may mix two products */
                    apart: boolean;
                    /** @description While they stand apart: the vendor SKUs of that market in groups of like prices, the cheapest first */
                    groups: string[][] | null;
                };
                /** @description Votes in the headline by what the vendor says of the tax */
                tax: {
                    net: number;
                    gross_with_rate: number;
                    gross_without_rate: number;
                    not_stated: number;
                };
                votes: {
                    /**
                     * @description Vendor SKU id: `vsku_` and a unique suffix
                     * @example vsku_4pkz6qjxw2h7mtd3ruvy5cnaeo
                     */
                    vendor_sku_id: string;
                    /** @description The vendor’s own reference; null when unknown */
                    vendor_ref: string | null;
                    /** @description The name that the vendor gives it */
                    vendor_sku_name: string | null;
                    /** @description Where the vendor files it, from its own root; null where it says nothing */
                    vendor_category_path: string[] | null;
                    source_id: string | null;
                    source_name: string | null;
                    /** @description The source that speaks for its legal vendor, and whose trust it has; null: the source itself */
                    alias_of: string | null;
                    /** @description SHA-256 of the observation, hexadecimal */
                    observation_id: string;
                    /**
                     * @description Exact minor units per unit of the item, net of tax where its rate is known
                     * @example 48500/121
                     */
                    price: string;
                    /** @description The same, rounded */
                    price_cents: number;
                    /**
                     * @description ISO 4217 code
                     * @example EUR
                     */
                    currency: string;
                    /** @description The weight of the vote */
                    trust: number;
                    /** Format: date-time */
                    observed_at: string;
                    /**
                     * @description Edition of the price list: a year, a month or a day; absent where the source states none
                     * @example 2023
                     * @example 2026-10
                     */
                    edition?: string;
                    /** @description Regions whose median includes it */
                    markets: string[];
                    /** @description `list`, `net`, `bid` or `bank`: a list price, a net price, a bid, an entry of a price bank */
                    kind: string | null;
                    /** @description The quantity from which the price holds */
                    min_quantity: string | null;
                    /** @description What the vendor says of the tax, and what was removed; null when the observation is not stored */
                    tax: {
                        /** @enum {string} */
                        state: "net" | "gross_with_rate" | "gross_without_rate" | "not_stated";
                        /**
                         * @description The fraction that was removed
                         * @example 0.21
                         */
                        rate: string | null;
                        /** @description `vendor`: the rate that the vendor states; `standard_rate`: the region’s standard rate of that day, where the operator enabled it; `majority`: as those of the region that state their tax */
                        by: ("vendor" | "standard_rate" | "majority") | null;
                    } | null;
                    /** @description The kind of the vendor SKU with its evidence; null when the observation is not stored */
                    sku_kind: {
                        /** @description null: its texts do not say */
                        kind: ("material" | "labour" | "machinery" | "hire" | "work") | null;
                        /** @description Of labour; `officer` is a first or a second */
                        grade: ("foreman" | "first" | "second" | "officer" | "helper" | "apprentice" | "labourer") | null;
                        /**
                         * @description Of labour
                         * @example [
                         *       "electrician"
                         *     ]
                         */
                        trades: string[];
                        /**
                         * @description Of a work
                         * @example supply and install
                         * @example remove
                         */
                        action: string | null;
                        /** @description Whether a person runs the machine */
                        operator: ("with" | "without") | null;
                        evidence: {
                            /** @enum {string} */
                            about: "kind" | "grade" | "trade" | "action" | "operator";
                            value: string;
                            /** @enum {string} */
                            by: "word" | "unit" | "category" | "structure";
                            /** @description The folded words, the unit or the category that said so */
                            text: string;
                        }[];
                    } | null;
                    /**
                     * @description Reasons to review it:
                     *
                     *     - `FIRST_PRICE_FAR`: the only price of its SKU, far from the others
                     *     - `TAX_UNKNOWN`: it includes tax at an unknown rate, and none was removed
                     *     - `TIER_ONLY`: it holds from a larger quantity on; the source has none for one
                     */
                    flags: ("FIRST_PRICE_FAR" | "TAX_UNKNOWN" | "TIER_ONLY")[];
                }[];
                excluded: {
                    /** @description Id of an observation, or of a vendor SKU */
                    id: string;
                    /**
                     * @description Why it has no vote:
                     *
                     *     - `SOURCE_DISABLED`: the source is switched off
                     *     - `NO_TRUST`: the source has a trust of 0
                     *     - `EXPIRED`: older than the source’s prices are valid
                     *     - `SUPERSEDED`: the source has a newer edition of its price list
                     *     - `DISCONTINUED`: the vendor no longer sells the goods
                     *     - `OTHER_CURRENCY`: not in the currency of the headline; it may decide a market
                     *     - `UNIT_UNKNOWN`: nobody knows its unit; catalog units unknown lists such units
                     *     - `UNIT_MISMATCH`: its unit does not convert to the item’s
                     *     - `PRICE_FENCE`: too far from the price of the same SKU before
                     *     - `QUARANTINED`: a person excluded it
                     *     - `NOT_POSITIVE`: no price above zero
                     *     - `PRICE_OUT_OF_RANGE`: too large to be a price per unit of the item
                     *     - `QUANTITY_TIER`: holds from a larger quantity on, and the source has a price for one
                     *     - `SAME_PUBLISHER`: decides the market of its subdivision; another price of its publisher votes in the country
                     *     - `SAME_VENDOR`: another spelling of its vendor votes with a later price
                     *     - `FIRST_PRICE_QUARANTINED`: a first price far from the others; it waits for a second crawl or a person
                     * @example EXPIRED
                     */
                    reason: string;
                    vendor_sku_id: string | null;
                    /** @description The vendor’s own reference; null when unknown */
                    vendor_ref: string | null;
                    /** @description The name that the vendor gives it */
                    vendor_sku_name: string | null;
                    /** @description Where the vendor files it, from its own root; null where it says nothing */
                    vendor_category_path: string[] | null;
                    source_id: string | null;
                    source_name: string | null;
                }[];
            };
        };
        Category: {
            /**
             * @description Category id: `cat_` and a unique suffix
             * @example cat_4pkz6qjxw2h7mtd3ruvy5cnaeo
             */
            id: string;
            name: string;
            /**
             * @description Its names by language (ISO 639-1); empty for a category of an earlier tree
             * @example {
             *       "en": "Aggregates",
             *       "es": "Áridos"
             *     }
             */
            names: {
                [key: string]: string;
            };
            /** @description null for a root */
            parent_id: string | null;
            /** @description Items in the category and in all categories below it */
            item_count: number;
        };
        CategoryDetail: {
            /**
             * @description Category id: `cat_` and a unique suffix
             * @example cat_4pkz6qjxw2h7mtd3ruvy5cnaeo
             */
            id: string;
            name: string;
            /**
             * @description Its names by language (ISO 639-1); empty for a category of an earlier tree
             * @example {
             *       "en": "Aggregates",
             *       "es": "Áridos"
             *     }
             */
            names: {
                [key: string]: string;
            };
            /** @description null for a root */
            parent_id: string | null;
            /** @description Items in the category and in all categories below it */
            item_count: number;
            /** @description From the root to the parent; empty for a root */
            path: {
                /**
                 * @description Category id: `cat_` and a unique suffix
                 * @example cat_4pkz6qjxw2h7mtd3ruvy5cnaeo
                 */
                id: string;
                name: string;
            }[];
            /** @description The first 100, by id */
            children: components["schemas"]["Category"][];
            /** @description Cursor of the next page of `/categories?parent=` with this id; null when there are no more */
            children_cursor: string | null;
        };
        ListCategoriesResponse: {
            categories: components["schemas"]["Category"][];
            /** @description Send it as `cursor` for the next page; null when no page follows */
            cursor: string | null;
        };
        CategoryNode: {
            /**
             * @description Category id: `cat_` and a unique suffix
             * @example cat_4pkz6qjxw2h7mtd3ruvy5cnaeo
             */
            id: string;
            name: string;
            /**
             * @description Its names by language (ISO 639-1); empty for a category of an earlier tree
             * @example {
             *       "en": "Aggregates",
             *       "es": "Áridos"
             *     }
             */
            names: {
                [key: string]: string;
            };
            /** @description Items in the category and in all categories below it */
            item_count: number;
            /** @description Categories directly below it, by id; empty for a leaf */
            children: components["schemas"]["CategoryNode"][];
        };
        CategoryTreeResponse: {
            /** @description The roots, by id */
            categories: components["schemas"]["CategoryNode"][];
            /** @description Categories in the tree */
            count: number;
        };
        CategoryChangesResponse: {
            days: number;
            /** @description null: the headlines */
            price_region: string | null;
            /** @description The earlier instant; null before the first run */
            since: string | null;
            /** @description The instant of the newest run; null before the first */
            until: string | null;
            /** @description Categories with an item to compare, by id */
            categories: {
                /**
                 * @description Category id: `cat_` and a unique suffix
                 * @example cat_4pkz6qjxw2h7mtd3ruvy5cnaeo
                 */
                id: string;
                /** @description Its items, and those of all categories below it, with a median in one currency at both ends; one that tripled, or fell to a third, is left out */
                compared_count: number;
                /** @description Those whose median is higher now */
                rise_count: number;
                /** @description Those whose median is lower now */
                fall_count: number;
                /**
                 * @description The geometric mean over these items of later / earlier, less 1, in percent (the Jevons index); null for fewer than 3 items
                 * @example 2.75
                 */
                change_percent: number | null;
            }[];
        };
        CanonicalItem: {
            /**
             * @description Item id: `ci_` and a unique suffix
             * @example ci_4pkz6qjxw2h7mtd3ruvy5cnaeo
             */
            id: string;
            name: string;
            /**
             * @description Unit of measure with its pack
             * @example 25 kg
             */
            unit?: string | null;
            /** @description EU procurement code; present only when a source gave one */
            cpv?: string | null;
            category_id?: string | null;
            vendor_count: number;
            observation_count: number;
            /** @description Trust-weighted median, recomputed nightly; null while no price is eligible */
            median_price?: {
                /** @description Minor units of the currency: 485 of EUR are 4.85 euros */
                cents: number;
                /**
                 * @description ISO 4217 code
                 * @example EUR
                 */
                currency: string;
                recorded_at: string | null;
            } | null;
            /** Format: date-time */
            updated_at: string;
        };
        VendorObservation: {
            /**
             * @description Vendor SKU id: `vsku_` and a unique suffix
             * @example vsku_4pkz6qjxw2h7mtd3ruvy5cnaeo
             */
            vendor_sku_id: string;
            source: {
                name: string;
                region: string | null;
                trust_score: number;
                url: string | null;
            };
            price: {
                /** @description Minor units of the currency: 485 of EUR are 4.85 euros */
                cents: number;
                /**
                 * @description ISO 4217 code
                 * @example EUR
                 */
                currency: string;
            };
            /**
             * @description The unit that the price buys, as observed
             * @example bag
             * @example 100 m
             */
            unit: string | null;
            /** Format: date-time */
            observed_at: string;
            /**
             * @description Edition of the price list: a year, a month or a day; absent where the source states none
             * @example 2023
             * @example 2026-10
             */
            edition?: string;
        };
        PriceHistoryPoint: {
            /** Format: date-time */
            recorded_at: string;
            /** @description Minor units of the currency: 485 of EUR are 4.85 euros */
            price_cents: number;
            /**
             * @description ISO 4217 code
             * @example EUR
             */
            currency: string;
        };
        ItemMarketsResponse: {
            /**
             * @description Item id: `ci_` and a unique suffix
             * @example ci_4pkz6qjxw2h7mtd3ruvy5cnaeo
             */
            item_id: string;
            /** @description Run id */
            run_id: string;
            /**
             * Format: date-time
             * @description Instant of the run that last published the item; later runs found no difference
             */
            as_of: string;
            markets: {
                region: string;
                /** @description In the currency with the most trust there; null while no price is eligible */
                median_price: {
                    /** @description Minor units of the currency: 485 of EUR are 4.85 euros */
                    cents: number;
                    /**
                     * @description ISO 4217 code
                     * @example EUR
                     */
                    currency: string;
                    recorded_at: string | null;
                } | null;
                /** @description Vendors that sell it there, with or without an eligible price */
                vendor_count: number;
                /** @description Vendors whose prices are in the median */
                voters: number;
                /** @description true: the price depends on a single vendor */
                single_voter: boolean;
            }[];
        };
        ItemDetailResponse: {
            item: components["schemas"]["CanonicalItem"];
            /** @description The latest price of each vendor, live */
            vendors: components["schemas"]["VendorObservation"][];
            /** @description 90 days of medians, ascending */
            price_history: components["schemas"]["PriceHistoryPoint"][];
        };
        ItemHistoryResponse: {
            /**
             * @description Item id: `ci_` and a unique suffix
             * @example ci_4pkz6qjxw2h7mtd3ruvy5cnaeo
             */
            item_id: string;
            /** @description null: the headline */
            price_region: string | null;
            /** @description Changes of the median, ascending; null: no price from then on */
            points: {
                /** Format: date-time */
                recorded_at: string;
                price_cents: number | null;
                currency: string | null;
            }[];
            /** @description Send it as `cursor` for the next page; null when no page follows */
            cursor: string | null;
        };
        DecompositionLine: {
            /** @description Position in its recipe, from 1 */
            position: number;
            /**
             * @description auxiliary: has its own recipe; percentage: a share of the amounts before it
             * @enum {string}
             */
            kind: "labor" | "machinery" | "material" | "auxiliary" | "percentage" | "waste" | "unclassified";
            /**
             * @description The vendor’s own reference
             * @example M001
             */
            code: string;
            name: string;
            unit: string | null;
            /**
             * @description A decimal number as text, exact
             * @example 2.06
             */
            factor: string;
            /**
             * @description Quantity per unit of the recipe
             * @example 2.06
             */
            yield: string;
            /**
             * @description For the requested quantity of the item; for a percentage, its rate per 1
             * @example 2.06
             */
            quantity: string;
            /** @description In the currency of the recipe; null when unknown */
            unit_price: string | null;
            /** @description file: the price in the file; recipe: computed from the lines below, because the file has none */
            price_basis: ("file" | "recipe") | null;
            /** @description For a percentage: the amount that it is a share of */
            base_amount: string | null;
            amount: string | null;
            /** @description The item that the component is matched with */
            item: {
                /**
                 * @description Item id: `ci_` and a unique suffix
                 * @example ci_4pkz6qjxw2h7mtd3ruvy5cnaeo
                 */
                id: string;
                name: string;
                unit?: string | null;
                /** @description Trust-weighted median, recomputed nightly; null while no price is eligible */
                median_price?: {
                    /** @description Minor units of the currency: 485 of EUR are 4.85 euros */
                    cents: number;
                    /**
                     * @description ISO 4217 code
                     * @example EUR
                     */
                    currency: string;
                    recorded_at: string | null;
                } | null;
            } | null;
            /** @description Cost today; null where no median gives one */
            now: {
                /**
                 * @description item: the median of the item, converted to the unit of the line; components: the medians of the lines below
                 * @enum {string}
                 */
                basis: "item" | "components";
                unit_price: string | null;
                /**
                 * @description A decimal number as text, exact
                 * @example 2.06
                 */
                amount: string;
            } | null;
            children: components["schemas"]["DecompositionLine"][];
            /** @description Why an auxiliary has no lines here: deeper than `depth`, too many lines, or part of itself */
            omitted: ("depth" | "size" | "cycle") | null;
        };
        RecipeHead: {
            /**
             * @description Vendor SKU id: `vsku_` and a unique suffix
             * @example vsku_4pkz6qjxw2h7mtd3ruvy5cnaeo
             */
            vendor_sku_id: string;
            vendor_ref: string;
            /** @description The unit that the recipe makes */
            unit: string | null;
            /**
             * @description ISO 4217 code
             * @example EUR
             */
            currency: string;
            /** @description null: the file leaves the price to its recipe */
            declared_price: string | null;
            /** Format: date-time */
            observed_at: string;
            source: {
                /**
                 * @description Source id: `src_` and a unique suffix
                 * @example src_4pkz6qjxw2h7mtd3ruvy5cnaeo
                 */
                id: string;
                name: string;
                region: string | null;
                trust_score: number;
                url: string | null;
            };
        };
        Decomposition: {
            item: {
                /**
                 * @description Item id: `ci_` and a unique suffix
                 * @example ci_4pkz6qjxw2h7mtd3ruvy5cnaeo
                 */
                id: string;
                name: string;
                unit?: string | null;
                /** @description Trust-weighted median, recomputed nightly; null while no price is eligible */
                median_price?: {
                    /** @description Minor units of the currency: 485 of EUR are 4.85 euros */
                    cents: number;
                    /**
                     * @description ISO 4217 code
                     * @example EUR
                     */
                    currency: string;
                    recorded_at: string | null;
                } | null;
            };
            recipe: components["schemas"]["RecipeHead"];
            /** @description Other recipes of the item: `source` chooses one */
            alternatives: components["schemas"]["RecipeHead"][];
            region: string | null;
            /**
             * @description A decimal number as text, exact
             * @example 2.06
             */
            quantity: string;
            lines: components["schemas"]["DecompositionLine"][];
            /** @description Amounts of the lines by kind, for the requested quantity */
            totals: {
                /**
                 * @description A decimal number as text, exact
                 * @example 2.06
                 */
                labor: string;
                /**
                 * @description A decimal number as text, exact
                 * @example 2.06
                 */
                machinery: string;
                /**
                 * @description A decimal number as text, exact
                 * @example 2.06
                 */
                material: string;
                /**
                 * @description A decimal number as text, exact
                 * @example 2.06
                 */
                auxiliary: string;
                /**
                 * @description A decimal number as text, exact
                 * @example 2.06
                 */
                percentage: string;
                /**
                 * @description A decimal number as text, exact
                 * @example 2.06
                 */
                waste: string;
                /**
                 * @description A decimal number as text, exact
                 * @example 2.06
                 */
                unclassified: string;
                /**
                 * @description Indirect cost of the lines, and the rounding of the total
                 * @example 2.06
                 */
                indirect: string;
                /**
                 * @description A decimal number as text, exact
                 * @example 2.06
                 */
                total: string;
            };
            /** @description The lines with auxiliaries resolved into their components, without indirect cost; `auxiliary` holds the unresolved ones */
            resources: {
                /**
                 * @description A decimal number as text, exact
                 * @example 2.06
                 */
                labor: string;
                /**
                 * @description A decimal number as text, exact
                 * @example 2.06
                 */
                machinery: string;
                /**
                 * @description A decimal number as text, exact
                 * @example 2.06
                 */
                material: string;
                /**
                 * @description A decimal number as text, exact
                 * @example 2.06
                 */
                auxiliary: string;
                /**
                 * @description A decimal number as text, exact
                 * @example 2.06
                 */
                percentage: string;
                /**
                 * @description A decimal number as text, exact
                 * @example 2.06
                 */
                waste: string;
                /**
                 * @description A decimal number as text, exact
                 * @example 2.06
                 */
                unclassified: string;
            };
            /** @description Price of one unit by its lines and the rule; null when a line has no price */
            computed_price: string | null;
            /** @description computed_price − declared_price */
            difference: string | null;
            /** @description Whether the declared price equals that of the recipe, within one unit of its last decimal */
            reconciles: boolean | null;
            /**
             * @description How the price is computed: by the rule that most recipes of the file are found to follow. Decimals of the lines, then, where there are such, indirect cost in per cent, other decimals of the total, percentages that are prices
             * @example line_rounded_2
             * @example line_rounded_2_with_ci_5_total_0
             * @example unrounded
             */
            rule: string;
            /** @description In the currency of the recipe; null where no median prices any line */
            now: {
                /**
                 * @description At today’s medians, other lines at the file’s prices
                 * @example 2.06
                 */
                total: string;
                /**
                 * @description The part of the total at the file’s prices
                 * @example 2.06
                 */
                at_file_prices: string;
                /** @description Lines, percentages aside, that a median prices, at least in part */
                priced_lines: number;
                /** @description Lines, percentages aside */
                lines: number;
            } | null;
            /** @description For people: caveats of the numbers */
            warnings: string[];
            /** @description Some lines are missing: see `omitted` */
            truncated: boolean;
        };
        ItemDiffResponse: {
            /**
             * @description Item id: `ci_` and a unique suffix
             * @example ci_4pkz6qjxw2h7mtd3ruvy5cnaeo
             */
            item_id: string;
            from: {
                /** @description The instant that was asked for; null: now */
                at: string | null;
                /** @description The last finished run up to it; null: there was none yet */
                run_id: string | null;
                /** @description Instant of that run */
                as_of: string | null;
                /**
                 * @description `absent`: not yet published; `gone`: no longer sold; `not_kept`: dropped by retention, but for medians
                 * @enum {string}
                 */
                state: "active" | "merged" | "gone" | "absent" | "not_kept";
                /** @description The item that a merged one became part of */
                merged_into: string | null;
            };
            to: {
                /** @description The instant that was asked for; null: now */
                at: string | null;
                /** @description The last finished run up to it; null: there was none yet */
                run_id: string | null;
                /** @description Instant of that run */
                as_of: string | null;
                /**
                 * @description `absent`: not yet published; `gone`: no longer sold; `not_kept`: dropped by retention, but for medians
                 * @enum {string}
                 */
                state: "active" | "merged" | "gone" | "absent" | "not_kept";
                /** @description The item that a merged one became part of */
                merged_into: string | null;
            };
            /** @description From this instant on every state is kept; null: all are */
            kept_since: string | null;
            /** @description Fields that differ; empty where a state is not kept; null: not published, or no value */
            fields: {
                /**
                 * @description `name`, `unit`, `cpv`, `category_id`, `kind`, `vendor_count`, `observation_count` or `regions`
                 * @example name
                 */
                field: string;
                from: (string | number | string[]) | null;
                to: (string | number | string[]) | null;
            }[];
            /** @description Markets whose median or vendors differ, the headline first */
            markets: {
                /** @description null: the headline */
                region: string | null;
                median: {
                    from: {
                        /** @description Minor units of the currency: 485 of EUR are 4.85 euros */
                        cents: number;
                        /**
                         * @description ISO 4217 code
                         * @example EUR
                         */
                        currency: string;
                    } | null;
                    to: {
                        /** @description Minor units of the currency: 485 of EUR are 4.85 euros */
                        cents: number;
                        /**
                         * @description ISO 4217 code
                         * @example EUR
                         */
                        currency: string;
                    } | null;
                };
                /** @description Of the median, with two decimals; null between two currencies, and where one is missing */
                change_percent: number | null;
                /** @description Vendors that sell it there; null: not kept */
                vendor_count: {
                    from: number | null;
                    to: number | null;
                };
            }[];
        };
        ListEditionsResponse: {
            editions: {
                /**
                 * @description A month, UTC
                 * @example 2026-10
                 */
                edition: string;
                /**
                 * @description What a citation names: `ccc:` and the month; with an item, `:` and its id
                 * @example ccc:2026-10
                 * @example ccc:2026-10:ci_4pkz6qjxw2h7mtd3ruvy5cnaeo
                 */
                id: string;
                /**
                 * Format: date-time
                 * @description Instant of the last run of the month
                 */
                as_of: string;
                /** @description Items in it */
                count: number;
                /** @description SHA-256 of the manifest, hexadecimal */
                sha256: string;
                /** @description Absolute address of the manifest */
                url: string;
                cite_as: string;
            }[];
        };
        Edition: {
            /**
             * @description A month, UTC
             * @example 2026-10
             */
            edition: string;
            /**
             * @description What a citation names: `ccc:` and the month; with an item, `:` and its id
             * @example ccc:2026-10
             * @example ccc:2026-10:ci_4pkz6qjxw2h7mtd3ruvy5cnaeo
             */
            id: string;
            /** @description Run id */
            run_id: string;
            /**
             * Format: date-time
             * @description Instant of the last run of the month
             */
            as_of: string;
            /**
             * @description Method of pricing of the run
             * @example twm/3
             */
            method: string | null;
            /** @description Newest change of the catalog that is part of it */
            seq: number;
            /** @description Items in it */
            count: number;
            /** @description SHA-256 of all bucket hashes, one after another */
            state_root: string;
            /** @description For each bucket from 0 to 255: SHA-256 over (id, 0x00, SHA-256 of the state), by id in byte order */
            buckets: string[];
            /** @description Licence of the data when the edition was frozen; null: not stated */
            licence: {
                name: string;
                url: string | null;
            } | null;
        };
        EditionItemResponse: {
            /**
             * @description What a citation names: `ccc:` and the month; with an item, `:` and its id
             * @example ccc:2026-10
             * @example ccc:2026-10:ci_4pkz6qjxw2h7mtd3ruvy5cnaeo
             */
            id: string;
            /**
             * @description A month, UTC
             * @example 2026-10
             */
            edition: string;
            /**
             * @description Item id: `ci_` and a unique suffix
             * @example ci_4pkz6qjxw2h7mtd3ruvy5cnaeo
             */
            item_id: string;
            /** @description Run id */
            run_id: string;
            /**
             * Format: date-time
             * @description Instant of the last run of the month
             */
            as_of: string;
            method: string | null;
            /** @description The public state; its canonical JSON (RFC 8785) hashes to `state_sha256` */
            state: {
                item: components["schemas"]["CanonicalItem"];
                regions: string[];
                /** @constant */
                state: "active";
            } & {
                [key: string]: unknown;
            };
            /** @description SHA-256, hexadecimal */
            state_sha256: string;
            /** @description SHA-256 of the manifest of the edition */
            edition_sha256: string;
            /** @description Licence of the data when the edition was frozen; null: not stated */
            licence: {
                name: string;
                url: string | null;
            } | null;
            /** @description Absolute address of this record */
            url: string;
            /** @description A line for a list of references, with the median and its currency */
            cite_as: string;
        };
        EditionItemsResponse: {
            /**
             * @description A month, UTC
             * @example 2026-10
             */
            edition: string;
            states: ({
                item: components["schemas"]["CanonicalItem"];
                regions: string[];
                /** @constant */
                state: "active";
            } & {
                [key: string]: unknown;
            })[];
            /** @description Send it as `cursor` for the next page; null when no page follows */
            cursor: string | null;
        };
        PublicApiMeta: {
            /** @enum {string} */
            tier: "anon" | "public_dev" | "org";
            /** @description The per-minute limit of the caller */
            rate_limit_per_min: number;
        };
        PricingTier: {
            /** @enum {string} */
            tier: "free";
            display_name: string;
            price_usd_month: number;
            rate_limit_per_min: number;
            monthly_request_cap: number;
            features: string[];
        };
        PricingResponse: {
            tiers: components["schemas"]["PricingTier"][];
            plan_url: string;
            note: string;
            docs: string;
        };
        UsageResponse: {
            tier: string;
            rate_limit_per_min: number;
            monthly_cap: number;
            /** @description For an organization key: by all keys of its workspace */
            monthly_used: number;
            monthly_remaining: number;
            /**
             * Format: date-time
             * @description The first of the next month, UTC
             */
            reset_at: string;
            upgrade_url: string;
        };
        CreateDeveloperKeyResponse: {
            /**
             * @description The key, shown only this once
             * @example svc_pub_7Jq2XbT0c9LmZrV4kYpWn8sGdHf1aE3eo2Bq
             */
            key: string;
            rate_limit_per_min: number;
            tier: string;
            docs: string;
            note: string;
        };
        RevokeKeyResponse: {
            revoked: boolean;
            /** @description The key’s id */
            id: string;
        };
        CreateDeveloperKeyRequest: {
            /**
             * Format: email
             * @description Not verified; it limits how many keys are given out
             * @example a@example.org
             */
            email: string;
            /**
             * @description What the key is for
             * @example first steps
             */
            name?: string;
        };
        /** @description The most frequent values first, at most 20 of each */
        ListFacets: {
            /** @description Items that are counted here */
            count: number;
            /** @description false: the numbers are at least so large */
            exact: boolean;
            categories: {
                id: string;
                name: string;
                /** @description Items with it, on all pages */
                count: number;
            }[];
            kinds: {
                kind: string;
                /** @description Items with it, on all pages */
                count: number;
            }[];
            units: {
                unit: string;
                /** @description Items with it, on all pages */
                count: number;
            }[];
            /** @description Of the prices as shown, with the lowest and the highest in cents */
            currencies: {
                currency: string;
                /** @description Items with it, on all pages */
                count: number;
                /** @description Minor units of the currency: 485 of EUR are 4.85 euros */
                price_min: number;
                /** @description Minor units of the currency: 485 of EUR are 4.85 euros */
                price_max: number;
            }[];
            regions: {
                region: string;
                /** @description Items with it, on all pages */
                count: number;
            }[];
        };
        ListItemsResponse: {
            items: components["schemas"]["CanonicalItem"][];
            /** @description Send it as `cursor` for the next page; null when no page follows */
            cursor: string | null;
            meta: components["schemas"]["PublicApiMeta"];
            /** @description With `total`: the items of all pages */
            total?: {
                count: number;
                /** @description false: the numbers are at least so large */
                exact: boolean;
            };
            /** @description With `facets` */
            facets?: components["schemas"]["ListFacets"];
            /** @description With `ids`: those of no item, and of items that are gone */
            not_found?: string[];
            /** @description With `ids`: those of merged items; the item into which they were merged is in `items` */
            merged?: {
                id: string;
                merged_into: string;
            }[];
        };
        FeedState: {
            /** @constant */
            protocol: "ccm/1";
            /** @description Generation of all numbers and chains; numbers of two generations cannot be compared */
            gen: string;
            /** @description Changes on a closed page */
            page_size: number;
            /** @description Instant of the newest change; null before the first */
            updated: string | null;
            /** @description `items`, and `region/ES` and so on for every region */
            scopes: {
                [key: string]: {
                    /** @description Number of a change within its feed: 1, 2, 3 and so on, without a gap */
                    head: number;
                    /** @description SHA-256, hexadecimal */
                    chain: string;
                    /** @description Changes up to this number are no longer kept */
                    floor: number;
                    /** @description Closed pages */
                    closed: number;
                    /** @description Relative to the address of state.json */
                    subscription: string;
                    /** @description The address of a closed page, with its number for {page} */
                    archive: string;
                };
            };
            /** @description The digest at the end of the newest run that has one */
            digest: {
                /** @description Number of a change within its feed: 1, 2, 3 and so on, without a gap */
                mark: number;
                scopes: {
                    [key: string]: {
                        /** @description Number of a change within its feed: 1, 2, 3 and so on, without a gap */
                        seq: number;
                        /** @description Chain of the scope at `seq`, with which a mirror goes on in a later generation */
                        chain?: string;
                        /** @description SHA-256, hexadecimal */
                        state_root: string;
                        /** @description Relative to the address of state.json */
                        url: string;
                    };
                };
            } | null;
            /** @description The newest snapshot */
            snapshot: {
                /** @description Number of a change within its feed: 1, 2, 3 and so on, without a gap */
                seq: number;
                /** Format: date-time */
                created_at: string;
                count: number;
                bytes: number;
                /** @description Relative to the address of state.json */
                url: string;
                /** @description SHA-256 of the manifest */
                sha256: string;
            } | null;
            /** @description Id of this catalog, the same at every address and after every restore */
            catalog?: string;
            /** @description Signatures over the canonical JSON of the other members: docs/mirror-protocol.md */
            signatures?: {
                /** @description Id of a key: the first 32 hex digits of the SHA-256 of its public key */
                key: string;
                /** @description Ed25519, base64url */
                signature: string;
            }[];
            /**
             * Format: date-time
             * @description When this was said: at the last change, or at the begin of the hour
             */
            generated_at?: string;
            /**
             * Format: date-time
             * @description Who still gets this document then reads a stopped copy
             */
            valid_until?: string;
            /** @description Relative to the address of state.json */
            keys?: string;
        };
        FeedKeys: {
            /** @constant */
            protocol: "ccm/1";
            /** @description Id of this catalog, the same at every address and after every restore */
            catalog: string;
            keys: {
                /** @description Id of a key: the first 32 hex digits of the SHA-256 of its public key */
                id: string;
                /** @description Ed25519: 32 bytes, base64url */
                public_key: string;
                /** Format: date-time */
                created_at: string;
                /** @description When it stops to sign; null for the present key */
                signs_until: string | null;
                /** @description Signatures over the canonical JSON of the other members: docs/mirror-protocol.md */
                endorsements: {
                    /** @description Id of a key: the first 32 hex digits of the SHA-256 of its public key */
                    key: string;
                    /** @description Ed25519, base64url */
                    signature: string;
                }[];
            }[];
        };
        FeedDigest: {
            /** @constant */
            protocol: "ccm/1";
            gen: string;
            /**
             * @example items
             * @example region/ES
             */
            scope: string;
            /** @description Number of a change within its feed: 1, 2, 3 and so on, without a gap */
            seq: number;
            /** @description Items in the scope */
            count: number;
            /** @description SHA-256 of all bucket hashes, one after another */
            state_root: string;
            /** @description For each bucket from 0 to 255: SHA-256 over (id, 0x00, SHA-256 of the state), by id in byte order */
            buckets: string[];
            /** @description Id of this catalog, the same at every address and after every restore */
            catalog?: string;
            /** @description Signatures over the canonical JSON of the other members: docs/mirror-protocol.md */
            signatures?: {
                /** @description Id of a key: the first 32 hex digits of the SHA-256 of its public key */
                key: string;
                /** @description Ed25519, base64url */
                signature: string;
            }[];
        };
        SnapshotIndex: {
            /** @constant */
            protocol: "ccm/1";
            snapshots: {
                gen: string;
                /** @description Number of a change within its feed: 1, 2, 3 and so on, without a gap */
                seq: number;
                /** Format: date-time */
                created_at: string;
                /**
                 * @description The month that it is the first snapshot of: kept forever
                 * @example 2026-11
                 */
                edition: string | null;
                /** @description Items in it */
                count: number;
                /** @description Size of all its shards */
                bytes: number;
                /** @description Address of its manifest, relative to this list */
                url: string;
                /** @description SHA-256 of the manifest */
                sha256: string;
            }[];
        };
        MirrorsResponse: {
            /** @description When they were last asked: some five minutes ago at most; null: not yet, or nobody can tell now */
            checked_at: string | null;
            mirrors: {
                /**
                 * @description Base address, for `catalog mirror`: of an API with its /v1, or of a copy as plain files
                 * @example https://mirror.example/catalog
                 */
                url: string;
                /** @description Generation that it is of; null before its first answer */
                gen: string | null;
                /**
                 * @description The feeds that it holds
                 * @example [
                 *       "items"
                 *     ]
                 */
                scopes: string[];
                lag: {
                    /** @description Changes that it lacks, of the feed that lacks most; null: of another generation, or never seen */
                    changes: number | null;
                    /** @description For how long it has been seen to lack any: 0 while it lacks none; null: nobody can tell */
                    seconds: number | null;
                };
                /** @description The newest digest that it names, of its first feed */
                digest: {
                    scope: string;
                    /** @description Number of a change within its feed: 1, 2, 3 and so on, without a gap */
                    seq: number;
                    /** @description SHA-256, hexadecimal */
                    state_root: string;
                    /** @description True where our root at that number is the same; null where we no longer keep ours */
                    is_equal: boolean | null;
                } | null;
                /** @description When it last answered as the protocol says; null: never. The rest is as it was then */
                last_seen_at: string | null;
                /** @description The newest failure to read it, also where it answered since; null: none */
                last_error: {
                    /** Format: date-time */
                    at: string;
                    details: string;
                } | null;
            }[];
        };
        /** @description A JSON Feed 1.1 */
        JsonFeed: {
            /** @constant */
            version: "https://jsonfeed.org/version/1.1";
            title: string;
            home_page_url: string;
            feed_url: string;
            items: ({
                id: string;
                url?: string;
                title: string;
                content_html: string;
                /** Format: date-time */
                date_modified: string;
                tags: string[];
            } & {
                [key: string]: unknown;
            })[];
        } & {
            [key: string]: unknown;
        };
        SearchReason: {
            /** @description Similarity in meaning; 0 when only words found it */
            meaning: number;
            /** @description Share of the question’s words that the item has, rare ones count more */
            words: number;
            /** @description Share of the question’s things that the item names, in any language */
            concepts: number;
            /** @description Overlap of sizes and packs; below 0 another size */
            sizes: number;
            /** @description Likeness in spelling */
            spelling: number;
            /** @description Codes of the question that the item has */
            codes: number;
            /** @description Grades, classes, types and kinds that both state */
            agreed: string[];
            /** @description Those in which the item is another one */
            contradicted: string[];
        };
        Interpretation: {
            /** @description What is looked for, in plain words, folded */
            thing: string;
            /** @description The thing as the trade spells it, where the question as typed found nothing */
            spelling?: string;
            /** @description Words that say nothing of the thing */
            filler?: string[];
            /** @description The market that the question names; it filters without `region` */
            market?: string;
            /** @description What one price is to buy */
            unit?: string;
            kind?: string;
            /** @description Short names, brands and regional words with the plain words taken for them */
            short_names?: {
                [key: string]: string;
            };
            brands?: string[];
            concepts?: string[];
            attributes?: {
                [key: string]: string[];
            };
            sizes?: string[];
            /** @description The contents of a container: 25 kg */
            pack?: string;
        };
        /** @description The most frequent values first, at most 20 of each */
        SearchFacets: {
            /** @description Results on all pages; a search finds at most 200 */
            found: number;
            categories: {
                id: string;
                name: string;
                /** @description Results with it, on all pages */
                count: number;
            }[];
            kinds: {
                kind: string;
                /** @description Results with it, on all pages */
                count: number;
            }[];
            units: {
                unit: string;
                /** @description Results with it, on all pages */
                count: number;
            }[];
            /** @description Of the prices as shown, with the lowest and the highest in cents */
            currencies: {
                currency: string;
                /** @description Results with it, on all pages */
                count: number;
                /** @description Minor units of the currency: 485 of EUR are 4.85 euros */
                price_min: number;
                /** @description Minor units of the currency: 485 of EUR are 4.85 euros */
                price_max: number;
            }[];
            sources: {
                id: string;
                name: string | null;
                /** @description Results with it, on all pages */
                count: number;
            }[];
        };
        SearchResult: {
            /**
             * @description Item id: `ci_` and a unique suffix
             * @example ci_4pkz6qjxw2h7mtd3ruvy5cnaeo
             */
            id: string;
            name: string;
            /**
             * @description Unit of measure with its pack
             * @example 25 kg
             */
            unit?: string | null;
            /** @description EU procurement code; present only when a source gave one */
            cpv?: string | null;
            category_id?: string | null;
            vendor_count: number;
            observation_count: number;
            /** @description Trust-weighted median, recomputed nightly; null while no price is eligible */
            median_price?: {
                /** @description Minor units of the currency: 485 of EUR are 4.85 euros */
                cents: number;
                /**
                 * @description ISO 4217 code
                 * @example EUR
                 */
                currency: string;
                recorded_at: string | null;
            } | null;
            /** Format: date-time */
            updated_at: string;
            score: number;
        };
        FoundItem: {
            /**
             * @description Item id: `ci_` and a unique suffix
             * @example ci_4pkz6qjxw2h7mtd3ruvy5cnaeo
             */
            id: string;
            name: string;
            /**
             * @description Unit of measure with its pack
             * @example 25 kg
             */
            unit?: string | null;
            /** @description EU procurement code; present only when a source gave one */
            cpv?: string | null;
            category_id?: string | null;
            vendor_count: number;
            observation_count: number;
            /** @description Trust-weighted median, recomputed nightly; null while no price is eligible */
            median_price?: {
                /** @description Minor units of the currency: 485 of EUR are 4.85 euros */
                cents: number;
                /**
                 * @description ISO 4217 code
                 * @example EUR
                 */
                currency: string;
                recorded_at: string | null;
            } | null;
            /** Format: date-time */
            updated_at: string;
            /**
             * @description Compares results of one answer:
             *     - 10 and more: the query says the GTIN or the reference of the item’s manufacturer
             *     - 3 to 7: the item has a code of the query
             *     - below 3: likeness in meaning, 0 to 1, and up to 1.05 for words, sizes and spelling in common
             */
            score: number;
            /**
             * Format: uri
             * @description The page of the item for people, with the same prices
             */
            page_url: string;
            /** @description Why it was found; with `explain` */
            why?: components["schemas"]["SearchReason"];
        };
        SearchResponse: {
            query: string;
            results: components["schemas"]["FoundItem"][];
            /** @enum {string} */
            mode: "vector" | "fallback_no_ai" | "vector_no_match" | "empty_embedding";
            /** @description Send it as `cursor` for the next page; absent at the end */
            cursor?: string;
            /** @description Values to filter by next; with `facets` */
            facets?: components["schemas"]["SearchFacets"];
            /** @description What the question was read as; with `explain` */
            interpreted?: components["schemas"]["Interpretation"];
        };
        LineEvidence: {
            /** @description Share of the words that the name contains, in any language */
            words: number;
            /** @description Similarity in meaning; 0 when only words found it */
            meaning: number;
            /**
             * @description equal: the item has every size of the line; unknown: the item lacks one; none: the line has no size
             * @enum {string}
             */
            sizes: "equal" | "unknown" | "none";
            /**
             * @description The unit of the line compared with the item’s
             * @enum {string}
             */
            unit: "equal" | "convertible" | "unknown";
        };
        MatchResponse: {
            lines: {
                text: string;
                /**
                 * @description ambiguous: several items fit equally well, or a size or unit is unknown
                 * @enum {string}
                 */
                status: "matched" | "ambiguous" | "unmatched";
                /** @description For an unmatched line: why the nearest item does not fit; null where a person said that it means no item */
                reason: ("nothing_near" | "size_differs" | "designation_differs" | "unit_differs") | null;
                /**
                 * @description correction: a person of the workspace said what the line means
                 * @enum {string}
                 */
                decided_by: "search" | "correction";
                /** @description Its score, 0 to 1, is the confidence of the match */
                item: components["schemas"]["SearchResult"] | null;
                evidence: components["schemas"]["LineEvidence"] | null;
                /** @description How many of the item's units one unit of a matched line holds, to 12 digits: 1000 for a line in t and an item in kg; null where one does not convert into the other */
                item_units: number | null;
                /** @description Cost of the quantity at the median price; null for an undecided line, and when quantity, price or units are not known */
                cost: {
                    /** @description Minor units of the currency: 485 of EUR are 4.85 euros */
                    cents: number;
                    /**
                     * @description ISO 4217 code
                     * @example EUR
                     */
                    currency: string;
                } | null;
                alternatives: {
                    item: components["schemas"]["SearchResult"];
                    evidence: components["schemas"]["LineEvidence"];
                }[];
            }[];
            matched: number;
            ambiguous: number;
            unmatched: number;
            /**
             * @description fallback_no_ai: found by words only
             * @enum {string}
             */
            mode: "vector" | "fallback_no_ai";
        };
        /**
         * @example {
         *       "region": "ES",
         *       "lines": [
         *         {
         *           "text": "cement 25 kg",
         *           "unit": "kg",
         *           "quantity": 500
         *         },
         *         {
         *           "text": "pladur 13 mm"
         *         }
         *       ]
         *     }
         */
        MatchRequest: {
            lines: {
                /**
                 * @description The text of the line
                 * @example cement 25 kg
                 */
                text: string;
                unit?: string | null;
                quantity?: number | null;
                region?: ("ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM") | null;
            }[];
            region?: ("ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM") | null;
            price_region?: ("ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM") | null;
            lang?: string | null;
            /** @description Most alternative items per line; absent: 3 */
            alternatives?: number;
        };
        Source: {
            /**
             * @description Source id: `src_` and a unique suffix
             * @example src_4pkz6qjxw2h7mtd3ruvy5cnaeo
             */
            id: string;
            name: string;
            region: string | null;
            url: string | null;
            /**
             * @description A shop, bids in tenders, or a price bank
             * @enum {string}
             */
            kind: "shop" | "bid" | "bank";
            /** @description Current weight of its votes */
            trust_score: number;
            /**
             * @description Its prices hold until a newer edition of its list or a newer price; absent: by days alone
             * @constant
             */
            validity?: "until_superseded";
            /** @description Days for which an observation keeps its vote at most */
            validity_days: number;
            /** @description false: it has no votes */
            enabled: boolean;
            /** @description On which terms its publisher gives the prices away; null where nobody stated them */
            licence: {
                /**
                 * @description SPDX identifier, or the name that the publisher uses; null where none is named
                 * @example CC-BY-4.0
                 */
                name: string | null;
                /** @description What the publisher says */
                terms: string | null;
                /** @description Where that stands */
                url: string | null;
                /**
                 * @description Whether the terms allow passing the prices on; unknown: they do not say
                 * @enum {string}
                 */
                redistribution: "yes" | "no" | "unknown";
                /**
                 * @description Whether the terms allow commercial use; unknown: they do not say
                 * @enum {string}
                 */
                commercial_use: "yes" | "no" | "unknown";
                /** @description The words to show beside the prices */
                attribution: string | null;
                /**
                 * @description The day on which a person read the terms
                 * @example 2026-11-23
                 */
                checked_on: string;
            } | null;
            /** @description The source that speaks for its legal vendor: its trust, validity and switch hold, and both cast one vote; null: itself */
            alias_of: string | null;
            /** @description The sources that are other spellings of this one, sorted */
            aliases: string[];
            vendor_sku_count: number;
            /** @description All recorded observations, including retracted ones */
            observation_count: number;
            /** @description Date of its newest price; counts are at most a minute old */
            last_observed_at: string | null;
            /** @description The newest crawl, whatever its outcome; null when there was none */
            last_crawl: {
                /** @description Crawl id */
                id: string;
                /** @description When fetching began; null for a file, which is not fetched */
                started_at: string | null;
                /**
                 * Format: date-time
                 * @description When it ended; for a held crawl that a person accepted or dropped, when they did
                 */
                finished_at: string;
                /**
                 * @description recorded: its observations count. unchanged: the vendor’s server reported no change. failed: it could fetch nothing. held: it differs from earlier crawls and waits for a person. dropped: a person discarded it
                 * @enum {string}
                 */
                outcome: "recorded" | "unchanged" | "failed" | "held" | "dropped";
                /** @description false: it stopped early, or missed too many documents */
                complete: boolean;
                /** @description true: it fetched only changes since the last complete crawl */
                partial: boolean;
                /** @description Candidate observations: appended, duplicates and parked together. For a held or dropped crawl, all four are the numbers that recording it would have given */
                read: number;
                /** @description Recorded observations */
                appended: number;
                /** @description Observations equal to another one of the crawl */
                duplicates: number;
                /** @description Observations that could not be recorded */
                parked: number;
                /** @description (appended + duplicates) / read; null when nothing was read */
                parse_rate: number | null;
                /** @description Documents that could not be fetched */
                missed: number;
                /** @description SKUs of the complete crawl used for comparison; null when nothing was compared */
                known: number | null;
                /** @description Known SKUs that this crawl did not find; null when nothing was compared */
                vanished: number | null;
                /** @description Known SKUs that this crawl found with another price; null when nothing was compared */
                changed: number | null;
                /** @description changed / (known - vanished); null when it found no known SKU */
                changed_share: number | null;
                /** @description Largest drop in the share of records with a field, since the crawl used for comparison: 0 for an unchanged layout; null when nothing was compared */
                drift: number | null;
                /**
                 * @description Codes of the problems found, each once; empty when there were none
                 * @example [
                 *       "NOT_FETCHED"
                 *     ]
                 */
                problems: string[];
            } | null;
            /** @description The newest recorded crawl that read the whole source; null when there was none */
            last_complete_crawl: {
                /** @description Crawl id */
                id: string;
                /** @description When fetching began; null for a file, which is not fetched */
                started_at: string | null;
                /**
                 * Format: date-time
                 * @description When it ended; for a held crawl that a person accepted or dropped, when they did
                 */
                finished_at: string;
                /**
                 * @description recorded: its observations count. unchanged: the vendor’s server reported no change. failed: it could fetch nothing. held: it differs from earlier crawls and waits for a person. dropped: a person discarded it
                 * @enum {string}
                 */
                outcome: "recorded" | "unchanged" | "failed" | "held" | "dropped";
                /** @description false: it stopped early, or missed too many documents */
                complete: boolean;
                /** @description true: it fetched only changes since the last complete crawl */
                partial: boolean;
                /** @description Candidate observations: appended, duplicates and parked together. For a held or dropped crawl, all four are the numbers that recording it would have given */
                read: number;
                /** @description Recorded observations */
                appended: number;
                /** @description Observations equal to another one of the crawl */
                duplicates: number;
                /** @description Observations that could not be recorded */
                parked: number;
                /** @description (appended + duplicates) / read; null when nothing was read */
                parse_rate: number | null;
                /** @description Documents that could not be fetched */
                missed: number;
                /** @description SKUs of the complete crawl used for comparison; null when nothing was compared */
                known: number | null;
                /** @description Known SKUs that this crawl did not find; null when nothing was compared */
                vanished: number | null;
                /** @description Known SKUs that this crawl found with another price; null when nothing was compared */
                changed: number | null;
                /** @description changed / (known - vanished); null when it found no known SKU */
                changed_share: number | null;
                /** @description Largest drop in the share of records with a field, since the crawl used for comparison: 0 for an unchanged layout; null when nothing was compared */
                drift: number | null;
                /**
                 * @description Codes of the problems found, each once; empty when there were none
                 * @example [
                 *       "NOT_FETCHED"
                 *     ]
                 */
                problems: string[];
            } | null;
            /** @description The newest crawl that waits for a person to accept or drop it; null when none waits */
            held_crawl: string | null;
            /** @description How good its data is; in the answer for a single source only */
            quality?: {
                /** @description SKUs behind these figures: the newest ones of a large source */
                skus: number;
                /** @description All SKUs of the source */
                vendor_skus: number;
                unknown_units: {
                    /** @description Latest prices in a unit that the catalog does not know */
                    count: number;
                    /** @description Their share of the latest prices; null when nothing was counted */
                    share: number | null;
                    /** @description The most frequent such units, each with a reference of the vendor */
                    examples: {
                        unit: string;
                        count: number;
                        vendor_ref: string;
                    }[];
                };
                tax: {
                    net: number;
                    gross_with_rate: number;
                    gross_without_rate: number;
                    /** @description Latest prices that say neither net nor gross */
                    not_stated: number;
                    /** @description Share of not_stated; null when nothing was counted */
                    not_stated_share: number | null;
                };
                parked: {
                    /** @description Records that wait as dead letters */
                    open: number;
                    /** @description Share of the records that the last recorded crawl parked; null when nothing was counted */
                    share: number | null;
                    reasons: {
                        reason: string;
                        count: number;
                    }[];
                };
                /** @description Ratios of its votes to the medians */
                dispersion: {
                    /** @description Votes on items where others vote in the same market */
                    compared: number;
                    p10: number | null;
                    p50: number | null;
                    p90: number | null;
                    /** @description Share of the votes below half or above twice the median; null when nothing was counted */
                    beyond_2_share: number | null;
                };
                suspect_merges: {
                    /** @description Items where it stands more than 2 times from the others of the market */
                    count: number;
                    examples: {
                        item_id: string;
                        name: string;
                        ratio: number;
                    }[];
                };
                staleness: {
                    /** @description Whole days since its newest price */
                    age_days: number | null;
                    validity_days: number;
                    /** @description Share of the SKUs whose latest price has lost its vote by age; null when nothing was counted */
                    expired_share: number | null;
                };
                /** @description Largest drop in the share of records with a field, in the last compared crawl; null when nothing was counted */
                drift: number | null;
                /** @description Date of its oldest price */
                first_seen_at: string | null;
                /** @description Date of its newest price */
                last_seen_at: string | null;
            };
        };
        ListSourcesResponse: {
            sources: components["schemas"]["Source"][];
            /** @description Send it as `cursor` for the next page; null when no page follows */
            cursor: string | null;
        };
        ListIndicesResponse: {
            indices: {
                /**
                 * @description Index id: `idx_` and a unique suffix
                 * @example idx_4pkz6qjxw2h7mtd3ruvy5cnaeo
                 */
                id: string;
                /** @description The office that publishes it; it need not be a source of prices */
                publisher: {
                    id: string;
                    name: string;
                    url: string | null;
                };
                /**
                 * @description The publisher’s own code of the series
                 * @example 001710986
                 */
                series: string;
                title: string;
                /**
                 * @description A country, a subdivision of one (ISO 3166-2), EU or LATAM
                 * @example FR
                 */
                region: string | null;
                /**
                 * @description The base, as its publisher writes it
                 * @example 2010=100
                 */
                base: string | null;
                /** @enum {string} */
                frequency: "month" | "quarter" | "year";
                /** @description Periods that have a value */
                point_count: number;
                /**
                 * @description A month, a quarter or a year: `2026-09`, `2026-Q3` or `2026`
                 * @example 2026-09
                 */
                first_period: string;
                last: {
                    /**
                     * @description A month, a quarter or a year: `2026-09`, `2026-Q3` or `2026`
                     * @example 2026-09
                     */
                    period: string;
                    /**
                     * @description Exact decimal, as its publisher stated it
                     * @example 140.1
                     */
                    value: string;
                    /**
                     * Format: date-time
                     * @description When its publisher stated the value, or when it was read
                     */
                    observed_at: string;
                };
                /** @description On which terms its publisher gives it away; null where nobody stated them */
                licence: {
                    /**
                     * @description SPDX identifier, or the name that the publisher uses; null where none is named
                     * @example CC-BY-4.0
                     */
                    name: string | null;
                    /** @description What the publisher says */
                    terms: string | null;
                    /** @description Where that stands */
                    url: string | null;
                    /**
                     * @description Whether the terms allow passing the prices on; unknown: they do not say
                     * @enum {string}
                     */
                    redistribution: "yes" | "no" | "unknown";
                    /**
                     * @description Whether the terms allow commercial use; unknown: they do not say
                     * @enum {string}
                     */
                    commercial_use: "yes" | "no" | "unknown";
                    /** @description The words to show beside the prices */
                    attribution: string | null;
                    /**
                     * @description The day on which a person read the terms
                     * @example 2026-11-23
                     */
                    checked_on: string;
                } | null;
            }[];
            /** @description Send it as `cursor` for the next page; null when no page follows */
            cursor: string | null;
        };
        IndexDetail: {
            index: {
                /**
                 * @description Index id: `idx_` and a unique suffix
                 * @example idx_4pkz6qjxw2h7mtd3ruvy5cnaeo
                 */
                id: string;
                /** @description The office that publishes it; it need not be a source of prices */
                publisher: {
                    id: string;
                    name: string;
                    url: string | null;
                };
                /**
                 * @description The publisher’s own code of the series
                 * @example 001710986
                 */
                series: string;
                title: string;
                /**
                 * @description A country, a subdivision of one (ISO 3166-2), EU or LATAM
                 * @example FR
                 */
                region: string | null;
                /**
                 * @description The base, as its publisher writes it
                 * @example 2010=100
                 */
                base: string | null;
                /** @enum {string} */
                frequency: "month" | "quarter" | "year";
                /** @description Periods that have a value */
                point_count: number;
                /**
                 * @description A month, a quarter or a year: `2026-09`, `2026-Q3` or `2026`
                 * @example 2026-09
                 */
                first_period: string;
                last: {
                    /**
                     * @description A month, a quarter or a year: `2026-09`, `2026-Q3` or `2026`
                     * @example 2026-09
                     */
                    period: string;
                    /**
                     * @description Exact decimal, as its publisher stated it
                     * @example 140.1
                     */
                    value: string;
                    /**
                     * Format: date-time
                     * @description When its publisher stated the value, or when it was read
                     */
                    observed_at: string;
                };
                /** @description On which terms its publisher gives it away; null where nobody stated them */
                licence: {
                    /**
                     * @description SPDX identifier, or the name that the publisher uses; null where none is named
                     * @example CC-BY-4.0
                     */
                    name: string | null;
                    /** @description What the publisher says */
                    terms: string | null;
                    /** @description Where that stands */
                    url: string | null;
                    /**
                     * @description Whether the terms allow passing the prices on; unknown: they do not say
                     * @enum {string}
                     */
                    redistribution: "yes" | "no" | "unknown";
                    /**
                     * @description Whether the terms allow commercial use; unknown: they do not say
                     * @enum {string}
                     */
                    commercial_use: "yes" | "no" | "unknown";
                    /** @description The words to show beside the prices */
                    attribution: string | null;
                    /**
                     * @description The day on which a person read the terms
                     * @example 2026-11-23
                     */
                    checked_on: string;
                } | null;
            };
            /** @description By period; all of them, unless `from` or `to` chooses some */
            points: {
                /**
                 * @description A month, a quarter or a year: `2026-09`, `2026-Q3` or `2026`
                 * @example 2026-09
                 */
                period: string;
                /**
                 * @description Exact decimal, as its publisher stated it
                 * @example 140.1
                 */
                value: string;
                /**
                 * Format: date-time
                 * @description When its publisher stated the value, or when it was read
                 */
                observed_at: string;
                /** @description How often its publisher changed the value */
                revisions: number;
                /** @description SHA-256 of what was recorded, hexadecimal */
                point_id: string;
            }[];
        };
        Incident: {
            id: string;
            title: string;
            /**
             * @description What happened, in plain text
             * @default null
             */
            text: string | null;
            /**
             * @description While it is open, the state is this at least
             * @enum {string}
             */
            impact: "none" | "degraded" | "down";
            /** Format: date-time */
            began_at: string;
            /**
             * @description null: it is not over
             * @default null
             */
            ended_at: string | null;
        };
        StatusResponse: {
            /**
             * @description ok; degraded: reads answer, and something does not; down: reads do not answer
             * @enum {string}
             */
            state: "ok" | "degraded" | "down";
            /** @description `database_away` (the database does not answer; what the copy of this server holds is served from there); `database_read_only` (the database takes no writes, so nothing new is recorded; reads go on); `nothing_to_read` (neither the database nor a copy of it answers); `replica_behind` (the copy of this server does not follow; the database answers instead); `projections_behind` (recorded prices wait for a long time until they show); `search_away` (search does not answer); `search_behind` (search does not find what changed lately); `incident` (the operator reports an incident that is not over) */
            problems: ("database_away" | "database_read_only" | "nothing_to_read" | "replica_behind" | "projections_behind" | "search_away" | "search_behind" | "incident")[];
            /**
             * Format: date-time
             * @description Some seconds ago at most
             */
            checked_at: string;
            database: {
                answers: boolean;
                /** @description For how long it has not answered; 0 while it does */
                away_seconds: number;
            };
            /** @description While the database is away: as it was when it answered last */
            catalog: {
                /** @description Number of the newest change, as in the feeds; null: unknown */
                seq: number | null;
                /** @description The last finished run, which computed the medians; null before the first */
                run: {
                    /** @description null while only the copy knows of it */
                    id: string | null;
                    /** Format: date-time */
                    as_of: string;
                    /** @description null: unknown */
                    finished_at: string | null;
                } | null;
                /** @description The newest snapshot; null: there is none, or it is unknown */
                snapshot: {
                    /** @description Number of a change within its feed: 1, 2, 3 and so on, without a gap */
                    seq: number;
                    /** Format: date-time */
                    created_at: string;
                } | null;
            };
            /** @description How far the tables are behind the log of recorded prices and decisions */
            projections: {
                /** @description Records that are missing; null: nobody can tell now */
                records: number | null;
                /** @description For how long this server has seen any missing: 0 while none is; null: nobody can tell now */
                seconds: number | null;
            };
            /** @description The copy from which this server answers public reads; null: it has none */
            replica: {
                /** @description Number of a change within its feed: 1, 2, 3 and so on, without a gap */
                seq: number;
                /** @description How far it is behind the database */
                lag: {
                    /** @description Records that are missing; null: nobody can tell now */
                    records: number | null;
                    /** @description For how long this server has seen any missing: 0 while none is; null: nobody can tell now */
                    seconds: number | null;
                };
            } | null;
            search: {
                answers: boolean;
                /** @description The newest change that it finds; null: unknown */
                seq: number | null;
                /** @description How far it is behind the catalog */
                lag: {
                    /** @description Records that are missing; null: nobody can tell now */
                    records: number | null;
                    /** @description For how long this server has seen any missing: 0 while none is; null: nobody can tell now */
                    seconds: number | null;
                };
            };
            /** @description The newest first, at most 20 */
            incidents: components["schemas"]["Incident"][];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Identifies this request in the log of the service */
        "X-Request-Id": string;
        /** @description Limit of the bucket that counted or refused the request */
        "X-RateLimit-Limit": number;
        /** @description Requests left in the window, as far as this process knows */
        "X-RateLimit-Remaining": number;
        /** @description Start of the next window, in seconds since 1970 */
        "X-RateLimit-Reset": number;
        /** @description The same limit, and the monthly one if there is one, in the format of the IETF draft */
        "RateLimit-Policy": string;
        /** @description Requests left of each limit, and seconds until it resets */
        RateLimit: string;
        /** @description Permissions of caches */
        "Cache-Control": string;
        /** @description The request headers that the answer depends on */
        Vary: string;
        /** @description Strong entity tag of the body in this coding; send it back in If-None-Match */
        ETag: string;
        /** @description br or gzip, when Accept-Encoding allows it and the body is long enough */
        "Content-Encoding": string;
        /** @description When the part of the catalog that this shows last changed; absent for the first seconds after that. Send it back in If-Modified-Since if you cannot store the ETag */
        "Last-Modified": string;
        /** @description rel="next", absolute; absent on the last page */
        Link: string;
        /** @description Whose medians these are: the region of `price_region`; or `headline`, in the currency with the most trust */
        "Price-Region": string;
        /** @description rel="help": explanation of the code */
        "Link-2": string;
        /** @description Bearer */
        "WWW-Authenticate": string;
        /** @description Equal to retry_after_seconds */
        "Retry-After": number;
        /** @description Address of the surviving item, when the requested one was merged into it */
        "Content-Location": string;
        /** @description Weak entity tag of the catalog, the parameters and the format; send it back in If-None-Match, and get 304 until something is published */
        "ETag-2": string;
        /** @description attachment, with the name of the file */
        "Content-Disposition": string;
        /** @description Fields after the body: Export-Complete (true or false), Export-Items (how many), Export-After (where to continue), Export-Seq-From and Export-Seq-To (newest change of the catalog at the beginning and at the end) */
        Trailer: string;
        /** @description The accepted media type */
        Accept: string;
        /** @description rel="help": explanation of the code; rel="snapshot": the snapshot to restart a copy from */
        "Link-3": string;
        /** @description Absolute address of the subscription */
        Location: string;
        /** @description When the file was written */
        "Last-Modified-2": string;
        /** @description bytes */
        "Accept-Ranges": string;
        /** @description Position of the range in the file */
        "Content-Range": string;
        /** @description Length of the file: bytes *\/LENGTH */
        "Content-Range-2": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listItems: {
        parameters: {
            query?: {
                /** @description See one market: only items that are sold in this region. Also a subdivision by ISO 3166-2, such as BR-SP, of AR, BR, CL, CO, ES, GB, IT, MX, PE, US */
                region?: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
                /** @description Filter a list by name: every word stands in it, letter by letter. `/search` finds by meaning */
                q?: string;
                /** @description Read the next page: the `cursor` of the page before, with the same filters. Absent: the first page */
                cursor?: string;
                /** @description Most items on a page, 1 to 100: more on a page need fewer requests. Absent: 50 */
                limit?: number;
                /** @description Ask for the money of one market: `median_price` is the median of this region, or null where it has none, and `name` the one that its vendors use. Absent: the headline, in the currency with the most trust. Also a subdivision by ISO 3166-2, such as BR-SP, of AR, BR, CL, CO, ES, GB, IT, MX, PE, US */
                price_region?: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
                /** @description Show names in this language: `name` is the one that vendors use in it, in the market of `price_region` if there is one. Absent, or no such name: the headline */
                lang?: string;
                /** @description Order a list: `id` lists every item once, to copy the list; `updated` ascends by change, to follow it, and `-updated` shows the latest changes first. `name` orders by the name in the headline, without case and accents, by its first 100 characters. `price` and `-price` order by `median_price` as shown, within each currency, and need `currency` or `price_region`; items without a price come last. Equal ones are in the order of their ids, descending under `-updated` and `-price` */
                sort?: "id" | "updated" | "-updated" | "name" | "price" | "-price";
                /** @description Narrow to a branch of the tree: only items in the category of this id, or in any below it. `/categories` lists the ids */
                category_id?: string;
                /** @description Keep works out of a list of materials, or the reverse: only items of this kind. Items whose texts do not say their kind have none */
                kind?: "material" | "labour" | "machinery" | "hire" | "work";
                /** @description Compare like with like: only items sold in this unit; `m2` finds `m²` */
                unit?: string;
                /** @description Compare or sort prices: only items whose `median_price` as shown is in this currency */
                currency?: string;
                /** @description See what one vendor sells: only items that have a vendor SKU of the source of this id. `/sources` lists the ids */
                source?: string;
                /** @description Leave out cheaper items: the lowest `median_price.cents` as shown, in cents of `currency`, which it needs */
                price_min?: number;
                /** @description Leave out dearer items: the highest `median_price.cents` as shown, in cents of `currency`, which it needs */
                price_max?: number;
                /** @description Read only what is new since your last visit: items whose `updated_at` is this instant or later */
                updated_since?: string | unknown | unknown;
                /** @description Find a product by its code: only items of which a vendor says this GTIN (EAN, UPC); leading zeros do not matter */
                gtin?: string;
                /** @description Find a product by its maker's code: only items of which a vendor says this manufacturer's reference, with the brand where vendors write it there; case, blanks and punctuation do not matter */
                manufacturer_ref?: string;
                /** @description Narrow to a procurement class: only items whose `cpv` begins so: `45` a division, `4526` a class, `45262311` a category with or without its check digit. Items without a code are in none */
                cpv?: string;
                /** @description Read many items in one request: these, at most 100 ids separated by commas: all on one page, in the order of the ids, each once. Merged items answer as the item into which they were merged (`merged`); ids of no item stand in `not_found`. No filter, `sort`, `cursor` or count beside it; `limit` does not matter */
                ids?: string;
                /** @description Read less: only these fields of each item, separated by commas. `id`, `name`, `vendor_count`, `observation_count`, `updated_at` are always there */
                fields?: string;
                /** @description Count first: also how many items the filters select, on all pages */
                total?: "true" | "false" | "1" | "0";
                /** @description Offer filters: also how many of them are of each category, kind, unit, currency and region */
                facets?: "true" | "false" | "1" | "0";
                /** @description Shorter to type: another name of `category_id` */
                category?: string;
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of items */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    Link: components["headers"]["Link"];
                    "Price-Region": components["headers"]["Price-Region"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "ci_4pkz6qjxw2h7mtd3ruvy5cnaeo",
                     *           "name": "Placa de yeso laminado 13 mm",
                     *           "unit": "m²",
                     *           "cpv": "44112300",
                     *           "category_id": "cat_m5xwq2zk7hjd4ty6",
                     *           "vendor_count": 3,
                     *           "observation_count": 12,
                     *           "median_price": {
                     *             "cents": 485,
                     *             "currency": "EUR",
                     *             "recorded_at": "2026-11-20T02:00:00Z"
                     *           },
                     *           "updated_at": "2026-11-20T02:00:00Z"
                     *         }
                     *       ],
                     *       "cursor": "AWNpXzRwa3o2cWp4dzJoN210ZDNydXZ5NWNuYWVvh0Jm2nqX5Zs",
                     *       "meta": {
                     *         "tier": "anon",
                     *         "rate_limit_per_min": 60
                     *       },
                     *       "total": {
                     *         "count": 42,
                     *         "exact": true
                     *       },
                     *       "facets": {
                     *         "count": 42,
                     *         "exact": true,
                     *         "categories": [
                     *           {
                     *             "id": "cat_m5xwq2zk7hjd4ty6",
                     *             "name": "Plaster and drywall",
                     *             "count": 40
                     *           }
                     *         ],
                     *         "kinds": [
                     *           {
                     *             "kind": "material",
                     *             "count": 42
                     *           }
                     *         ],
                     *         "units": [
                     *           {
                     *             "unit": "m²",
                     *             "count": 31
                     *           }
                     *         ],
                     *         "currencies": [
                     *           {
                     *             "currency": "EUR",
                     *             "count": 39,
                     *             "price_min": 320,
                     *             "price_max": 1890
                     *           }
                     *         ],
                     *         "regions": [
                     *           {
                     *             "region": "ES",
                     *             "count": 42
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ListItemsResponse"];
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Price-Region": components["headers"]["Price-Region"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "item_not_found",
                     *       "details": "item 'ci_none' does not exist"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getItem: {
        parameters: {
            query?: {
                /** @description Ask for the money of one market: `median_price` is the median of this region, or null where it has none, and `name` the one that its vendors use. Absent: the headline, in the currency with the most trust. Also a subdivision by ISO 3166-2, such as BR-SP, of AR, BR, CL, CO, ES, GB, IT, MX, PE, US */
                price_region?: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
                /** @description Show names in this language: `name` is the one that vendors use in it, in the market of `price_region` if there is one. Absent, or no such name: the headline */
                lang?: string;
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description Id of an item, as `/search` and `/items` give it
                 * @example ci_4pkz6qjxw2h7mtd3ruvy5cnaeo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The item */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Content-Location": components["headers"]["Content-Location"];
                    "Price-Region": components["headers"]["Price-Region"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "ci_4pkz6qjxw2h7mtd3ruvy5cnaeo",
                     *         "name": "Placa de yeso laminado 13 mm",
                     *         "unit": "m²",
                     *         "cpv": "44112300",
                     *         "category_id": "cat_m5xwq2zk7hjd4ty6",
                     *         "vendor_count": 3,
                     *         "observation_count": 12,
                     *         "median_price": {
                     *           "cents": 485,
                     *           "currency": "EUR",
                     *           "recorded_at": "2026-11-20T02:00:00Z"
                     *         },
                     *         "updated_at": "2026-11-20T02:00:00Z"
                     *       },
                     *       "vendors": [
                     *         {
                     *           "vendor_sku_id": "vsku_r3k6hzqf5m2xwtjd7cnyvboua4",
                     *           "source": {
                     *             "name": "Materiales Norte",
                     *             "region": "ES",
                     *             "trust_score": 70,
                     *             "url": "https://materiales-norte.example"
                     *           },
                     *           "price": {
                     *             "cents": 485,
                     *             "currency": "EUR"
                     *           },
                     *           "unit": "m²",
                     *           "observed_at": "2026-11-19T08:30:00Z"
                     *         }
                     *       ],
                     *       "price_history": [
                     *         {
                     *           "recorded_at": "2026-08-22T02:00:00Z",
                     *           "price_cents": 472,
                     *           "currency": "EUR"
                     *         },
                     *         {
                     *           "recorded_at": "2026-11-20T02:00:00Z",
                     *           "price_cents": 485,
                     *           "currency": "EUR"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ItemDetailResponse"];
                    /**
                     * @example # Placa de yeso laminado 13 mm
                     *
                     *     - Price: 4.85 EUR per m², trust-weighted median, unchanged since 2026-11-20T02:00:00Z
                     *     - Id: ci_4pkz6qjxw2h7mtd3ruvy5cnaeo
                     *     - Kind: material
                     *     - CPV: 44112300
                     *     - Category: cat\_m5xwq2zk7hjd4ty6
                     *     - Vendors: 3, observations: 12
                     *     - Updated: 2026-11-20T02:00:00Z
                     *
                     *     ## Vendors
                     *
                     *     | Source | Region | Trust (0-100) | Price | Per | Unit price | Observed |
                     *     | --- | --- | --- | --- | --- | --- | --- |
                     *     | [Materiales Norte](<https://materiales-norte.example>) | ES | 70 | 4.85 EUR | m² | 4.85 EUR/m² | 2026-11-19T08:30:00Z |
                     *
                     *     ## Price history, 90 days
                     *
                     *     | From | Median |
                     *     | --- | --- |
                     *     | 2026-08-22T02:00:00Z | 4.72 EUR |
                     *     | 2026-11-20T02:00:00Z | 4.85 EUR |
                     */
                    "text/markdown": string;
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Location": components["headers"]["Content-Location"];
                    "Price-Region": components["headers"]["Price-Region"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "item_not_found",
                     *       "details": "item 'ci_none' does not exist"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportItemsCsv: {
        parameters: {
            query?: {
                /** @description See one market: only items that are sold in this region. Also a subdivision by ISO 3166-2, such as BR-SP, of AR, BR, CL, CO, ES, GB, IT, MX, PE, US */
                region?: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
                /** @description Filter a list by name: every word stands in it, letter by letter. `/search` finds by meaning */
                q?: string;
                /** @description Continue after this item: `Export-After`, `after` of the last line, or the last `id` that arrived whole. Exports ascend by `id` */
                after?: string;
                /** @description Take a part: end after so many items. Absent: all */
                limit?: number;
                /** @description Ask for the money of one market: `median_price` is the median of this region, or null where it has none, and `name` the one that its vendors use. Absent: the headline, in the currency with the most trust. Also a subdivision by ISO 3166-2, such as BR-SP, of AR, BR, CL, CO, ES, GB, IT, MX, PE, US */
                price_region?: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
                /** @description Show names in this language: `name` is the one that vendors use in it, in the market of `price_region` if there is one. Absent, or no such name: the headline */
                lang?: string;
                /** @description Narrow to a branch of the tree: only items in the category of this id, or in any below it. `/categories` lists the ids */
                category_id?: string;
                /** @description Keep works out of a list of materials, or the reverse: only items of this kind. Items whose texts do not say their kind have none */
                kind?: "material" | "labour" | "machinery" | "hire" | "work";
                /** @description Compare like with like: only items sold in this unit; `m2` finds `m²` */
                unit?: string;
                /** @description Compare or sort prices: only items whose `median_price` as shown is in this currency */
                currency?: string;
                /** @description See what one vendor sells: only items that have a vendor SKU of the source of this id. `/sources` lists the ids */
                source?: string;
                /** @description Leave out cheaper items: the lowest `median_price.cents` as shown, in cents of `currency`, which it needs */
                price_min?: number;
                /** @description Leave out dearer items: the highest `median_price.cents` as shown, in cents of `currency`, which it needs */
                price_max?: number;
                /** @description Read only what is new since your last visit: items whose `updated_at` is this instant or later */
                updated_since?: string | unknown | unknown;
                /** @description Find a product by its code: only items of which a vendor says this GTIN (EAN, UPC); leading zeros do not matter */
                gtin?: string;
                /** @description Find a product by its maker's code: only items of which a vendor says this manufacturer's reference, with the brand where vendors write it there; case, blanks and punctuation do not matter */
                manufacturer_ref?: string;
                /** @description Narrow to a procurement class: only items whose `cpv` begins so: `45` a division, `4526` a class, `45262311` a category with or without its check digit. Items without a code are in none */
                cpv?: string;
                /** @description Shorter to type: another name of `category_id` */
                category?: string;
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Price-Region": components["headers"]["Price-Region"];
                    ETag: components["headers"]["ETag-2"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    Trailer: components["headers"]["Trailer"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id,name,unit,category_id,category,cpv,median_price,currency,median_cents,median_recorded_at,price_region,vendor_count,observation_count,updated_at
                     *     ci_4pkz6qjxw2h7mtd3ruvy5cnaeo,Placa de yeso laminado 13 mm,m²,cat_m5xwq2zk7hjd4ty6,,44112300,4.85,EUR,485,2026-11-20T02:00:00Z,headline,3,12,2026-11-20T02:00:00Z
                     */
                    "text/csv": string;
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag-2"];
                    "Price-Region": components["headers"]["Price-Region"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "item_not_found",
                     *       "details": "item 'ci_none' does not exist"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportItemsNdjson: {
        parameters: {
            query?: {
                /** @description See one market: only items that are sold in this region. Also a subdivision by ISO 3166-2, such as BR-SP, of AR, BR, CL, CO, ES, GB, IT, MX, PE, US */
                region?: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
                /** @description Filter a list by name: every word stands in it, letter by letter. `/search` finds by meaning */
                q?: string;
                /** @description Continue after this item: `Export-After`, `after` of the last line, or the last `id` that arrived whole. Exports ascend by `id` */
                after?: string;
                /** @description Take a part: end after so many items. Absent: all */
                limit?: number;
                /** @description Ask for the money of one market: `median_price` is the median of this region, or null where it has none, and `name` the one that its vendors use. Absent: the headline, in the currency with the most trust. Also a subdivision by ISO 3166-2, such as BR-SP, of AR, BR, CL, CO, ES, GB, IT, MX, PE, US */
                price_region?: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
                /** @description Show names in this language: `name` is the one that vendors use in it, in the market of `price_region` if there is one. Absent, or no such name: the headline */
                lang?: string;
                /** @description Narrow to a branch of the tree: only items in the category of this id, or in any below it. `/categories` lists the ids */
                category_id?: string;
                /** @description Keep works out of a list of materials, or the reverse: only items of this kind. Items whose texts do not say their kind have none */
                kind?: "material" | "labour" | "machinery" | "hire" | "work";
                /** @description Compare like with like: only items sold in this unit; `m2` finds `m²` */
                unit?: string;
                /** @description Compare or sort prices: only items whose `median_price` as shown is in this currency */
                currency?: string;
                /** @description See what one vendor sells: only items that have a vendor SKU of the source of this id. `/sources` lists the ids */
                source?: string;
                /** @description Leave out cheaper items: the lowest `median_price.cents` as shown, in cents of `currency`, which it needs */
                price_min?: number;
                /** @description Leave out dearer items: the highest `median_price.cents` as shown, in cents of `currency`, which it needs */
                price_max?: number;
                /** @description Read only what is new since your last visit: items whose `updated_at` is this instant or later */
                updated_since?: string | unknown | unknown;
                /** @description Find a product by its code: only items of which a vendor says this GTIN (EAN, UPC); leading zeros do not matter */
                gtin?: string;
                /** @description Find a product by its maker's code: only items of which a vendor says this manufacturer's reference, with the brand where vendors write it there; case, blanks and punctuation do not matter */
                manufacturer_ref?: string;
                /** @description Narrow to a procurement class: only items whose `cpv` begins so: `45` a division, `4526` a class, `45262311` a category with or without its check digit. Items without a code are in none */
                cpv?: string;
                /** @description Shorter to type: another name of `category_id` */
                category?: string;
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Price-Region": components["headers"]["Price-Region"];
                    ETag: components["headers"]["ETag-2"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    Trailer: components["headers"]["Trailer"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {"id":"ci_4pkz6qjxw2h7mtd3ruvy5cnaeo","name":"Placa de yeso laminado 13 mm","unit":"m²","cpv":"44112300","category_id":"cat_m5xwq2zk7hjd4ty6","vendor_count":3,"observation_count":12,"median_price":{"cents":485,"currency":"EUR","recorded_at":"2026-11-20T02:00:00Z"},"updated_at":"2026-11-20T02:00:00Z"}
                     *     {"export":{"complete":true,"items":1,"after":null,"stopped_by":null,"retry_after_seconds":null,"gen":"5f0c1a2b3d4e6f70","seq_from":1,"seq_to":1,"ended_at":"2026-11-20T02:00:00Z"}}
                     */
                    "application/x-ndjson": string;
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag-2"];
                    "Price-Region": components["headers"]["Price-Region"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "item_not_found",
                     *       "details": "item 'ci_none' does not exist"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getItemMarkets: {
        parameters: {
            query?: {
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description Id of an item, as `/search` and `/items` give it
                 * @example ci_4pkz6qjxw2h7mtd3ruvy5cnaeo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The markets, by region */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Content-Location": components["headers"]["Content-Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item_id": "ci_4pkz6qjxw2h7mtd3ruvy5cnaeo",
                     *       "run_id": "run_20261120020000_5f0c1a2b3d",
                     *       "as_of": "2026-11-20T02:00:00Z",
                     *       "markets": [
                     *         {
                     *           "region": "ES",
                     *           "median_price": {
                     *             "cents": 485,
                     *             "currency": "EUR",
                     *             "recorded_at": "2026-11-20T02:00:00Z"
                     *           },
                     *           "vendor_count": 3,
                     *           "voters": 1,
                     *           "single_voter": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ItemMarketsResponse"];
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Location": components["headers"]["Content-Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "item_not_found",
                     *       "details": "item 'ci_none' does not exist"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getItemBasis: {
        parameters: {
            query?: {
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description Id of an item, as `/search` and `/items` give it
                 * @example ci_4pkz6qjxw2h7mtd3ruvy5cnaeo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The basis of the median */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Content-Location": components["headers"]["Content-Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item_id": "ci_4pkz6qjxw2h7mtd3ruvy5cnaeo",
                     *       "name": "Placa de yeso laminado 13 mm",
                     *       "unit": "m²",
                     *       "kind": "material",
                     *       "names": [
                     *         {
                     *           "lang": "es",
                     *           "name": "Placa de yeso laminado 13 mm",
                     *           "regions": [
                     *             "ES"
                     *           ]
                     *         }
                     *       ],
                     *       "category": {
                     *         "id": "cat_m5xwq2zk7hjd4ty6",
                     *         "path": [
                     *           "Materials",
                     *           "Plaster and drywall"
                     *         ],
                     *         "by": "vendor_path",
                     *         "text": "Materiales > Tabiquería seca",
                     *         "confidence_percent": 99
                     *       },
                     *       "merged_into": null,
                     *       "run_id": "run_20261120020000_5f0c1a2b3d",
                     *       "as_of": "2026-11-20T02:00:00Z",
                     *       "median": {
                     *         "cents": 485,
                     *         "currency": "EUR"
                     *       },
                     *       "markets": [
                     *         {
                     *           "region": "ES",
                     *           "median": {
                     *             "cents": 485,
                     *             "currency": "EUR"
                     *           },
                     *           "vendor_count": 3,
                     *           "voters": 1
                     *         }
                     *       ],
                     *       "vendor_sku_ids": [
                     *         "vsku_r3k6hzqf5m2xwtjd7cnyvboua4"
                     *       ],
                     *       "basis": {
                     *         "method_version": "twm/3",
                     *         "currency": "EUR",
                     *         "voters": 1,
                     *         "single_voter": true,
                     *         "note": "rests on one vendor alone",
                     *         "trust_total": 70,
                     *         "p25": 485,
                     *         "p75": 485,
                     *         "last_observed_at": "2026-11-19T08:30:00Z",
                     *         "dispersion": {
                     *           "ratio": null,
                     *           "region": null,
                     *           "markets": [],
                     *           "apart": false,
                     *           "groups": null
                     *         },
                     *         "tax": {
                     *           "net": 0,
                     *           "gross_with_rate": 1,
                     *           "gross_without_rate": 0,
                     *           "not_stated": 0
                     *         },
                     *         "votes": [
                     *           {
                     *             "vendor_sku_id": "vsku_r3k6hzqf5m2xwtjd7cnyvboua4",
                     *             "vendor_ref": "PYL-13",
                     *             "vendor_sku_name": "Placa yeso laminado 13 mm",
                     *             "source_id": "src_7yqk2mzh4xwd6tjr",
                     *             "source_name": "Materiales Norte",
                     *             "vendor_category_path": [
                     *               "Materiales",
                     *               "Tabiquería seca"
                     *             ],
                     *             "alias_of": null,
                     *             "observation_id": "5b0f2c1de38a4d8c9e7a1b6f40d35c2ab7e9f1083d6c4a52be0f7d91c8a3e614",
                     *             "price": "58685/121",
                     *             "price_cents": 485,
                     *             "currency": "EUR",
                     *             "trust": 70,
                     *             "observed_at": "2026-11-19T08:30:00Z",
                     *             "markets": [
                     *               "ES"
                     *             ],
                     *             "kind": "list",
                     *             "min_quantity": null,
                     *             "tax": {
                     *               "state": "gross_with_rate",
                     *               "rate": "0.21",
                     *               "by": "vendor"
                     *             },
                     *             "sku_kind": {
                     *               "kind": "material",
                     *               "grade": null,
                     *               "trades": [],
                     *               "action": null,
                     *               "operator": null,
                     *               "evidence": [
                     *                 {
                     *                   "about": "kind",
                     *                   "value": "material",
                     *                   "by": "category",
                     *                   "text": "materiales"
                     *                 }
                     *               ]
                     *             },
                     *             "flags": []
                     *           }
                     *         ],
                     *         "excluded": [
                     *           {
                     *             "id": "vsku_q5xw2zk7hjd4ty6m3rncvboua2",
                     *             "reason": "EXPIRED",
                     *             "vendor_sku_id": null,
                     *             "vendor_ref": "PYL-13",
                     *             "vendor_sku_name": "Placa yeso laminado 13 mm",
                     *             "source_id": "src_7yqk2mzh4xwd6tjr",
                     *             "source_name": "Materiales Norte",
                     *             "vendor_category_path": [
                     *               "Materiales",
                     *               "Tabiquería seca"
                     *             ]
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ItemBasisResponse"];
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Location": components["headers"]["Content-Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "item_not_found",
                     *       "details": "item 'ci_none' does not exist"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getItemHistory: {
        parameters: {
            query?: {
                /** @description See one market: the median of this region. Absent: the headline. Also a subdivision by ISO 3166-2, such as BR-SP, of AR, BR, CL, CO, ES, GB, IT, MX, PE, US */
                price_region?: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
                /** @description Start of the period, inclusive; the price in force at this instant gets its date. Absent: from the beginning */
                from?: string | unknown | unknown;
                /** @description End of the period, inclusive. Absent: until now */
                to?: string | unknown | unknown;
                /** @description Read the next page: the `cursor` of the page before, with the same filters. Absent: the first page */
                cursor?: string;
                /** @description Most points on a page, 1 to 1000: more on a page need fewer requests. Absent: 365 */
                limit?: number;
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description Id of an item, as `/search` and `/items` give it
                 * @example ci_4pkz6qjxw2h7mtd3ruvy5cnaeo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the history */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    Link: components["headers"]["Link"];
                    "Content-Location": components["headers"]["Content-Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item_id": "ci_4pkz6qjxw2h7mtd3ruvy5cnaeo",
                     *       "price_region": null,
                     *       "points": [
                     *         {
                     *           "recorded_at": "2026-08-22T02:00:00Z",
                     *           "price_cents": 472,
                     *           "currency": "EUR"
                     *         },
                     *         {
                     *           "recorded_at": "2026-11-20T02:00:00Z",
                     *           "price_cents": 485,
                     *           "currency": "EUR"
                     *         },
                     *         {
                     *           "recorded_at": "2026-11-21T02:00:00Z",
                     *           "price_cents": null,
                     *           "currency": null
                     *         }
                     *       ],
                     *       "cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ItemHistoryResponse"];
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Location": components["headers"]["Content-Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "item_not_found",
                     *       "details": "item 'ci_none' does not exist"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getItemDiff: {
        parameters: {
            query: {
                /**
                 * @description What the catalog showed after the last run up to this instant
                 * @example 2026-11-01T00:00:00Z
                 */
                from: string | unknown | unknown;
                /** @description The same for this instant; absent: now */
                to?: string | unknown | unknown;
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description Id of an item, as `/search` and `/items` give it
                 * @example ci_4pkz6qjxw2h7mtd3ruvy5cnaeo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The differences */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item_id": "ci_4pkz6qjxw2h7mtd3ruvy5cnaeo",
                     *       "from": {
                     *         "at": "2026-10-01T00:00:00Z",
                     *         "run_id": "run_20260930020000_0a1b2c3d4e",
                     *         "as_of": "2026-09-30T02:00:00Z",
                     *         "state": "active",
                     *         "merged_into": null
                     *       },
                     *       "to": {
                     *         "at": null,
                     *         "run_id": "run_20261120020000_5f0c1a2b3d",
                     *         "as_of": "2026-11-20T02:00:00Z",
                     *         "state": "active",
                     *         "merged_into": null
                     *       },
                     *       "kept_since": null,
                     *       "fields": [
                     *         {
                     *           "field": "vendor_count",
                     *           "from": 2,
                     *           "to": 3
                     *         }
                     *       ],
                     *       "markets": [
                     *         {
                     *           "region": null,
                     *           "median": {
                     *             "from": {
                     *               "cents": 472,
                     *               "currency": "EUR"
                     *             },
                     *             "to": {
                     *               "cents": 485,
                     *               "currency": "EUR"
                     *             }
                     *           },
                     *           "change_percent": 2.75,
                     *           "vendor_count": {
                     *             "from": 2,
                     *             "to": 3
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ItemDiffResponse"];
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "item_not_found",
                     *       "details": "item 'ci_none' does not exist"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getItemDecomposition: {
        parameters: {
            query?: {
                /** @description See the outline or every detail: how many levels of lines to answer with */
                depth?: number;
                /** @description Cost the work in one market: recipes of this region go first, and medians are its own */
                region?: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
                /** @description Cost your own amount: how much of the unit of the recipe */
                quantity?: string;
                /** @description Choose between several recipes: the one of the source of this id */
                source?: string;
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description Id of an item, as `/search` and `/items` give it
                 * @example ci_4pkz6qjxw2h7mtd3ruvy5cnaeo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recipe as a tree */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Content-Location": components["headers"]["Content-Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "item": {
                     *         "id": "ci_4pkz6qjxw2h7mtd3ruvy5cnaeo",
                     *         "name": "Tabique de placa de yeso",
                     *         "unit": "m²",
                     *         "median_price": {
                     *           "cents": 485,
                     *           "currency": "EUR",
                     *           "recorded_at": "2026-11-20T02:00:00Z"
                     *         }
                     *       },
                     *       "recipe": {
                     *         "vendor_sku_id": "vsku_r3k6hzqf5m2xwtjd7cnyvboua4",
                     *         "vendor_ref": "TAB013",
                     *         "unit": "m2",
                     *         "currency": "EUR",
                     *         "declared_price": "15.10",
                     *         "observed_at": "2026-11-01T00:00:00Z",
                     *         "source": {
                     *           "id": "src_7yqk2mzh4xwd6tjr",
                     *           "name": "Banco de precios",
                     *           "region": "ES",
                     *           "trust_score": 80,
                     *           "url": null
                     *         }
                     *       },
                     *       "alternatives": [],
                     *       "region": null,
                     *       "quantity": "1",
                     *       "lines": [
                     *         {
                     *           "factor": "1.05",
                     *           "quantity": "2.1",
                     *           "price_basis": "file",
                     *           "base_amount": null,
                     *           "item": {
                     *             "id": "ci_4pkz6qjxw2h7mtd3ruvy5cnaeo",
                     *             "name": "Placa de yeso laminado 13 mm",
                     *             "unit": "m²",
                     *             "median_price": {
                     *               "cents": 485,
                     *               "currency": "EUR",
                     *               "recorded_at": "2026-11-20T02:00:00Z"
                     *             }
                     *           },
                     *           "now": {
                     *             "basis": "item",
                     *             "unit_price": "4.85",
                     *             "amount": "10.19"
                     *           },
                     *           "children": [],
                     *           "omitted": null,
                     *           "position": 1,
                     *           "kind": "material",
                     *           "code": "PYL-13",
                     *           "name": "Placa de yeso laminado 13 mm",
                     *           "unit": "m2",
                     *           "yield": "2",
                     *           "unit_price": "4.60",
                     *           "amount": "9.66"
                     *         },
                     *         {
                     *           "factor": "1",
                     *           "quantity": "0.25",
                     *           "price_basis": "file",
                     *           "base_amount": null,
                     *           "item": null,
                     *           "now": null,
                     *           "children": [],
                     *           "omitted": null,
                     *           "position": 2,
                     *           "kind": "labor",
                     *           "code": "MO001",
                     *           "name": "Montador",
                     *           "unit": "h",
                     *           "yield": "0.25",
                     *           "unit_price": "20.56",
                     *           "amount": "5.14"
                     *         },
                     *         {
                     *           "factor": "1",
                     *           "quantity": "0.02",
                     *           "price_basis": null,
                     *           "base_amount": "14.80",
                     *           "item": null,
                     *           "now": null,
                     *           "children": [],
                     *           "omitted": null,
                     *           "position": 3,
                     *           "kind": "percentage",
                     *           "code": "%",
                     *           "name": "Costes complementarios",
                     *           "unit": "%",
                     *           "yield": "0.02",
                     *           "unit_price": null,
                     *           "amount": "0.30"
                     *         }
                     *       ],
                     *       "totals": {
                     *         "labor": "5.14",
                     *         "machinery": "0.00",
                     *         "material": "9.66",
                     *         "auxiliary": "0.00",
                     *         "percentage": "0.30",
                     *         "waste": "0.00",
                     *         "unclassified": "0.00",
                     *         "indirect": "0.00",
                     *         "total": "15.10"
                     *       },
                     *       "resources": {
                     *         "labor": "5.14",
                     *         "machinery": "0.00",
                     *         "material": "9.66",
                     *         "auxiliary": "0.00",
                     *         "percentage": "0.30",
                     *         "waste": "0.00",
                     *         "unclassified": "0.00"
                     *       },
                     *       "computed_price": "15.10",
                     *       "difference": "0.00",
                     *       "reconciles": true,
                     *       "rule": "line_rounded_2",
                     *       "now": {
                     *         "total": "15.64",
                     *         "at_file_prices": "5.24",
                     *         "priced_lines": 1,
                     *         "lines": 2
                     *       },
                     *       "warnings": [],
                     *       "truncated": false
                     *     }
                     */
                    "application/json": components["schemas"]["Decomposition"];
                    /**
                     * @example # Tabique de placa de yeso: what it is made of
                     *
                     *     - Recipe: TAB013 of Banco de precios, ES, 2026-11-01T00:00:00Z
                     *     - For: 1 m2, all amounts in EUR
                     *     - By the prices of the file: 15.10
                     *     - Today: 15.64, of which 5.24 still at the file’s prices (1 of 2 lines have a median)
                     *     - Declared price of one m2: 15.10, which its lines give
                     *     - Item: ci_4pkz6qjxw2h7mtd3ruvy5cnaeo, median 4.85 EUR per m²
                     *
                     *     ## Lines
                     *
                     *     | No | Kind | Code | Name | Unit | Quantity | Price | Amount | Today | Item |
                     *     | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
                     *     | 1 | material | PYL-13 | Placa de yeso laminado 13 mm | m2 | 2.1 | 4.60 | 9.66 | 10.19 | ci_4pkz6qjxw2h7mtd3ruvy5cnaeo |
                     *     | 2 | labor | MO001 | Montador | h | 0.25 | 20.56 | 5.14 | - | - |
                     *     | 3 | percentage | % | Costes complementarios | % | 0.02 | of 14.80 | 0.30 | - | - |
                     *
                     *     ## By kind, auxiliaries resolved
                     *
                     *     | Kind | Amount |
                     *     | --- | --- |
                     *     | labor | 5.14 |
                     *     | material | 9.66 |
                     *     | percentage | 0.30 |
                     */
                    "text/markdown": string;
                    /** @example ~V|Construction Cost Catalog|FIEBDC-3/2020\20112026|catalog|Median price\EUR|ANSI||1| */
                    "application/x-fiebdc3": string;
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Location": components["headers"]["Content-Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "depth: expected an integer from 1 to 50, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "recipe_not_found",
                     *       "details": "item 'ci_4pkz6qjxw2h7mtd3ruvy5cnaeo': expected a recipe of any of its vendors, found none"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    search: {
        parameters: {
            query: {
                /**
                 * @description What you look for, in any language: words, a size, an article number, a GTIN or a whole question
                 * @example drywall 13 mm
                 */
                q: string;
                /** @description Most results on a page, 1 to 50: more on a page need fewer requests. Absent: 10 */
                limit?: number;
                /** @description Read the next page: the `cursor` of the page before, with the same filters. Absent: the first page */
                cursor?: string;
                /** @description Search one market: only items that are sold in this region */
                region?: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
                /** @description Narrow to a branch of the tree: only items in the category of this id, or in any below it. `/categories` lists the ids */
                category_id?: string;
                /** @description Keep works out of a list of materials, or the reverse: only items of this kind. Items whose texts do not say their kind have none */
                kind?: "material" | "labour" | "machinery" | "hire" | "work";
                /** @description Compare like with like: only items sold in this unit; `m2` finds `m²` */
                unit?: string;
                /** @description Compare or sort prices: only items whose `median_price` as shown is in this currency */
                currency?: string;
                /** @description See what one vendor sells: only items that have a vendor SKU of the source of this id. `/sources` lists the ids */
                source?: string;
                /** @description Leave out cheaper items: the lowest `median_price.cents` as shown, in cents of `currency`, which it needs */
                price_min?: number;
                /** @description Leave out dearer items: the highest `median_price.cents` as shown, in cents of `currency`, which it needs */
                price_max?: number;
                /** @description Ask for the money of one market: `median_price` is the median of this region, or null where it has none, and `name` the one that its vendors use. Absent: the headline, in the currency with the most trust. Also a subdivision by ISO 3166-2, such as BR-SP, of AR, BR, CL, CO, ES, GB, IT, MX, PE, US */
                price_region?: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
                /** @description Show names in this language: `name` is the one that vendors use in it, in the market of `price_region` if there is one. Absent, or no such name: the headline */
                lang?: string;
                /** @description Offer filters to your users: also counts the results by category, kind, unit, currency and source */
                facets?: "true" | "false" | "1" | "0";
                /** @description Understand a surprising result: also says what the question was read as, and why each result was found */
                explain?: "true" | "false" | "1" | "0";
                /** @description Shorter to type: another name of `category_id` */
                category?: string;
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The results */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Price-Region": components["headers"]["Price-Region"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "query": "drywall 13 mm",
                     *       "results": [
                     *         {
                     *           "id": "ci_4pkz6qjxw2h7mtd3ruvy5cnaeo",
                     *           "name": "Placa de yeso laminado 13 mm",
                     *           "unit": "m²",
                     *           "cpv": "44112300",
                     *           "category_id": "cat_m5xwq2zk7hjd4ty6",
                     *           "vendor_count": 3,
                     *           "observation_count": 12,
                     *           "median_price": {
                     *             "cents": 485,
                     *             "currency": "EUR",
                     *             "recorded_at": "2026-11-20T02:00:00Z"
                     *           },
                     *           "updated_at": "2026-11-20T02:00:00Z",
                     *           "score": 0.8731,
                     *           "page_url": "https://catalog.example.org/items/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo"
                     *         }
                     *       ],
                     *       "mode": "vector"
                     *     }
                     */
                    "application/json": components["schemas"]["SearchResponse"];
                };
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "q: expected 2 to 256 characters, found \"a\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "category_not_found",
                     *       "details": "category 'cat_none' does not exist"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "search_rate_limited",
                     *       "details": "expected at most 60 searches a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "search_unavailable",
                     *       "details": "the query cannot be embedded",
                     *       "retry_after_seconds": 17
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    matchLines: {
        parameters: {
            query?: {
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MatchRequest"];
            };
        };
        responses: {
            /** @description An answer for each line, in order */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "lines": [
                     *         {
                     *           "text": "pladur 13 mm",
                     *           "status": "matched",
                     *           "reason": null,
                     *           "decided_by": "search",
                     *           "item": {
                     *             "id": "ci_4pkz6qjxw2h7mtd3ruvy5cnaeo",
                     *             "name": "Placa de yeso laminado 13 mm",
                     *             "unit": "m²",
                     *             "cpv": "44112300",
                     *             "category_id": "cat_m5xwq2zk7hjd4ty6",
                     *             "vendor_count": 3,
                     *             "observation_count": 12,
                     *             "median_price": {
                     *               "cents": 485,
                     *               "currency": "EUR",
                     *               "recorded_at": "2026-11-20T02:00:00Z"
                     *             },
                     *             "updated_at": "2026-11-20T02:00:00Z",
                     *             "score": 0.93
                     *           },
                     *           "evidence": {
                     *             "words": 1,
                     *             "meaning": 0.72,
                     *             "sizes": "equal",
                     *             "unit": "equal"
                     *           },
                     *           "item_units": 1,
                     *           "cost": {
                     *             "cents": 14550,
                     *             "currency": "EUR"
                     *           },
                     *           "alternatives": []
                     *         },
                     *         {
                     *           "text": "asdf qwer",
                     *           "status": "unmatched",
                     *           "reason": "nothing_near",
                     *           "decided_by": "search",
                     *           "item": null,
                     *           "evidence": null,
                     *           "item_units": null,
                     *           "cost": null,
                     *           "alternatives": []
                     *         }
                     *       ],
                     *       "matched": 1,
                     *       "ambiguous": 0,
                     *       "unmatched": 1,
                     *       "mode": "vector"
                     *     }
                     */
                    "application/json": components["schemas"]["MatchResponse"];
                };
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "lines[2].quantity: expected a number above 0, found -1"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "details": "Request body is too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    Accept: components["headers"]["Accept"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "details": "Content-Type: expected application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "search_rate_limited",
                     *       "details": "expected at most 60 searches a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "search_unavailable",
                     *       "details": "the query cannot be embedded",
                     *       "retry_after_seconds": 17
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listCategories: {
        parameters: {
            query?: {
                /** @description Go one level down: the categories below the one of this id. Absent: the roots */
                parent?: string;
                /** @description Load the whole tree at once: `true` lists all levels below, by id, and each category names its parent */
                tree?: true | false;
                /** @description Read the next page: the `cursor` of the page before, with the same filters. Absent: the first page */
                cursor?: string;
                /** @description Most categories on a page, 1 to 100: more on a page need fewer requests. Absent: 50 */
                limit?: number;
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of categories */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "categories": [
                     *         {
                     *           "id": "cat_m5xwq2zk7hjd4ty6",
                     *           "name": "Plaster and drywall",
                     *           "names": {
                     *             "en": "Plaster and drywall",
                     *             "es": "Yeso y tabiquería seca",
                     *             "pt": "Gesso e drywall",
                     *             "fr": "Plâtre et cloisons sèches",
                     *             "de": "Gips und Trockenbau",
                     *             "it": "Gesso e cartongesso"
                     *           },
                     *           "parent_id": "cat_z7kq4hwx2mjd5ty3",
                     *           "item_count": 42
                     *         }
                     *       ],
                     *       "cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ListCategoriesResponse"];
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "category_not_found",
                     *       "details": "category 'cat_none' does not exist"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCategoryTree: {
        parameters: {
            query?: {
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tree */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "categories": [
                     *         {
                     *           "id": "cat_z7kq4hwx2mjd5ty3",
                     *           "name": "Yesos",
                     *           "names": {},
                     *           "item_count": 42,
                     *           "children": [
                     *             {
                     *               "id": "cat_m5xwq2zk7hjd4ty6",
                     *               "name": "Plaster and drywall",
                     *               "names": {
                     *                 "en": "Plaster and drywall",
                     *                 "es": "Yeso y tabiquería seca",
                     *                 "pt": "Gesso e drywall",
                     *                 "fr": "Plâtre et cloisons sèches",
                     *                 "de": "Gips und Trockenbau",
                     *                 "it": "Gesso e cartongesso"
                     *               },
                     *               "item_count": 42,
                     *               "children": []
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "count": 2
                     *     }
                     */
                    "application/json": components["schemas"]["CategoryTreeResponse"];
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCategory: {
        parameters: {
            query?: {
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description Id of a category, as `/categories` gives it
                 * @example cat_m5xwq2zk7hjd4ty6
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The category */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "cat_m5xwq2zk7hjd4ty6",
                     *       "name": "Plaster and drywall",
                     *       "names": {
                     *         "en": "Plaster and drywall",
                     *         "es": "Yeso y tabiquería seca",
                     *         "pt": "Gesso e drywall",
                     *         "fr": "Plâtre et cloisons sèches",
                     *         "de": "Gips und Trockenbau",
                     *         "it": "Gesso e cartongesso"
                     *       },
                     *       "parent_id": "cat_z7kq4hwx2mjd5ty3",
                     *       "item_count": 42,
                     *       "path": [
                     *         {
                     *           "id": "cat_z7kq4hwx2mjd5ty3",
                     *           "name": "Yesos"
                     *         }
                     *       ],
                     *       "children": [],
                     *       "children_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["CategoryDetail"];
                    /** @example ~V|Construction Cost Catalog|FIEBDC-3/2020\20112026|catalog|Median price\EUR|ANSI||1| */
                    "application/x-fiebdc3": string;
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "category_not_found",
                     *       "details": "category 'cat_none' does not exist"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCategoryChanges: {
        parameters: {
            query?: {
                /** @description How far back to compare, in days. Absent: 90 */
                days?: 7 | 30 | 90 | 365;
                /** @description Follow one market: compare the medians of this region. Absent: the headlines */
                price_region?: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changes */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "days": 90,
                     *       "price_region": "ES",
                     *       "since": "2026-08-22T02:00:00.000Z",
                     *       "until": "2026-11-20T02:00:00.000Z",
                     *       "categories": [
                     *         {
                     *           "id": "cat_m5xwq2zk7hjd4ty6",
                     *           "compared_count": 38,
                     *           "rise_count": 21,
                     *           "fall_count": 6,
                     *           "change_percent": 2.75
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CategoryChangesResponse"];
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSources: {
        parameters: {
            query?: {
                /** @description Read the next page: the `cursor` of the page before, with the same filters. Absent: the first page */
                cursor?: string;
                /** @description Most sources on a page, 1 to 100: more on a page need fewer requests. Absent: 50 */
                limit?: number;
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sources */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sources": [
                     *         {
                     *           "id": "src_7yqk2mzh4xwd6tjr",
                     *           "name": "Materiales Norte",
                     *           "region": "ES",
                     *           "url": "https://materiales-norte.example",
                     *           "kind": "shop",
                     *           "trust_score": 70,
                     *           "validity_days": 30,
                     *           "enabled": true,
                     *           "licence": {
                     *             "name": "CC-BY-4.0",
                     *             "terms": null,
                     *             "url": "https://materiales-norte.example/datos",
                     *             "redistribution": "yes",
                     *             "commercial_use": "yes",
                     *             "attribution": "Materiales Norte",
                     *             "checked_on": "2026-11-01"
                     *           },
                     *           "alias_of": null,
                     *           "aliases": [],
                     *           "vendor_sku_count": 1840,
                     *           "observation_count": 22310,
                     *           "last_observed_at": "2026-11-19T08:30:00Z",
                     *           "last_crawl": {
                     *             "id": "crawl_20261120083000_5f6a7b8c9d",
                     *             "started_at": "2026-11-20T08:30:00Z",
                     *             "finished_at": "2026-11-20T08:30:01Z",
                     *             "outcome": "unchanged",
                     *             "complete": true,
                     *             "partial": false,
                     *             "read": 0,
                     *             "appended": 0,
                     *             "duplicates": 0,
                     *             "parked": 0,
                     *             "parse_rate": null,
                     *             "missed": 0,
                     *             "known": null,
                     *             "vanished": null,
                     *             "changed": null,
                     *             "changed_share": null,
                     *             "drift": null,
                     *             "problems": []
                     *           },
                     *           "last_complete_crawl": {
                     *             "id": "crawl_20261119083000_0a1b2c3d4e",
                     *             "started_at": "2026-11-19T08:30:00Z",
                     *             "finished_at": "2026-11-19T08:31:12Z",
                     *             "outcome": "recorded",
                     *             "complete": true,
                     *             "partial": false,
                     *             "read": 1850,
                     *             "appended": 1612,
                     *             "duplicates": 230,
                     *             "parked": 8,
                     *             "parse_rate": 0.9957,
                     *             "missed": 0,
                     *             "known": 1840,
                     *             "vanished": 4,
                     *             "changed": 51,
                     *             "changed_share": 0.0278,
                     *             "drift": 0.002,
                     *             "problems": []
                     *           },
                     *           "held_crawl": null
                     *         }
                     *       ],
                     *       "cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ListSourcesResponse"];
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSource: {
        parameters: {
            query?: {
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description Id of a source, as `/sources` gives it
                 * @example src_7yqk2mzh4xwd6tjr
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The source */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "src_7yqk2mzh4xwd6tjr",
                     *       "name": "Materiales Norte",
                     *       "region": "ES",
                     *       "url": "https://materiales-norte.example",
                     *       "kind": "shop",
                     *       "trust_score": 70,
                     *       "validity_days": 30,
                     *       "enabled": true,
                     *       "licence": {
                     *         "name": "CC-BY-4.0",
                     *         "terms": null,
                     *         "url": "https://materiales-norte.example/datos",
                     *         "redistribution": "yes",
                     *         "commercial_use": "yes",
                     *         "attribution": "Materiales Norte",
                     *         "checked_on": "2026-11-01"
                     *       },
                     *       "alias_of": null,
                     *       "aliases": [],
                     *       "vendor_sku_count": 1840,
                     *       "observation_count": 22310,
                     *       "last_observed_at": "2026-11-19T08:30:00Z",
                     *       "last_crawl": {
                     *         "id": "crawl_20261120083000_5f6a7b8c9d",
                     *         "started_at": "2026-11-20T08:30:00Z",
                     *         "finished_at": "2026-11-20T08:30:01Z",
                     *         "outcome": "unchanged",
                     *         "complete": true,
                     *         "partial": false,
                     *         "read": 0,
                     *         "appended": 0,
                     *         "duplicates": 0,
                     *         "parked": 0,
                     *         "parse_rate": null,
                     *         "missed": 0,
                     *         "known": null,
                     *         "vanished": null,
                     *         "changed": null,
                     *         "changed_share": null,
                     *         "drift": null,
                     *         "problems": []
                     *       },
                     *       "last_complete_crawl": {
                     *         "id": "crawl_20261119083000_0a1b2c3d4e",
                     *         "started_at": "2026-11-19T08:30:00Z",
                     *         "finished_at": "2026-11-19T08:31:12Z",
                     *         "outcome": "recorded",
                     *         "complete": true,
                     *         "partial": false,
                     *         "read": 1850,
                     *         "appended": 1612,
                     *         "duplicates": 230,
                     *         "parked": 8,
                     *         "parse_rate": 0.9957,
                     *         "missed": 0,
                     *         "known": 1840,
                     *         "vanished": 4,
                     *         "changed": 51,
                     *         "changed_share": 0.0278,
                     *         "drift": 0.002,
                     *         "problems": []
                     *       },
                     *       "held_crawl": null
                     *     }
                     */
                    "application/json": components["schemas"]["Source"];
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "source_not_found",
                     *       "details": "source 'src_none' does not exist"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listIndices: {
        parameters: {
            query?: {
                /** @description See the indices of one country with those of its subdivisions, of one subdivision, or of EU or LATAM as a whole */
                region?: string;
                /** @description Read the next page: the `cursor` of the page before, with the same filters. Absent: the first page */
                cursor?: string;
                /** @description Most indices on a page, 1 to 100: more on a page need fewer requests. Absent: 50 */
                limit?: number;
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of indices */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "indices": [
                     *         {
                     *           "id": "idx_h7yqk2mzh4xwd6tj",
                     *           "publisher": {
                     *             "id": "fr-insee",
                     *             "name": "Insee",
                     *             "url": "https://www.insee.fr/"
                     *           },
                     *           "series": "001710986",
                     *           "title": "Index du bâtiment BT01, tous corps d’état",
                     *           "region": "FR",
                     *           "base": "2010=100",
                     *           "frequency": "month",
                     *           "point_count": 2,
                     *           "first_period": "2026-08",
                     *           "last": {
                     *             "period": "2026-09",
                     *             "value": "140.1",
                     *             "observed_at": "2026-11-15T08:00:00Z"
                     *           },
                     *           "licence": {
                     *             "name": "CC-BY-4.0",
                     *             "terms": null,
                     *             "url": "https://materiales-norte.example/datos",
                     *             "redistribution": "yes",
                     *             "commercial_use": "yes",
                     *             "attribution": "Materiales Norte",
                     *             "checked_on": "2026-11-01"
                     *           }
                     *         }
                     *       ],
                     *       "cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ListIndicesResponse"];
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getIndex: {
        parameters: {
            query?: {
                /** @description Leave out the points before this period */
                from?: string;
                /** @description Leave out the points after this period; a year includes its months */
                to?: string;
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description Id of an index, as `/indices` gives it
                 * @example idx_h7yqk2mzh4xwd6tj
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The index */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "index": {
                     *         "id": "idx_h7yqk2mzh4xwd6tj",
                     *         "publisher": {
                     *           "id": "fr-insee",
                     *           "name": "Insee",
                     *           "url": "https://www.insee.fr/"
                     *         },
                     *         "series": "001710986",
                     *         "title": "Index du bâtiment BT01, tous corps d’état",
                     *         "region": "FR",
                     *         "base": "2010=100",
                     *         "frequency": "month",
                     *         "point_count": 2,
                     *         "first_period": "2026-08",
                     *         "last": {
                     *           "period": "2026-09",
                     *           "value": "140.1",
                     *           "observed_at": "2026-11-15T08:00:00Z"
                     *         },
                     *         "licence": {
                     *           "name": "CC-BY-4.0",
                     *           "terms": null,
                     *           "url": "https://materiales-norte.example/datos",
                     *           "redistribution": "yes",
                     *           "commercial_use": "yes",
                     *           "attribution": "Materiales Norte",
                     *           "checked_on": "2026-11-01"
                     *         }
                     *       },
                     *       "points": [
                     *         {
                     *           "period": "2026-08",
                     *           "value": "139.8",
                     *           "observed_at": "2026-11-15T08:00:00Z",
                     *           "revisions": 1,
                     *           "point_id": "9b0f2c1de38a4d8c9e7a1b6f40d35c2ab7e9f1083d6c4a52be0f7d91c8a3e614"
                     *         },
                     *         {
                     *           "period": "2026-09",
                     *           "value": "140.1",
                     *           "observed_at": "2026-11-15T08:00:00Z",
                     *           "revisions": 0,
                     *           "point_id": "1c0f2c1de38a4d8c9e7a1b6f40d35c2ab7e9f1083d6c4a52be0f7d91c8a3e614"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["IndexDetail"];
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "index_not_found",
                     *       "details": "index 'idx_none' does not exist"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getItemsAtom: {
        parameters: {
            query?: {
                /** @description Continue where you stopped: the changes after this number of the feed, ascending; 304 when there are none. 0 begins at the first. Absent: the newest changes */
                since?: number;
                /** @description Notice that the numbers began anew: the generation of the number in `since`, as state.json gives it; 409 when another one has begun */
                gen?: string;
                /** @description Read less at once. With `since`: at most so many changes, 1000 unless given. Without it: only the newest so many items, at most 100, in words for feed readers, without changes that mean nothing to people */
                limit?: number;
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An Atom feed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example <?xml version="1.0" encoding="utf-8"?>
                     *     <feed xmlns="http://www.w3.org/2005/Atom" xmlns:at="http://purl.org/atompub/tombstones/1.0" xmlns:fh="http://purl.org/syndication/history/1.0" xmlns:ccm="urn:construction-cost-catalog:ccm:1">
                     *     <id>tag:catalog.example.org,2026:feed/items</id>
                     *     <title>Construction Cost Catalog</title>
                     *     <subtitle>Items whose price or description changed, newest first</subtitle>
                     *     <updated>2026-11-20T02:00:00.000000Z</updated>
                     *     <author>
                     *     <name>Construction Cost Catalog</name>
                     *     </author>
                     *     <link rel="self" type="application/atom+xml" href="https://catalog.example.org/v1/feeds/items.atom"/>
                     *     <link rel="alternate" href="https://catalog.example.org/"/>
                     *     <link rel="current" type="application/atom+xml" href="https://catalog.example.org/v1/feeds/items.atom"/>
                     *     <ccm:gen>5f0c1a2b3d4e6f70</ccm:gen>
                     *     <ccm:scope>items</ccm:scope>
                     *     <ccm:first>1</ccm:first>
                     *     <ccm:last>1</ccm:last>
                     *     <ccm:chain>82d20b241f2e08108c9243f666ae2e974a8d5d318fad8c2de0678a78319ebaa7</ccm:chain>
                     *     <ccm:head>1</ccm:head>
                     *     <entry>
                     *     <id>tag:catalog.example.org,2026:item/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo</id>
                     *     <title>Placa de yeso laminado 13 mm, m²: 4.85 EUR, +2.8 % since 2 Nov, 3 vendors</title>
                     *     <summary>4.85 EUR, before that 4.72 EUR since 2 Nov. 3 vendors, 12 observations. Sold in ES. By region: ES 4.85 EUR.</summary>
                     *     <updated>2026-11-20T02:00:00.000000Z</updated>
                     *     <link rel="alternate" href="https://catalog.example.org/v1/items/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo"/>
                     *     <category term="region:ES"/>
                     *     <ccm:seq>1</ccm:seq>
                     *     <ccm:op>upsert</ccm:op>
                     *     <ccm:version>2</ccm:version>
                     *     <ccm:sha256>17122b215212dc6a07743a2ad7f0df6ee14f723cb6bb5a6f856d2a70f2b5345e</ccm:sha256>
                     *     <ccm:state>{"item":{"category_id":"cat_m5xwq2zk7hjd4ty6","cpv":"44112300","id":"ci_4pkz6qjxw2h7mtd3ruvy5cnaeo","median_price":{"cents":485,"currency":"EUR","recorded_at":"2026-11-20T02:00:00Z"},"name":"Placa de yeso laminado 13 mm","observation_count":12,"unit":"m²","updated_at":"2026-11-20T02:00:00Z","vendor_count":3},"kind":"material","markets":[{"median_price":{"cents":485,"currency":"EUR","recorded_at":"2026-11-20T02:00:00Z"},"region":"ES","vendor_count":3}],"merged_into":null,"regions":["ES"],"state":"active"}</ccm:state>
                     *     </entry>
                     *     </feed>
                     */
                    "application/atom+xml": string;
                    /** @example {"seq":1,"op":"upsert","id":"ci_4pkz6qjxw2h7mtd3ruvy5cnaeo","version":2,"updated":"2026-11-20T02:00:00.000000Z","sha256":"17122b215212dc6a07743a2ad7f0df6ee14f723cb6bb5a6f856d2a70f2b5345e","chain":"82d20b241f2e08108c9243f666ae2e974a8d5d318fad8c2de0678a78319ebaa7","state":{"item":{"category_id":"cat_m5xwq2zk7hjd4ty6","cpv":"44112300","id":"ci_4pkz6qjxw2h7mtd3ruvy5cnaeo","median_price":{"cents":485,"currency":"EUR","recorded_at":"2026-11-20T02:00:00Z"},"name":"Placa de yeso laminado 13 mm","observation_count":12,"unit":"m²","updated_at":"2026-11-20T02:00:00Z","vendor_count":3},"kind":"material","markets":[{"median_price":{"cents":485,"currency":"EUR","recorded_at":"2026-11-20T02:00:00Z"},"region":"ES","vendor_count":3}],"merged_into":null,"regions":["ES"],"state":"active"}} */
                    "application/x-ndjson": string;
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The number is beyond the newest change, or belongs to another generation */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "future_cursor",
                     *       "details": "since 21301: expected at most 21300, the newest change"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description These changes are no longer available, or belong to another generation */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-3"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "changes_expired",
                     *       "details": "changes after 40: expected 500 or later, since older ones are not kept"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getItemsRss: {
        parameters: {
            query?: {
                /** @description Continue where you stopped: the changes after this number of the feed, ascending; 304 when there are none. 0 begins at the first. Absent: the newest changes */
                since?: number;
                /** @description Notice that the numbers began anew: the generation of the number in `since`, as state.json gives it; 409 when another one has begun */
                gen?: string;
                /** @description Read less at once. With `since`: at most so many changes, 1000 unless given. Without it: only the newest so many items, at most 100, in words for feed readers, without changes that mean nothing to people */
                limit?: number;
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An RSS feed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example <?xml version="1.0" encoding="utf-8"?>
                     *     <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:fh="http://purl.org/syndication/history/1.0" xmlns:ccm="urn:construction-cost-catalog:ccm:1">
                     *     <channel>
                     *     <title>Construction Cost Catalog</title>
                     *     <link>https://catalog.example.org/</link>
                     *     <description>Items whose price or description changed, newest first</description>
                     *     <lastBuildDate>Fri, 20 Nov 2026 02:00:00 GMT</lastBuildDate>
                     *     <atom:link rel="self" type="application/rss+xml" href="https://catalog.example.org/v1/feeds/items.rss"/>
                     *     <atom:link rel="current" type="application/rss+xml" href="https://catalog.example.org/v1/feeds/items.rss"/>
                     *     <ccm:gen>5f0c1a2b3d4e6f70</ccm:gen>
                     *     <ccm:scope>items</ccm:scope>
                     *     <ccm:first>1</ccm:first>
                     *     <ccm:last>1</ccm:last>
                     *     <ccm:chain>82d20b241f2e08108c9243f666ae2e974a8d5d318fad8c2de0678a78319ebaa7</ccm:chain>
                     *     <ccm:head>1</ccm:head>
                     *     <item>
                     *     <title>Placa de yeso laminado 13 mm, m²: 4.85 EUR, +2.8 % since 2 Nov, 3 vendors</title>
                     *     <link>https://catalog.example.org/v1/items/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo</link>
                     *     <guid isPermaLink="false">tag:catalog.example.org,2026:item/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo</guid>
                     *     <pubDate>Fri, 20 Nov 2026 02:00:00 GMT</pubDate>
                     *     <category>region:ES</category>
                     *     <description>Placa de yeso laminado 13 mm, m². 4.85 EUR, before that 4.72 EUR since 2 Nov. 3 vendors, 12 observations. Sold in ES. By region: ES 4.85 EUR.</description>
                     *     <ccm:seq>1</ccm:seq>
                     *     <ccm:op>upsert</ccm:op>
                     *     <ccm:version>2</ccm:version>
                     *     <ccm:sha256>17122b215212dc6a07743a2ad7f0df6ee14f723cb6bb5a6f856d2a70f2b5345e</ccm:sha256>
                     *     <ccm:state>{"item":{"category_id":"cat_m5xwq2zk7hjd4ty6","cpv":"44112300","id":"ci_4pkz6qjxw2h7mtd3ruvy5cnaeo","median_price":{"cents":485,"currency":"EUR","recorded_at":"2026-11-20T02:00:00Z"},"name":"Placa de yeso laminado 13 mm","observation_count":12,"unit":"m²","updated_at":"2026-11-20T02:00:00Z","vendor_count":3},"kind":"material","markets":[{"median_price":{"cents":485,"currency":"EUR","recorded_at":"2026-11-20T02:00:00Z"},"region":"ES","vendor_count":3}],"merged_into":null,"regions":["ES"],"state":"active"}</ccm:state>
                     *     </item>
                     *     </channel>
                     *     </rss>
                     */
                    "application/rss+xml": string;
                    /** @example {"seq":1,"op":"upsert","id":"ci_4pkz6qjxw2h7mtd3ruvy5cnaeo","version":2,"updated":"2026-11-20T02:00:00.000000Z","sha256":"17122b215212dc6a07743a2ad7f0df6ee14f723cb6bb5a6f856d2a70f2b5345e","chain":"82d20b241f2e08108c9243f666ae2e974a8d5d318fad8c2de0678a78319ebaa7","state":{"item":{"category_id":"cat_m5xwq2zk7hjd4ty6","cpv":"44112300","id":"ci_4pkz6qjxw2h7mtd3ruvy5cnaeo","median_price":{"cents":485,"currency":"EUR","recorded_at":"2026-11-20T02:00:00Z"},"name":"Placa de yeso laminado 13 mm","observation_count":12,"unit":"m²","updated_at":"2026-11-20T02:00:00Z","vendor_count":3},"kind":"material","markets":[{"median_price":{"cents":485,"currency":"EUR","recorded_at":"2026-11-20T02:00:00Z"},"region":"ES","vendor_count":3}],"merged_into":null,"regions":["ES"],"state":"active"}} */
                    "application/x-ndjson": string;
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The number is beyond the newest change, or belongs to another generation */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "future_cursor",
                     *       "details": "since 21301: expected at most 21300, the newest change"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description These changes are no longer available, or belong to another generation */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-3"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "changes_expired",
                     *       "details": "changes after 40: expected 500 or later, since older ones are not kept"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRegionAtom: {
        parameters: {
            query?: {
                /** @description Continue where you stopped: the changes after this number of the feed, ascending; 304 when there are none. 0 begins at the first. Absent: the newest changes */
                since?: number;
                /** @description Notice that the numbers began anew: the generation of the number in `since`, as state.json gives it; 409 when another one has begun */
                gen?: string;
                /** @description Read less at once. With `since`: at most so many changes, 1000 unless given. Without it: only the newest so many items, at most 100, in words for feed readers, without changes that mean nothing to people */
                limit?: number;
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description The market to follow, in any case of letters
                 * @example ES
                 */
                region: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An Atom feed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example <?xml version="1.0" encoding="utf-8"?>
                     *     <feed xmlns="http://www.w3.org/2005/Atom" xmlns:at="http://purl.org/atompub/tombstones/1.0" xmlns:fh="http://purl.org/syndication/history/1.0" xmlns:ccm="urn:construction-cost-catalog:ccm:1">
                     *     <id>tag:catalog.example.org,2026:feed/items</id>
                     *     <title>Construction Cost Catalog</title>
                     *     <subtitle>Items whose price or description changed, newest first</subtitle>
                     *     <updated>2026-11-20T02:00:00.000000Z</updated>
                     *     <author>
                     *     <name>Construction Cost Catalog</name>
                     *     </author>
                     *     <link rel="self" type="application/atom+xml" href="https://catalog.example.org/v1/feeds/items.atom"/>
                     *     <link rel="alternate" href="https://catalog.example.org/"/>
                     *     <link rel="current" type="application/atom+xml" href="https://catalog.example.org/v1/feeds/items.atom"/>
                     *     <ccm:gen>5f0c1a2b3d4e6f70</ccm:gen>
                     *     <ccm:scope>items</ccm:scope>
                     *     <ccm:first>1</ccm:first>
                     *     <ccm:last>1</ccm:last>
                     *     <ccm:chain>82d20b241f2e08108c9243f666ae2e974a8d5d318fad8c2de0678a78319ebaa7</ccm:chain>
                     *     <ccm:head>1</ccm:head>
                     *     <entry>
                     *     <id>tag:catalog.example.org,2026:item/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo</id>
                     *     <title>Placa de yeso laminado 13 mm, m²: 4.85 EUR, +2.8 % since 2 Nov, 3 vendors</title>
                     *     <summary>4.85 EUR, before that 4.72 EUR since 2 Nov. 3 vendors, 12 observations. Sold in ES. By region: ES 4.85 EUR.</summary>
                     *     <updated>2026-11-20T02:00:00.000000Z</updated>
                     *     <link rel="alternate" href="https://catalog.example.org/v1/items/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo"/>
                     *     <category term="region:ES"/>
                     *     <ccm:seq>1</ccm:seq>
                     *     <ccm:op>upsert</ccm:op>
                     *     <ccm:version>2</ccm:version>
                     *     <ccm:sha256>17122b215212dc6a07743a2ad7f0df6ee14f723cb6bb5a6f856d2a70f2b5345e</ccm:sha256>
                     *     <ccm:state>{"item":{"category_id":"cat_m5xwq2zk7hjd4ty6","cpv":"44112300","id":"ci_4pkz6qjxw2h7mtd3ruvy5cnaeo","median_price":{"cents":485,"currency":"EUR","recorded_at":"2026-11-20T02:00:00Z"},"name":"Placa de yeso laminado 13 mm","observation_count":12,"unit":"m²","updated_at":"2026-11-20T02:00:00Z","vendor_count":3},"kind":"material","markets":[{"median_price":{"cents":485,"currency":"EUR","recorded_at":"2026-11-20T02:00:00Z"},"region":"ES","vendor_count":3}],"merged_into":null,"regions":["ES"],"state":"active"}</ccm:state>
                     *     </entry>
                     *     </feed>
                     */
                    "application/atom+xml": string;
                    /** @example {"seq":1,"op":"upsert","id":"ci_4pkz6qjxw2h7mtd3ruvy5cnaeo","version":2,"updated":"2026-11-20T02:00:00.000000Z","sha256":"17122b215212dc6a07743a2ad7f0df6ee14f723cb6bb5a6f856d2a70f2b5345e","chain":"82d20b241f2e08108c9243f666ae2e974a8d5d318fad8c2de0678a78319ebaa7","state":{"item":{"category_id":"cat_m5xwq2zk7hjd4ty6","cpv":"44112300","id":"ci_4pkz6qjxw2h7mtd3ruvy5cnaeo","median_price":{"cents":485,"currency":"EUR","recorded_at":"2026-11-20T02:00:00Z"},"name":"Placa de yeso laminado 13 mm","observation_count":12,"unit":"m²","updated_at":"2026-11-20T02:00:00Z","vendor_count":3},"kind":"material","markets":[{"median_price":{"cents":485,"currency":"EUR","recorded_at":"2026-11-20T02:00:00Z"},"region":"ES","vendor_count":3}],"merged_into":null,"regions":["ES"],"state":"active"}} */
                    "application/x-ndjson": string;
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "feed_not_found",
                     *       "details": "region 'XX': expected one of ES, US, AR"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The number is beyond the newest change, or belongs to another generation */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "future_cursor",
                     *       "details": "since 21301: expected at most 21300, the newest change"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description These changes are no longer available, or belong to another generation */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-3"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "changes_expired",
                     *       "details": "changes after 40: expected 500 or later, since older ones are not kept"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getItemsJsonFeed: {
        parameters: {
            query?: {
                /** @description Most entries on a page, 1 to 100: more on a page need fewer requests. Absent: 20 */
                limit?: number;
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A JSON Feed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": "https://jsonfeed.org/version/1.1",
                     *       "title": "Construction Cost Catalog",
                     *       "home_page_url": "https://catalog.example.org/",
                     *       "feed_url": "https://catalog.example.org/v1/feeds/items.json?limit=20",
                     *       "description": "The items whose price or description changed last, at most 20, newest first",
                     *       "items": [
                     *         {
                     *           "id": "tag:catalog.example.org,2026:item/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo",
                     *           "content_html": "Placa de yeso laminado 13 mm, m². New, at 4.85 EUR. 3 vendors, 12 observations. Sold in ES. By region: ES 4.85 EUR.",
                     *           "url": "https://catalog.example.org/items/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo",
                     *           "title": "Placa de yeso laminado 13 mm, m²: 4.85 EUR, new, 3 vendors",
                     *           "date_modified": "2026-11-20T02:00:00.000Z",
                     *           "tags": [
                     *             "region:ES"
                     *           ]
                     *         }
                     *       ],
                     *       "authors": [
                     *         {
                     *           "name": "Construction Cost Catalog"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/feed+json": components["schemas"]["JsonFeed"];
                };
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRegionJsonFeed: {
        parameters: {
            query?: {
                /** @description Most entries on a page, 1 to 100: more on a page need fewer requests. Absent: 20 */
                limit?: number;
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description The market to follow, in any case of letters
                 * @example ES
                 */
                region: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A JSON Feed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": "https://jsonfeed.org/version/1.1",
                     *       "title": "Construction Cost Catalog: ES",
                     *       "home_page_url": "https://catalog.example.org/",
                     *       "feed_url": "https://catalog.example.org/v1/feeds/region/ES.json?limit=20",
                     *       "description": "The items whose price or description changed last, at most 20, newest first",
                     *       "items": [
                     *         {
                     *           "id": "tag:catalog.example.org,2026:item/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo",
                     *           "content_html": "Placa de yeso laminado 13 mm, m². In ES new, at 4.85 EUR. 3 vendors. Sold in ES.",
                     *           "url": "https://catalog.example.org/items/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo?price_region=ES",
                     *           "title": "Placa de yeso laminado 13 mm, m²: 4.85 EUR in ES, new, 3 vendors",
                     *           "date_modified": "2026-11-20T02:00:00.000Z",
                     *           "tags": [
                     *             "region:ES"
                     *           ]
                     *         }
                     *       ],
                     *       "authors": [
                     *         {
                     *           "name": "Construction Cost Catalog"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/feed+json": components["schemas"]["JsonFeed"];
                };
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "item_not_found",
                     *       "details": "item 'ci_none' does not exist"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getFeedState: {
        parameters: {
            query?: {
                /** @description Hear of a change at once: with If-None-Match of the present state, the answer comes when it changes, or is 304 after so many seconds. It counts once, however long it takes. The server may answer earlier */
                wait?: number;
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "protocol": "ccm/1",
                     *       "gen": "5f0c1a2b3d4e6f70",
                     *       "page_size": 500,
                     *       "updated": "2026-11-20T02:00:00.000000Z",
                     *       "scopes": {
                     *         "items": {
                     *           "head": 1,
                     *           "chain": "82d20b241f2e08108c9243f666ae2e974a8d5d318fad8c2de0678a78319ebaa7",
                     *           "floor": 0,
                     *           "closed": 0,
                     *           "subscription": "items.atom",
                     *           "archive": "archive/5f0c1a2b3d4e6f70/items/{page}.atom"
                     *         }
                     *       },
                     *       "digest": null,
                     *       "snapshot": null,
                     *       "generated_at": "2026-11-20T02:00:00Z",
                     *       "valid_until": "2026-11-22T02:00:00Z",
                     *       "keys": "keys.json",
                     *       "catalog": "9f86d081884c7d659a2feaa0c55ad015",
                     *       "signatures": [
                     *         {
                     *           "key": "21fe31dfa154a261626bf854046fd227",
                     *           "signature": "LGMWBmtq37b0cLX210FpX9Mxjii4GPfh9aYZMTIwFD5VOzIhwrkgkDjl0YBfVgdXTgDD-aKTtRRO2zzyTyppBw"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FeedState"];
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getFeedKeys: {
        parameters: {
            query?: {
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "protocol": "ccm/1",
                     *       "catalog": "9f86d081884c7d659a2feaa0c55ad015",
                     *       "keys": [
                     *         {
                     *           "id": "21fe31dfa154a261626bf854046fd227",
                     *           "public_key": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
                     *           "created_at": "2026-11-20T02:00:00Z",
                     *           "signs_until": null,
                     *           "endorsements": []
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FeedKeys"];
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getItemsArchiveAtom: {
        parameters: {
            query?: {
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description Generation of the numbers: `gen` in state.json
                 * @example 5f0c1a2b3d4e6f70
                 */
                gen: string;
                /**
                 * @description Number of a closed page, from 0: `closed` in state.json says how many there are
                 * @example 0
                 */
                page: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example <?xml version="1.0" encoding="utf-8"?>
                     *     <feed xmlns="http://www.w3.org/2005/Atom" xmlns:at="http://purl.org/atompub/tombstones/1.0" xmlns:fh="http://purl.org/syndication/history/1.0" xmlns:ccm="urn:construction-cost-catalog:ccm:1">
                     *     <id>tag:catalog.example.org,2026:feed/items</id>
                     *     <title>Construction Cost Catalog</title>
                     *     <subtitle>Items whose price or description changed: a closed page, newest first</subtitle>
                     *     <updated>2026-11-20T02:00:00.000000Z</updated>
                     *     <author>
                     *     <name>Construction Cost Catalog</name>
                     *     </author>
                     *     <link rel="self" type="application/atom+xml" href="https://catalog.example.org/v1/feeds/archive/5f0c1a2b3d4e6f70/items/0.atom"/>
                     *     <link rel="alternate" href="https://catalog.example.org/"/>
                     *     <link rel="current" type="application/atom+xml" href="https://catalog.example.org/v1/feeds/items.atom"/>
                     *     <link rel="next-archive" type="application/atom+xml" href="https://catalog.example.org/v1/feeds/archive/5f0c1a2b3d4e6f70/items/1.atom"/>
                     *     <fh:archive/>
                     *     <ccm:gen>5f0c1a2b3d4e6f70</ccm:gen>
                     *     <ccm:scope>items</ccm:scope>
                     *     <ccm:first>1</ccm:first>
                     *     <ccm:last>1</ccm:last>
                     *     <ccm:chain>82d20b241f2e08108c9243f666ae2e974a8d5d318fad8c2de0678a78319ebaa7</ccm:chain>
                     *     <entry>
                     *     <id>tag:catalog.example.org,2026:item/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo</id>
                     *     <title>Placa de yeso laminado 13 mm, m²: 4.85 EUR, +2.8 % since 2 Nov, 3 vendors</title>
                     *     <summary>4.85 EUR, before that 4.72 EUR since 2 Nov. 3 vendors, 12 observations. Sold in ES. By region: ES 4.85 EUR.</summary>
                     *     <updated>2026-11-20T02:00:00.000000Z</updated>
                     *     <link rel="alternate" href="https://catalog.example.org/v1/items/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo"/>
                     *     <category term="region:ES"/>
                     *     <ccm:seq>1</ccm:seq>
                     *     <ccm:op>upsert</ccm:op>
                     *     <ccm:version>2</ccm:version>
                     *     <ccm:sha256>17122b215212dc6a07743a2ad7f0df6ee14f723cb6bb5a6f856d2a70f2b5345e</ccm:sha256>
                     *     <ccm:state>{"item":{"category_id":"cat_m5xwq2zk7hjd4ty6","cpv":"44112300","id":"ci_4pkz6qjxw2h7mtd3ruvy5cnaeo","median_price":{"cents":485,"currency":"EUR","recorded_at":"2026-11-20T02:00:00Z"},"name":"Placa de yeso laminado 13 mm","observation_count":12,"unit":"m²","updated_at":"2026-11-20T02:00:00Z","vendor_count":3},"kind":"material","markets":[{"median_price":{"cents":485,"currency":"EUR","recorded_at":"2026-11-20T02:00:00Z"},"region":"ES","vendor_count":3}],"merged_into":null,"regions":["ES"],"state":"active"}</ccm:state>
                     *     </entry>
                     *     </feed>
                     */
                    "application/atom+xml": string;
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The page is still open: it stands in the subscription */
            307: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "feed_not_found",
                     *       "details": "page 43: expected at most 42, the open one"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description These changes are no longer available, or belong to another generation */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-3"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "changes_expired",
                     *       "details": "changes after 40: expected 500 or later, since older ones are not kept"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getItemsArchiveRss: {
        parameters: {
            query?: {
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description Generation of the numbers: `gen` in state.json
                 * @example 5f0c1a2b3d4e6f70
                 */
                gen: string;
                /**
                 * @description Number of a closed page, from 0: `closed` in state.json says how many there are
                 * @example 0
                 */
                page: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example <?xml version="1.0" encoding="utf-8"?>
                     *     <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:fh="http://purl.org/syndication/history/1.0" xmlns:ccm="urn:construction-cost-catalog:ccm:1">
                     *     <channel>
                     *     <title>Construction Cost Catalog</title>
                     *     <link>https://catalog.example.org/</link>
                     *     <description>Items whose price or description changed: a closed page, newest first</description>
                     *     <lastBuildDate>Fri, 20 Nov 2026 02:00:00 GMT</lastBuildDate>
                     *     <atom:link rel="self" type="application/rss+xml" href="https://catalog.example.org/v1/feeds/archive/5f0c1a2b3d4e6f70/items/0.rss"/>
                     *     <atom:link rel="current" type="application/rss+xml" href="https://catalog.example.org/v1/feeds/items.rss"/>
                     *     <atom:link rel="next-archive" type="application/rss+xml" href="https://catalog.example.org/v1/feeds/archive/5f0c1a2b3d4e6f70/items/1.rss"/>
                     *     <fh:archive/>
                     *     <ccm:gen>5f0c1a2b3d4e6f70</ccm:gen>
                     *     <ccm:scope>items</ccm:scope>
                     *     <ccm:first>1</ccm:first>
                     *     <ccm:last>1</ccm:last>
                     *     <ccm:chain>82d20b241f2e08108c9243f666ae2e974a8d5d318fad8c2de0678a78319ebaa7</ccm:chain>
                     *     <item>
                     *     <title>Placa de yeso laminado 13 mm, m²: 4.85 EUR, +2.8 % since 2 Nov, 3 vendors</title>
                     *     <link>https://catalog.example.org/v1/items/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo</link>
                     *     <guid isPermaLink="false">tag:catalog.example.org,2026:item/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo</guid>
                     *     <pubDate>Fri, 20 Nov 2026 02:00:00 GMT</pubDate>
                     *     <category>region:ES</category>
                     *     <description>Placa de yeso laminado 13 mm, m². 4.85 EUR, before that 4.72 EUR since 2 Nov. 3 vendors, 12 observations. Sold in ES. By region: ES 4.85 EUR.</description>
                     *     <ccm:seq>1</ccm:seq>
                     *     <ccm:op>upsert</ccm:op>
                     *     <ccm:version>2</ccm:version>
                     *     <ccm:sha256>17122b215212dc6a07743a2ad7f0df6ee14f723cb6bb5a6f856d2a70f2b5345e</ccm:sha256>
                     *     <ccm:state>{"item":{"category_id":"cat_m5xwq2zk7hjd4ty6","cpv":"44112300","id":"ci_4pkz6qjxw2h7mtd3ruvy5cnaeo","median_price":{"cents":485,"currency":"EUR","recorded_at":"2026-11-20T02:00:00Z"},"name":"Placa de yeso laminado 13 mm","observation_count":12,"unit":"m²","updated_at":"2026-11-20T02:00:00Z","vendor_count":3},"kind":"material","markets":[{"median_price":{"cents":485,"currency":"EUR","recorded_at":"2026-11-20T02:00:00Z"},"region":"ES","vendor_count":3}],"merged_into":null,"regions":["ES"],"state":"active"}</ccm:state>
                     *     </item>
                     *     </channel>
                     *     </rss>
                     */
                    "application/rss+xml": string;
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The page is still open: it stands in the subscription */
            307: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "feed_not_found",
                     *       "details": "page 43: expected at most 42, the open one"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description These changes are no longer available, or belong to another generation */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-3"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "changes_expired",
                     *       "details": "changes after 40: expected 500 or later, since older ones are not kept"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRegionArchiveAtom: {
        parameters: {
            query?: {
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description Generation of the numbers: `gen` in state.json
                 * @example 5f0c1a2b3d4e6f70
                 */
                gen: string;
                /**
                 * @description The market to follow, in any case of letters
                 * @example ES
                 */
                region: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
                /**
                 * @description Number of a closed page, from 0: `closed` in state.json says how many there are
                 * @example 0
                 */
                page: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example <?xml version="1.0" encoding="utf-8"?>
                     *     <feed xmlns="http://www.w3.org/2005/Atom" xmlns:at="http://purl.org/atompub/tombstones/1.0" xmlns:fh="http://purl.org/syndication/history/1.0" xmlns:ccm="urn:construction-cost-catalog:ccm:1">
                     *     <id>tag:catalog.example.org,2026:feed/region/ES</id>
                     *     <title>Construction Cost Catalog: ES</title>
                     *     <subtitle>Items whose price or description changed: a closed page, newest first</subtitle>
                     *     <updated>2026-11-20T02:00:00.000000Z</updated>
                     *     <author>
                     *     <name>Construction Cost Catalog</name>
                     *     </author>
                     *     <link rel="self" type="application/atom+xml" href="https://catalog.example.org/v1/feeds/archive/5f0c1a2b3d4e6f70/region/ES/0.atom"/>
                     *     <link rel="alternate" href="https://catalog.example.org/"/>
                     *     <link rel="current" type="application/atom+xml" href="https://catalog.example.org/v1/feeds/region/ES"/>
                     *     <link rel="next-archive" type="application/atom+xml" href="https://catalog.example.org/v1/feeds/archive/5f0c1a2b3d4e6f70/region/ES/1.atom"/>
                     *     <fh:archive/>
                     *     <ccm:gen>5f0c1a2b3d4e6f70</ccm:gen>
                     *     <ccm:scope>region/ES</ccm:scope>
                     *     <ccm:first>1</ccm:first>
                     *     <ccm:last>1</ccm:last>
                     *     <ccm:chain>82d20b241f2e08108c9243f666ae2e974a8d5d318fad8c2de0678a78319ebaa7</ccm:chain>
                     *     <entry>
                     *     <id>tag:catalog.example.org,2026:item/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo</id>
                     *     <title>Placa de yeso laminado 13 mm, m²: 4.85 EUR, +2.8 % since 2 Nov, 3 vendors</title>
                     *     <summary>4.85 EUR, before that 4.72 EUR since 2 Nov. 3 vendors, 12 observations. Sold in ES. By region: ES 4.85 EUR.</summary>
                     *     <updated>2026-11-20T02:00:00.000000Z</updated>
                     *     <link rel="alternate" href="https://catalog.example.org/v1/items/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo"/>
                     *     <category term="region:ES"/>
                     *     <ccm:seq>1</ccm:seq>
                     *     <ccm:op>upsert</ccm:op>
                     *     <ccm:version>2</ccm:version>
                     *     <ccm:sha256>17122b215212dc6a07743a2ad7f0df6ee14f723cb6bb5a6f856d2a70f2b5345e</ccm:sha256>
                     *     <ccm:state>{"item":{"category_id":"cat_m5xwq2zk7hjd4ty6","cpv":"44112300","id":"ci_4pkz6qjxw2h7mtd3ruvy5cnaeo","median_price":{"cents":485,"currency":"EUR","recorded_at":"2026-11-20T02:00:00Z"},"name":"Placa de yeso laminado 13 mm","observation_count":12,"unit":"m²","updated_at":"2026-11-20T02:00:00Z","vendor_count":3},"kind":"material","markets":[{"median_price":{"cents":485,"currency":"EUR","recorded_at":"2026-11-20T02:00:00Z"},"region":"ES","vendor_count":3}],"merged_into":null,"regions":["ES"],"state":"active"}</ccm:state>
                     *     </entry>
                     *     </feed>
                     */
                    "application/atom+xml": string;
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The page is still open: it stands in the subscription */
            307: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "feed_not_found",
                     *       "details": "page 2: expected at most 1, the open one"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description These changes are no longer available, or belong to another generation */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-3"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "changes_expired",
                     *       "details": "changes after 40: expected 500 or later, since older ones are not kept"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getItemFeed: {
        parameters: {
            query?: {
                /** @description The prices of this market; absent: the headline */
                price_region?: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
                /** @description Most entries on a page, 1 to 100: more on a page need fewer requests. Absent: 20 */
                limit?: number;
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description Id of an item, as `/search` and `/items` give it
                 * @example ci_4pkz6qjxw2h7mtd3ruvy5cnaeo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Content-Location": components["headers"]["Content-Location"];
                    "Price-Region": components["headers"]["Price-Region"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example <?xml version="1.0" encoding="utf-8"?>
                     *     <feed xmlns="http://www.w3.org/2005/Atom" xmlns:at="http://purl.org/atompub/tombstones/1.0">
                     *     <id>tag:catalog.example.org,2026:feed/item/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo/ES</id>
                     *     <title>Construction Cost Catalog: Placa de yeso laminado 13 mm, m²</title>
                     *     <subtitle>Changes of its median price in ES, newest first</subtitle>
                     *     <updated>2026-11-20T02:00:00.000000Z</updated>
                     *     <author>
                     *     <name>Construction Cost Catalog</name>
                     *     </author>
                     *     <link rel="alternate" href="https://catalog.example.org/items/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo?price_region=ES"/>
                     *     <link rel="self" type="application/atom+xml" href="https://catalog.example.org/v1/feeds/item/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo?price_region=ES"/>
                     *     <link rel="current" type="application/atom+xml" href="https://catalog.example.org/v1/feeds/item/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo?price_region=ES"/>
                     *     <entry>
                     *     <id>tag:catalog.example.org,2026:item/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo/price/ES/2026-11-20T02:00:00Z</id>
                     *     <title>Placa de yeso laminado 13 mm, m²: 4.85 EUR in ES, before 4.72 EUR, +2.8 %</title>
                     *     <summary>Placa de yeso laminado 13 mm, m². In ES 4.85 EUR, before that 4.72 EUR since 2 Nov.</summary>
                     *     <updated>2026-11-20T02:00:00.000000Z</updated>
                     *     <link rel="alternate" href="https://catalog.example.org/items/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo?price_region=ES"/>
                     *     <category term="region:ES"/>
                     *     </entry>
                     *     </feed>
                     */
                    "application/atom+xml": string;
                    /**
                     * @example <?xml version="1.0" encoding="utf-8"?>
                     *     <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
                     *     <channel>
                     *     <title>Construction Cost Catalog: Placa de yeso laminado 13 mm, m²</title>
                     *     <link>https://catalog.example.org/items/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo?price_region=ES</link>
                     *     <description>Changes of its median price in ES, newest first</description>
                     *     <lastBuildDate>Fri, 20 Nov 2026 02:00:00 GMT</lastBuildDate>
                     *     <atom:link rel="self" type="application/rss+xml" href="https://catalog.example.org/v1/feeds/item/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo?price_region=ES"/>
                     *     <atom:link rel="current" type="application/rss+xml" href="https://catalog.example.org/v1/feeds/item/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo?price_region=ES"/>
                     *     <item>
                     *     <title>Placa de yeso laminado 13 mm, m²: 4.85 EUR in ES, before 4.72 EUR, +2.8 %</title>
                     *     <link>https://catalog.example.org/items/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo?price_region=ES</link>
                     *     <guid isPermaLink="false">tag:catalog.example.org,2026:item/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo/price/ES/2026-11-20T02:00:00Z</guid>
                     *     <pubDate>Fri, 20 Nov 2026 02:00:00 GMT</pubDate>
                     *     <category>region:ES</category>
                     *     <description>Placa de yeso laminado 13 mm, m². In ES 4.85 EUR, before that 4.72 EUR since 2 Nov.</description>
                     *     </item>
                     *     </channel>
                     *     </rss>
                     */
                    "application/rss+xml": string;
                    /**
                     * @example {
                     *       "version": "https://jsonfeed.org/version/1.1",
                     *       "title": "Construction Cost Catalog: Placa de yeso laminado 13 mm, m²",
                     *       "home_page_url": "https://catalog.example.org/items/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo?price_region=ES",
                     *       "feed_url": "https://catalog.example.org/v1/feeds/item/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo?price_region=ES",
                     *       "description": "Changes of its median price in ES, newest first",
                     *       "items": [
                     *         {
                     *           "id": "tag:catalog.example.org,2026:item/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo/price/ES/2026-11-20T02:00:00Z",
                     *           "content_html": "Placa de yeso laminado 13 mm, m². In ES 4.85 EUR, before that 4.72 EUR since 2 Nov.",
                     *           "url": "https://catalog.example.org/items/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo?price_region=ES",
                     *           "title": "Placa de yeso laminado 13 mm, m²: 4.85 EUR in ES, before 4.72 EUR, +2.8 %",
                     *           "date_modified": "2026-11-20T02:00:00.000Z",
                     *           "tags": [
                     *             "region:ES"
                     *           ]
                     *         }
                     *       ],
                     *       "authors": [
                     *         {
                     *           "name": "Construction Cost Catalog"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/feed+json": components["schemas"]["JsonFeed"];
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Location": components["headers"]["Content-Location"];
                    "Price-Region": components["headers"]["Price-Region"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "item_not_found",
                     *       "details": "item 'ci_none' does not exist"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCategoryFeed: {
        parameters: {
            query?: {
                /** @description The prices of this market; absent: the headline */
                price_region?: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
                /** @description Most entries on a page, 1 to 100: more on a page need fewer requests. Absent: 20 */
                limit?: number;
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description Id of an item, as `/search` and `/items` give it
                 * @example ci_4pkz6qjxw2h7mtd3ruvy5cnaeo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Price-Region": components["headers"]["Price-Region"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example <?xml version="1.0" encoding="utf-8"?>
                     *     <feed xmlns="http://www.w3.org/2005/Atom" xmlns:at="http://purl.org/atompub/tombstones/1.0">
                     *     <id>tag:catalog.example.org,2026:feed/category/cat_m5xwq2zk7hjd4ty6/ES</id>
                     *     <title>Construction Cost Catalog: Plaster and drywall</title>
                     *     <subtitle>The last change of the median price in ES of each item in it and below it, newest first</subtitle>
                     *     <updated>2026-11-20T02:00:00.000000Z</updated>
                     *     <author>
                     *     <name>Construction Cost Catalog</name>
                     *     </author>
                     *     <link rel="alternate" href="https://catalog.example.org/categories/cat_m5xwq2zk7hjd4ty6"/>
                     *     <link rel="self" type="application/atom+xml" href="https://catalog.example.org/v1/feeds/category/cat_m5xwq2zk7hjd4ty6?price_region=ES"/>
                     *     <link rel="current" type="application/atom+xml" href="https://catalog.example.org/v1/feeds/category/cat_m5xwq2zk7hjd4ty6?price_region=ES"/>
                     *     <entry>
                     *     <id>tag:catalog.example.org,2026:item/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo/price/ES/2026-11-20T02:00:00Z</id>
                     *     <title>Placa de yeso laminado 13 mm, m²: 4.85 EUR in ES, before 4.72 EUR, +2.8 %</title>
                     *     <summary>Placa de yeso laminado 13 mm, m². In ES 4.85 EUR, before that 4.72 EUR since 2 Nov.</summary>
                     *     <updated>2026-11-20T02:00:00.000000Z</updated>
                     *     <link rel="alternate" href="https://catalog.example.org/items/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo?price_region=ES"/>
                     *     <category term="region:ES"/>
                     *     </entry>
                     *     </feed>
                     */
                    "application/atom+xml": string;
                    /**
                     * @example <?xml version="1.0" encoding="utf-8"?>
                     *     <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
                     *     <channel>
                     *     <title>Construction Cost Catalog: Plaster and drywall</title>
                     *     <link>https://catalog.example.org/categories/cat_m5xwq2zk7hjd4ty6</link>
                     *     <description>The last change of the median price in ES of each item in it and below it, newest first</description>
                     *     <lastBuildDate>Fri, 20 Nov 2026 02:00:00 GMT</lastBuildDate>
                     *     <atom:link rel="self" type="application/rss+xml" href="https://catalog.example.org/v1/feeds/category/cat_m5xwq2zk7hjd4ty6?price_region=ES"/>
                     *     <atom:link rel="current" type="application/rss+xml" href="https://catalog.example.org/v1/feeds/category/cat_m5xwq2zk7hjd4ty6?price_region=ES"/>
                     *     <item>
                     *     <title>Placa de yeso laminado 13 mm, m²: 4.85 EUR in ES, before 4.72 EUR, +2.8 %</title>
                     *     <link>https://catalog.example.org/items/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo?price_region=ES</link>
                     *     <guid isPermaLink="false">tag:catalog.example.org,2026:item/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo/price/ES/2026-11-20T02:00:00Z</guid>
                     *     <pubDate>Fri, 20 Nov 2026 02:00:00 GMT</pubDate>
                     *     <category>region:ES</category>
                     *     <description>Placa de yeso laminado 13 mm, m². In ES 4.85 EUR, before that 4.72 EUR since 2 Nov.</description>
                     *     </item>
                     *     </channel>
                     *     </rss>
                     */
                    "application/rss+xml": string;
                    /**
                     * @example {
                     *       "version": "https://jsonfeed.org/version/1.1",
                     *       "title": "Construction Cost Catalog: Plaster and drywall",
                     *       "home_page_url": "https://catalog.example.org/categories/cat_m5xwq2zk7hjd4ty6",
                     *       "feed_url": "https://catalog.example.org/v1/feeds/category/cat_m5xwq2zk7hjd4ty6?price_region=ES",
                     *       "description": "The last change of the median price in ES of each item in it and below it, newest first",
                     *       "items": [
                     *         {
                     *           "id": "tag:catalog.example.org,2026:item/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo/price/ES/2026-11-20T02:00:00Z",
                     *           "content_html": "Placa de yeso laminado 13 mm, m². In ES 4.85 EUR, before that 4.72 EUR since 2 Nov.",
                     *           "url": "https://catalog.example.org/items/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo?price_region=ES",
                     *           "title": "Placa de yeso laminado 13 mm, m²: 4.85 EUR in ES, before 4.72 EUR, +2.8 %",
                     *           "date_modified": "2026-11-20T02:00:00.000Z",
                     *           "tags": [
                     *             "region:ES"
                     *           ]
                     *         }
                     *       ],
                     *       "authors": [
                     *         {
                     *           "name": "Construction Cost Catalog"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/feed+json": components["schemas"]["JsonFeed"];
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Price-Region": components["headers"]["Price-Region"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "item_not_found",
                     *       "details": "item 'ci_none' does not exist"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMirrors: {
        parameters: {
            query?: {
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mirrors */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "checked_at": "2026-11-20T02:00:00Z",
                     *       "mirrors": [
                     *         {
                     *           "url": "https://mirror.example/catalog",
                     *           "gen": "5f0c1a2b3d4e6f70",
                     *           "scopes": [
                     *             "items",
                     *             "region/ES"
                     *           ],
                     *           "lag": {
                     *             "changes": 0,
                     *             "seconds": 0
                     *           },
                     *           "digest": {
                     *             "scope": "items",
                     *             "seq": 21300,
                     *             "state_root": "abababababababababababababababababababababababababababababababab",
                     *             "is_equal": true
                     *           },
                     *           "last_seen_at": "2026-11-20T02:00:00Z",
                     *           "last_error": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MirrorsResponse"];
                };
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getItemsDigest: {
        parameters: {
            query?: {
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description Generation of the numbers: `gen` in state.json
                 * @example 5f0c1a2b3d4e6f70
                 */
                gen: string;
                /**
                 * @description Number at which the digest was made: `digest.scopes` in state.json names it for the feed
                 * @example 21300
                 */
                seq: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The digest */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "protocol": "ccm/1",
                     *       "gen": "5f0c1a2b3d4e6f70",
                     *       "scope": "items",
                     *       "seq": 1,
                     *       "count": 1,
                     *       "state_root": "cf055fff6a478152c50a2e8165a67186b2d87c8249aa669098e13145cce51afe",
                     *       "buckets": [
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "0d5734575d8b6e735395be8b3e08ec8b87746a55b7f73f5d3eb2c2355566ad78",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FeedDigest"];
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "file_not_found",
                     *       "details": "no digest of items at 7 in generation '5f0c'"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRegionDigest: {
        parameters: {
            query?: {
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description Generation of the numbers: `gen` in state.json
                 * @example 5f0c1a2b3d4e6f70
                 */
                gen: string;
                /**
                 * @description The market to follow, in any case of letters
                 * @example ES
                 */
                region: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
                /**
                 * @description Number at which the digest was made: `digest.scopes` in state.json names it for the feed
                 * @example 21300
                 */
                seq: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The digest */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "protocol": "ccm/1",
                     *       "gen": "5f0c1a2b3d4e6f70",
                     *       "scope": "region/ES",
                     *       "seq": 1,
                     *       "count": 1,
                     *       "state_root": "cf055fff6a478152c50a2e8165a67186b2d87c8249aa669098e13145cce51afe",
                     *       "buckets": [
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "0d5734575d8b6e735395be8b3e08ec8b87746a55b7f73f5d3eb2c2355566ad78",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FeedDigest"];
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "file_not_found",
                     *       "details": "no digest of region/ES at 7 in generation '5f0c'"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSnapshots: {
        parameters: {
            query?: {
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "protocol": "ccm/1",
                     *       "snapshots": [
                     *         {
                     *           "gen": "5f0c1a2b3d4e6f70",
                     *           "seq": 1,
                     *           "created_at": "2026-11-20T03:30:00Z",
                     *           "edition": "2026-11",
                     *           "count": 1,
                     *           "bytes": 5310,
                     *           "url": "5f0c1a2b3d4e6f70/1/manifest.json",
                     *           "sha256": "5b0f2c1de38a4d8c9e7a1b6f40d35c2ab7e9f1083d6c4a52be0f7d91c8a3e614"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SnapshotIndex"];
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "file_not_found",
                     *       "details": "no list of snapshots: none was taken"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSnapshotFile: {
        parameters: {
            query?: {
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description Generation of the numbers: `gen` in state.json
                 * @example 5f0c1a2b3d4e6f70
                 */
                gen: string;
                /**
                 * @description Number of the snapshot: `snapshot.seq` in state.json, or `seq` in the list of snapshots
                 * @example 21300
                 */
                seq: number;
                /**
                 * @description `manifest.json`, or the name of a file that it lists
                 * @example manifest.json
                 */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified-2"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "protocol": "ccm/1",
                     *       "gen": "5f0c1a2b3d4e6f70",
                     *       "seq": 1,
                     *       "count": 1,
                     *       "scopes": {},
                     *       "shards": [],
                     *       "files": []
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                    /** @example The bytes of 00.ndjson.gz */
                    "application/gzip": string;
                    /** @example The bytes of items.parquet */
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The requested range of the file */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["Last-Modified-2"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example The bytes that Range asked for */
                    "application/json": string;
                    /** @example The bytes that Range asked for */
                    "application/gzip": string;
                    /** @example The bytes that Range asked for */
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "file_not_found",
                     *       "details": "no file 5f0c/7/manifest.json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The file does not match the precondition of the request */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "precondition_failed",
                     *       "details": "If-Unmodified-Since: the file is newer"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The file ends before the range */
            416: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Content-Range": components["headers"]["Content-Range-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "range_not_satisfiable",
                     *       "details": "Range: expected bytes that the file has"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listEditions: {
        parameters: {
            query?: {
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "editions": [
                     *         {
                     *           "edition": "2026-10",
                     *           "id": "ccc:2026-10",
                     *           "as_of": "2026-10-31T02:00:00Z",
                     *           "count": 1,
                     *           "sha256": "6c1f0a5b2de38a4d8c9e7a1b6f40d35c2ab7e9f1083d6c4a52be0f7d91c8a3e6",
                     *           "url": "https://catalog.example.org/v1/editions/2026-10",
                     *           "cite_as": "Construction Cost Catalog, edition 2026-10: median prices as of 2026-10-31T02:00:00Z. ccc:2026-10. https://catalog.example.org/v1/editions/2026-10"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ListEditionsResponse"];
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getEdition: {
        parameters: {
            query?: {
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description A month, UTC
                 * @example 2026-10
                 */
                edition: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The manifest */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "edition": "2026-10",
                     *       "id": "ccc:2026-10",
                     *       "run_id": "run_20261120020000_5f0c1a2b3d",
                     *       "as_of": "2026-10-31T02:00:00Z",
                     *       "method": "twm/3",
                     *       "seq": 1,
                     *       "count": 1,
                     *       "state_root": "0e5f8c1de38a4d8c9e7a1b6f40d35c2ab7e9f1083d6c4a52be0f7d91c8a3e614",
                     *       "buckets": [
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                     *         "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
                     *       ],
                     *       "licence": null
                     *     }
                     */
                    "application/json": components["schemas"]["Edition"];
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "item_not_found",
                     *       "details": "item 'ci_none' does not exist"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listEditionItems: {
        parameters: {
            query?: {
                /** @description Read the next page: the `cursor` of the page before, with the same filters. Absent: the first page */
                cursor?: string;
                /** @description Most items on a page, 1 to 100: more on a page need fewer requests. Absent: 50 */
                limit?: number;
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description A month, UTC
                 * @example 2026-10
                 */
                edition: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of states */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "edition": "2026-10",
                     *       "states": [
                     *         {
                     *           "item": {
                     *             "id": "ci_4pkz6qjxw2h7mtd3ruvy5cnaeo",
                     *             "name": "Placa de yeso laminado 13 mm",
                     *             "unit": "m²",
                     *             "cpv": "44112300",
                     *             "category_id": "cat_m5xwq2zk7hjd4ty6",
                     *             "vendor_count": 3,
                     *             "observation_count": 12,
                     *             "median_price": {
                     *               "cents": 485,
                     *               "currency": "EUR",
                     *               "recorded_at": "2026-11-20T02:00:00Z"
                     *             },
                     *             "updated_at": "2026-11-20T02:00:00Z"
                     *           },
                     *           "regions": [
                     *             "ES"
                     *           ],
                     *           "markets": [],
                     *           "merged_into": null,
                     *           "state": "active"
                     *         }
                     *       ],
                     *       "cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["EditionItemsResponse"];
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "item_not_found",
                     *       "details": "item 'ci_none' does not exist"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getEditionItem: {
        parameters: {
            query?: {
                /** @description Cite the median of this region; absent: the headline */
                price_region?: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description A month, UTC
                 * @example 2026-10
                 */
                edition: string;
                /**
                 * @description Id of an item, as `/search` and `/items` give it
                 * @example ci_4pkz6qjxw2h7mtd3ruvy5cnaeo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The item */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ccc:2026-10:ci_4pkz6qjxw2h7mtd3ruvy5cnaeo",
                     *       "edition": "2026-10",
                     *       "item_id": "ci_4pkz6qjxw2h7mtd3ruvy5cnaeo",
                     *       "run_id": "run_20261120020000_5f0c1a2b3d",
                     *       "as_of": "2026-10-31T02:00:00Z",
                     *       "method": "twm/3",
                     *       "state": {
                     *         "item": {
                     *           "id": "ci_4pkz6qjxw2h7mtd3ruvy5cnaeo",
                     *           "name": "Placa de yeso laminado 13 mm",
                     *           "unit": "m²",
                     *           "cpv": "44112300",
                     *           "category_id": "cat_m5xwq2zk7hjd4ty6",
                     *           "vendor_count": 3,
                     *           "observation_count": 12,
                     *           "median_price": {
                     *             "cents": 485,
                     *             "currency": "EUR",
                     *             "recorded_at": "2026-11-20T02:00:00Z"
                     *           },
                     *           "updated_at": "2026-11-20T02:00:00Z"
                     *         },
                     *         "regions": [
                     *           "ES"
                     *         ],
                     *         "markets": [],
                     *         "merged_into": null,
                     *         "state": "active"
                     *       },
                     *       "state_sha256": "9a1b6f40d35c2ab7e9f1083d6c4a52be0f7d91c8a3e6140e5f8c1de38a4d8c9e",
                     *       "edition_sha256": "6c1f0a5b2de38a4d8c9e7a1b6f40d35c2ab7e9f1083d6c4a52be0f7d91c8a3e6",
                     *       "licence": null,
                     *       "url": "https://catalog.example.org/v1/editions/2026-10/items/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo",
                     *       "cite_as": "Construction Cost Catalog, edition 2026-10: “Placa de yeso laminado 13 mm”, median 4.85 EUR per m² as of 2026-10-31T02:00:00Z. ccc:2026-10:ci_4pkz6qjxw2h7mtd3ruvy5cnaeo. https://catalog.example.org/v1/editions/2026-10/items/ci_4pkz6qjxw2h7mtd3ruvy5cnaeo"
                     *     }
                     */
                    "application/json": components["schemas"]["EditionItemResponse"];
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "item_not_found",
                     *       "details": "item 'ci_none' does not exist"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createDeveloperKey: {
        parameters: {
            query?: {
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateDeveloperKeyRequest"];
            };
        };
        responses: {
            /** @description The key */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "svc_pub_7Jq2XbT0c9LmZrV4kYpWn8sGdHf1aE3eo2Bq",
                     *       "rate_limit_per_min": 120,
                     *       "tier": "public_dev",
                     *       "docs": "https://catalog.example.org/docs",
                     *       "note": "Send it as \"Authorization: Bearer <key>\". It is shown only this once and cannot be recovered."
                     *     }
                     */
                    "application/json": components["schemas"]["CreateDeveloperKeyResponse"];
                };
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "email: expected an e-mail address, found \"a\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "payload_too_large",
                     *       "details": "Request body is too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not JSON */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    Accept: components["headers"]["Accept"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unsupported_media_type",
                     *       "details": "Content-Type: expected application/json"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Usage */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tier": "public_dev",
                     *       "rate_limit_per_min": 120,
                     *       "monthly_cap": 50000,
                     *       "monthly_used": 1204,
                     *       "monthly_remaining": 48796,
                     *       "reset_at": "2026-12-01T00:00:00Z",
                     *       "upgrade_url": "https://catalog.example.org/plans"
                     *     }
                     */
                    "application/json": components["schemas"]["UsageResponse"];
                };
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPricing: {
        parameters: {
            query?: {
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tiers */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tiers": [
                     *         {
                     *           "tier": "free",
                     *           "display_name": "Developer",
                     *           "price_usd_month": 0,
                     *           "rate_limit_per_min": 120,
                     *           "monthly_request_cap": 50000,
                     *           "features": [
                     *             "Items, details with vendors and 90 days of price history, feeds"
                     *           ]
                     *         }
                     *       ],
                     *       "plan_url": "https://catalog.example.org/plans",
                     *       "note": "Reads need no key: 60 requests a minute and address.",
                     *       "docs": "https://catalog.example.org/docs"
                     *     }
                     */
                    "application/json": components["schemas"]["PricingResponse"];
                };
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getStatus: {
        parameters: {
            query?: {
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "ok",
                     *       "problems": [],
                     *       "checked_at": "2026-11-20T12:00:00Z",
                     *       "database": {
                     *         "answers": true,
                     *         "away_seconds": 0
                     *       },
                     *       "catalog": {
                     *         "seq": 21300,
                     *         "run": {
                     *           "id": "run_20261120020000_5f0c1a2b3d",
                     *           "as_of": "2026-11-20T02:00:00Z",
                     *           "finished_at": "2026-11-20T02:03:11Z"
                     *         },
                     *         "snapshot": {
                     *           "seq": 21300,
                     *           "created_at": "2026-11-20T03:30:00Z"
                     *         }
                     *       },
                     *       "projections": {
                     *         "records": 0,
                     *         "seconds": 0
                     *       },
                     *       "replica": {
                     *         "seq": 21300,
                     *         "lag": {
                     *           "records": 0,
                     *           "seconds": 0
                     *         }
                     *       },
                     *       "search": {
                     *         "answers": true,
                     *         "seq": 21300,
                     *         "lag": {
                     *           "records": 0,
                     *           "seconds": 0
                     *         }
                     *       },
                     *       "incidents": [
                     *         {
                     *           "id": "2026-11-18-search",
                     *           "title": "Search was slow",
                     *           "text": null,
                     *           "impact": "degraded",
                     *           "began_at": "2026-11-18T09:00:00Z",
                     *           "ended_at": "2026-11-18T09:40:00Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["StatusResponse"];
                    /**
                     * @example <!doctype html>
                     *     <html lang="en">
                     *     <head>
                     *     <meta charset="utf-8">
                     *     <meta name="viewport" content="width=device-width, initial-scale=1">
                     *     <title>Status: ok · Construction Cost Catalog</title>
                     *     <style>
                     *     :root{color-scheme:light dark;--line:light-dark(#d8d4cc,#44413b);--soft:light-dark(#f6f4ef,#26241f)}
                     *     body{margin:0;font:16px/1.5 system-ui,sans-serif}
                     *     main{max-width:62rem;margin:0 auto;padding:3rem 1.25rem}
                     *     h1{font-size:1.9rem;line-height:1.2;margin:0 0 .5rem}
                     *     h2{font-size:1.1rem;margin:0}
                     *     .plans{display:grid;grid-template-columns:repeat(auto-fit,minmax(16rem,1fr));gap:1rem;margin:2rem 0}
                     *     section{border:1px solid var(--line);border-radius:.6rem;padding:1.25rem;display:flex;flex-direction:column}
                     *     .price{font-size:1.6rem;font-weight:600;margin:.25rem 0 .75rem}
                     *     ul{margin:0 0 1rem;padding-left:1.1rem;flex:1}
                     *     table{border-collapse:collapse;width:100%}
                     *     th,td{text-align:left;padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--line);vertical-align:top}
                     *     pre{margin:0;padding:.75rem;border-radius:.4rem;background:var(--soft);white-space:pre-wrap;overflow-wrap:anywhere;font-size:.8rem}
                     *     </style>
                     *     </head>
                     *     <body>
                     *     <main>
                     *       <h1>Everything answers</h1>
                     *       <p>State ok, checked at 2026-11-20T12:00:00Z.</p>
                     *
                     *       <table><tr><th scope="row">Database</th><td>answers</td></tr><tr><th scope="row">Search</th><td>answers; up to date</td></tr><tr><th scope="row">Recorded prices</th><td>up to date</td></tr><tr><th scope="row">Copy of this server</th><td>up to date</td></tr><tr><th scope="row">Newest change</th><td>number 21300</td></tr><tr><th scope="row">Last run</th><td>2026-11-20T02:00:00Z, finished 2026-11-20T02:03:11Z</td></tr><tr><th scope="row">Last snapshot</th><td>2026-11-20T03:30:00Z, number 21300</td></tr></table>
                     *       <h2>Incidents</h2>
                     *       <section><h3>Search was slow</h3><p>2026-11-18T09:00:00Z to 2026-11-18T09:40:00Z; impact: degraded</p></section>
                     *       <p><a href="https://catalog.example.org/docs">Documentation</a></p>
                     *     </main>
                     *     </body>
                     *     </html>
                     */
                    "text/html": string;
                };
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOpenApi: {
        parameters: {
            query?: {
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1 */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.0",
                     *       "info": {
                     *         "title": "Construction Cost Catalog",
                     *         "version": "1.0.0"
                     *       },
                     *       "paths": {}
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: {
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is revoked */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "revoked": true,
                     *       "id": "key_w2h7mtd3ruvy5cnaeo4pkz6qjx"
                     *     }
                     */
                    "application/json": components["schemas"]["RevokeKeyResponse"];
                };
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "key_not_found",
                     *       "details": "this key was revoked before"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getItemDecompositionBc3: {
        parameters: {
            query?: {
                /** @description Cost the work in one market: recipes of this region go first, and medians are its own */
                region?: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
                /** @description Choose between several recipes: the one of the source of this id */
                source?: string;
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description Id of an item, as `/search` and `/items` give it
                 * @example ci_4pkz6qjxw2h7mtd3ruvy5cnaeo
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The price book */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    "Content-Location": components["headers"]["Content-Location"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example ~V|Construction Cost Catalog|FIEBDC-3/2020\20112026|catalog|Median price\EUR|ANSI||1| */
                    "application/x-fiebdc3": string;
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Location": components["headers"]["Content-Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "item_not_found",
                     *       "details": "item 'ci_none' does not exist"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCategoryBc3: {
        parameters: {
            query?: {
                /** @description Serve clients of several versions: `false` ignores unknown parameters. Absent: they are refused with `unknown_parameter`, so that a misspelled filter is noticed */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description Id of a category, as `/categories` gives it
                 * @example cat_m5xwq2zk7hjd4ty6
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The price book */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    "Last-Modified": components["headers"]["Last-Modified"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example ~V|Construction Cost Catalog|FIEBDC-3/2020\20112026|catalog|Median price\EUR|ANSI||1| */
                    "application/x-fiebdc3": string;
                };
            };
            /** @description The entity tag in If-None-Match still holds */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter is missing, out of bounds or unknown */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_parameter",
                     *       "details": "limit: expected an integer from 1 to 100, found \"0\""
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not valid */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "invalid_key",
                     *       "details": "Authorization: expected \"Bearer\" and a valid API key, or no such header"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "item_not_found",
                     *       "details": "item 'ci_none' does not exist"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept headers exclude every available representation */
            406: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_acceptable",
                     *       "details": "Accept: expected application/json, found text/html"
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A limit is exceeded */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "rate_limited_minute",
                     *       "details": "expected at most 60 requests a minute",
                     *       "retry_after_seconds": 42
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Temporarily unavailable, or too busy */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link-2"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "store_unavailable",
                     *       "details": "the database does not answer",
                     *       "retry_after_seconds": 5
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
