/**
 * Made by `npm run judge -- renew` from the OpenAPI document with this SHA-256 1e8ccf4b283d4f48e08cddad830428cbcd42ece618d1c5050caf9eb11c0c0555.
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
         * @description In pages: follow `cursor`, or the header Link, until there is none. With filters that few items match, a page may hold fewer items than `limit`, or none, and still name a next one.
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
         * One item with its vendors and 90 days of price history
         * @description As JSON, or with `Accept: text/markdown` as Markdown for language models.
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
    "/items/{id}/markets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The median of each region
         * @description In the currency that carries most trust there, with the number of vendors it rests on.
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
         * What the median rests on
         * @description Every vote with its weight, every observation that was left out with the reason, and how the prices spread. The command `catalog explain` prints the same.
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
         * The price over all time
         * @description Each change of the median, in pages, of one region or of the headline. The gaps are shown: a point without a price says that from then on there was none.
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
    "/items/{id}/decomposition": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What an item is made of, and what that costs today
         * @description Additive. The recipe that a price book gives for the item: materials, labor, machinery, percentages, and auxiliaries with their own recipes, each with the price of the book and, beside it, what today’s median of the linked item makes of it. Where several vendors have one, those of `region` go first, then the most trusted source, then the newest recipe; `source` chooses another. With `Accept: text/markdown` as Markdown for language models; with `Accept: application/x-fiebdc3`, or `.bc3` behind the address, as a price book whose first prices are those of the recipe and whose others are medians (`depth` and `quantity` say nothing there).
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
         * Semantic search in any language
         * @description Results are sorted by score; `mode` says how they were found. A `score` compares results of one answer: 10 and more where the query says the GTIN or the reference of the item’s manufacturer, 3 to 7 where the item has a code of the query, and below 3 the likeness in meaning (0 to 1) and up to 1.05 for words, sizes and spelling in common. In pages: follow `cursor`, or the header Link, until there is none; a search finds at most 200 items. Each page counts as a search.
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
         * Which items the lines of a list of materials mean
         * @description Additive. Sizes, packs, grades and kinds of unit are never crossed: a line whose size no item has is unmatched, and says so. Counts as one search for every 10 lines that it begins.
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
         * Categories below a category, with item counts
         * @description One level of the tree, or with `tree` all levels, in pages; without `parent` from the roots.
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
    "/categories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One category
         * @description Its name, how many items it and all below it hold, the way to it from the root, and its children. With `Accept: application/x-fiebdc3`, or `.bc3` behind the id, the category as a price book: its items with the medians of all regions, and their recipes.
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
    "/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sources of prices
         * @description In pages, by id: how much each is trusted, how fresh its prices are, and how its last crawls went.
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
         * One source of prices
         * @description How much it is trusted, how fresh its prices are, how its last crawls went, and how good its data is.
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
    "/feeds/items.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The latest changed items, Atom
         * @description Newest first; polled with If-None-Match it costs no more than a header. With `since` all changes after that number, ascending, and with `Accept: application/x-ndjson` one JSON object a line.
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
         * The latest changed items, RSS
         * @description The entries of the Atom feed, for readers of RSS. With `since` all changes after that number, ascending, and with `Accept: application/x-ndjson` one JSON object a line.
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
         * The latest changed items of one region, Atom
         * @description Of the items that are sold in the region, with those that left it; newest first. With `since` all changes after that number, ascending, and with `Accept: application/x-ndjson` one JSON object a line.
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
    "/feeds/state.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where the feeds stand
         * @description For whoever keeps a copy of the catalog: numbers and chains of all feeds, the newest digest and snapshot. Polled with If-None-Match.
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
    "/feeds/archive/{gen}/items/{page}.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A closed page of all changes, Atom
         * @description Its bytes never change, so that it can be kept for ever: an item that changes again stands on a later page again.
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
         * A closed page of all changes, RSS
         * @description Its bytes never change, so that it can be kept for ever: an item that changes again stands on a later page again.
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
         * A closed page of the changes of one region, Atom
         * @description Its bytes never change, so that it can be kept for ever: an item that changes again stands on a later page again.
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
    "/feeds/digest/{gen}/items/{seq}.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What proves a copy of all items
         * @description 256 hashes of the state at the end of a run: state.json names those of the newest. Where two differ, so do the items whose id hashes to that bucket.
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
         * What proves a copy of the items of one region
         * @description 256 hashes of the state at the end of a run: state.json names those of the newest. Where two differ, so do the items whose id hashes to that bucket.
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
         * The snapshots that are kept
         * @description The newest first, of all generations. The first of each month is kept for ever, to be cited.
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
         * A file of a snapshot
         * @description `manifest.json` names the others: 256 shards with one public state a line, and Parquet files. None ever changes, and a part of one can be asked for by Range.
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
         * @description Needs no key. The answer is the same whether the e-mail is known or not; an address and an e-mail are given a few keys an hour and a day.
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
         * Usage of the calling key this month
         * @description Every request that is admitted counts once, whatever its answer, errors too. Not counted: requests that are refused with 429; answers of 304, and state.json, archives, digests and snapshots of the feeds whatever the answer, which together have a bucket of ten times the limit a minute of their own. Searches count in a bucket of their own a minute instead of the ordinary one, and in the month like all others. /usage, /pricing, /keys/signup, /keys/revoke and /openapi.json count in the minute and not in the month, so that they answer at the cap. The keys and agents of a workspace count together, and a message to /api/mcp counts as the request that it makes. Numbers of other processes are up to a second old.
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
         * Limits of public access
         * @description What a free developer key may do, and where workspace plans are described.
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
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document
         * @description From which a typed client can be made; additive for as long as the path says /v1.
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
         * @description Takes a public developer key alone, as bearer. For ever: this process refuses the key at once, others within 30 seconds. 404 when it was revoked before.
         */
        post: operations["revokeKey"];
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
                /** @description Minor units of the currency */
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
                    /** @description Minor units of the currency */
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
                    /** @description Reasons to review it: `FIRST_PRICE_FAR` (the only price of its SKU, far from the others); `TAX_UNKNOWN` (it includes tax at an unknown rate, and none was removed); `TIER_ONLY` (it holds from a larger quantity on; the source has none for one) */
                    flags: ("FIRST_PRICE_FAR" | "TAX_UNKNOWN" | "TIER_ONLY")[];
                }[];
                excluded: {
                    /** @description Id of an observation, or of a vendor SKU */
                    id: string;
                    /**
                     * @description Why it has no vote: `SOURCE_DISABLED` (the source is switched off); `NO_TRUST` (the source has a trust of 0); `EXPIRED` (older than the source’s prices are valid); `OTHER_CURRENCY` (not in the currency of the headline; it may decide a market); `UNIT_UNKNOWN` (nobody knows its unit; catalog units unknown lists such units); `UNIT_MISMATCH` (its unit does not convert to the item’s); `PRICE_FENCE` (too far from the price of the same SKU before); `QUARANTINED` (a person excluded it); `NOT_POSITIVE` (no price above zero); `PRICE_OUT_OF_RANGE` (too large to be a price per unit of the item); `QUANTITY_TIER` (holds from a larger quantity on, and the source has a price for one); `SAME_VENDOR` (another spelling of its vendor votes with a later price); `FIRST_PRICE_QUARANTINED` (a first price far from the others; it waits for a second crawl or a person)
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
            /** @description Opaque; null when no page follows */
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
            /** @description What the key is for */
            name?: string;
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
                /** @description Minor units of the currency */
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
                /** @description Minor units of the currency */
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
        };
        PriceHistoryPoint: {
            /** Format: date-time */
            recorded_at: string;
            /** @description Minor units of the currency */
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
                    /** @description Minor units of the currency */
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
        ListItemsResponse: {
            items: components["schemas"]["CanonicalItem"][];
            /** @description Opaque; null when no page follows */
            cursor: string | null;
            meta: components["schemas"]["PublicApiMeta"];
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
            /** @description Opaque; null when no page follows */
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
             * @description Plain decimal
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
                    /** @description Minor units of the currency */
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
                 * @description Plain decimal
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
                    /** @description Minor units of the currency */
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
             * @description Plain decimal
             * @example 2.06
             */
            quantity: string;
            lines: components["schemas"]["DecompositionLine"][];
            /** @description Amounts of the lines by kind, for the requested quantity */
            totals: {
                /**
                 * @description Plain decimal
                 * @example 2.06
                 */
                labor: string;
                /**
                 * @description Plain decimal
                 * @example 2.06
                 */
                machinery: string;
                /**
                 * @description Plain decimal
                 * @example 2.06
                 */
                material: string;
                /**
                 * @description Plain decimal
                 * @example 2.06
                 */
                auxiliary: string;
                /**
                 * @description Plain decimal
                 * @example 2.06
                 */
                percentage: string;
                /**
                 * @description Plain decimal
                 * @example 2.06
                 */
                waste: string;
                /**
                 * @description Plain decimal
                 * @example 2.06
                 */
                unclassified: string;
                /**
                 * @description Indirect cost of the lines, and the rounding of the total
                 * @example 2.06
                 */
                indirect: string;
                /**
                 * @description Plain decimal
                 * @example 2.06
                 */
                total: string;
            };
            /** @description The lines with auxiliaries resolved into their components, without indirect cost; `auxiliary` holds the unresolved ones */
            resources: {
                /**
                 * @description Plain decimal
                 * @example 2.06
                 */
                labor: string;
                /**
                 * @description Plain decimal
                 * @example 2.06
                 */
                machinery: string;
                /**
                 * @description Plain decimal
                 * @example 2.06
                 */
                material: string;
                /**
                 * @description Plain decimal
                 * @example 2.06
                 */
                auxiliary: string;
                /**
                 * @description Plain decimal
                 * @example 2.06
                 */
                percentage: string;
                /**
                 * @description Plain decimal
                 * @example 2.06
                 */
                waste: string;
                /**
                 * @description Plain decimal
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
                    /** @description Number of a change within its scope */
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
                /** @description Number of a change within its scope */
                mark: number;
                scopes: {
                    [key: string]: {
                        /** @description Number of a change within its scope */
                        seq: number;
                        /** @description SHA-256, hexadecimal */
                        state_root: string;
                        /** @description Relative to the address of state.json */
                        url: string;
                    };
                };
            } | null;
            /** @description The newest snapshot */
            snapshot: {
                /** @description Number of a change within its scope */
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
            /** @description Number of a change within its scope */
            seq: number;
            /** @description Items in the scope */
            count: number;
            /** @description SHA-256 of all bucket hashes, one after another */
            state_root: string;
            /** @description For each bucket from 0 to 255: SHA-256 over (id, 0x00, SHA-256 of the state), by id in byte order */
            buckets: string[];
        };
        SnapshotIndex: {
            /** @constant */
            protocol: "ccm/1";
            snapshots: {
                gen: string;
                /** @description Number of a change within its scope */
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
                /** @description Minor units of the currency */
                price_min: number;
                /** @description Minor units of the currency */
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
                /** @description Minor units of the currency */
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
                /** @description Minor units of the currency */
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
            /** @description Additive: with `explain` */
            why?: components["schemas"]["SearchReason"];
        };
        SearchResponse: {
            query: string;
            results: components["schemas"]["FoundItem"][];
            /** @enum {string} */
            mode: "vector" | "fallback_no_ai" | "vector_no_match" | "empty_embedding";
            /** @description Additive: of the next page; absent at the end */
            cursor?: string;
            /** @description Additive: with `facets` */
            facets?: components["schemas"]["SearchFacets"];
            /** @description Additive: what the question was read as; with `explain` */
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
                    /** @description Minor units of the currency */
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
        Error: {
            /**
             * @description A stable code: `bad_request` (400, the request cannot be read); `invalid_parameter` (400, a parameter is missing or out of bounds; details names it); `unknown_parameter` (400, the endpoint has no such parameter; details names the nearest); `invalid_cursor` (400, the cursor was not given out for these filters); `invalid_key` (401, the Authorization header holds no valid API key); `not_found` (404, nothing is served at this path); `key_not_found` (404, the key was revoked before); `item_not_found` (404, no such item, or it is gone); `category_not_found` (404, no such category); `recipe_not_found` (404, no vendor of the item has a recipe for it, or not the asked source); `source_not_found` (404, no such source); `file_not_found` (404, no such digest or file of a snapshot, or it is no longer kept); `feed_not_found` (404, no such feed, or no such page of one; details says which there are); `method_not_allowed` (405, the path exists for the methods named in Allow); `not_acceptable` (406, the Accept headers exclude all that the endpoint has; details lists it); `future_cursor` (409, since is beyond the newest change: it is of another server or generation); `generation_changed` (409, the numbers began anew: a copy begins at the snapshot again); `changes_expired` (410, these changes are no longer kept; Link names the snapshot to begin at); `request_timeout` (408, the request did not arrive whole in time); `precondition_failed` (412, the file is not the one that If-Match or If-Unmodified-Since names); `payload_too_large` (413, the body is larger than the endpoint takes); `uri_too_long` (414, the address is longer than the server takes); `unsupported_media_type` (415, the body has a media type that is not taken here); `range_not_satisfiable` (416, the file ends before the range; Content-Range says how long it is); `rate_limited_minute` (429, the limit of requests per minute is reached); `search_rate_limited` (429, the limit of searches per minute is reached); `monthly_cap` (429, the requests of this month are used up; nothing is charged beyond them); `signup_rate_limited` (429, too many keys were asked for by this address or for this e-mail); `headers_too_large` (431, the header fields are larger than the server takes); `internal_error` (500, a fault of the service; X-Request-Id finds it in the log); `overloaded` (503, the server carries too much at present; the request was not begun); `not_ready` (503, the service is starting or stopping); `search_unavailable` (503, the index or the model that embeds queries does not answer at present); `store_unavailable` (503, the database does not answer at present)
             * @example invalid_parameter
             */
            error: string;
            /** @description For people: the value found, and the expectation */
            details?: string;
            /** @description Equal to the header Retry-After */
            retry_after_seconds?: number;
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
            /** @description Days for which an observation keeps its vote */
            validity_days: number;
            /** @description false: it has no votes */
            enabled: boolean;
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
            /** @description Opaque; null when no page follows */
            cursor: string | null;
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
        /** @description When this became the answer; send it back in If-Modified-Since if you cannot store the ETag */
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
                /** @description Only items that are sold in this region */
                region?: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
                /** @description Text filter: the name contains every word */
                q?: string;
                /** @description The `cursor` of the page before */
                cursor?: string;
                limit?: number;
                /** @description Additive: put the median of this region into `median_price`, or null, and the name that its vendors use into `name` */
                price_region?: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
                /** @description Additive: put the name that vendors use in this language into `name`, of the market of `price_region` if any; the headline where none does */
                lang?: string;
                /** @description Additive: `id` lists every item once; `updated` ascends by change, to follow the catalog */
                sort?: "id" | "updated";
                /** @description Additive: only items in this category, or in any below it */
                category_id?: string;
                /** @description Additive: only items of this kind; items whose texts do not say their kind are of none */
                kind?: "material" | "labour" | "machinery" | "hire" | "work";
                /** @description Additive: only items sold in this unit; `m2` finds `m²` */
                unit?: string;
                /** @description Additive: only items whose `median_price` as shown is in this currency */
                currency?: string;
                /** @description Additive: only items that have a vendor SKU of the source of this id */
                source?: string;
                /** @description Additive: the lowest `median_price.cents` as shown; needs `currency` */
                price_min?: number;
                /** @description Additive: the highest `median_price.cents` as shown; needs `currency` */
                price_max?: number;
                /** @description Additive: only items whose `updated_at` is this instant or later */
                updated_since?: string | unknown | unknown;
                /** @description Another name of `category_id` */
                category?: string;
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
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
                /** @description Additive: put the median of this region into `median_price`, or null, and the name that its vendors use into `name` */
                price_region?: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
                /** @description Additive: put the name that vendors use in this language into `name`, of the market of `price_region` if any; the headline where none does */
                lang?: string;
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
                strict?: true | false;
            };
            header?: never;
            path: {
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
    getItemMarkets: {
        parameters: {
            query?: {
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
                strict?: true | false;
            };
            header?: never;
            path: {
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
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
                strict?: true | false;
            };
            header?: never;
            path: {
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
                /** @description The median of this region; absent: the headline */
                price_region?: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
                /** @description Inclusive; the price in force at this instant gets its date. Absent: from the beginning */
                from?: string | unknown | unknown;
                /** @description Inclusive; absent: until now */
                to?: string | unknown | unknown;
                /** @description The `cursor` of the page before */
                cursor?: string;
                limit?: number;
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
                strict?: true | false;
            };
            header?: never;
            path: {
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
    getItemDecomposition: {
        parameters: {
            query?: {
                /** @description Levels of lines */
                depth?: number;
                /** @description Recipes of this region first, and its medians */
                region?: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
                /**
                 * @description How much of the unit of the recipe
                 * @example 12.5
                 */
                quantity?: string;
                /** @description Id of a source: its recipe */
                source?: string;
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
                strict?: true | false;
            };
            header?: never;
            path: {
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
                /** @description What is looked for, in any language */
                q: string;
                limit?: number;
                /** @description The `cursor` of the page before */
                cursor?: string;
                /** @description Additive: only items that are sold in this region */
                region?: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
                /** @description Additive: id of a category; only items in it, or in any below it */
                category_id?: string;
                /** @description Additive: only items of this kind; items whose texts do not say their kind are of none */
                kind?: "material" | "labour" | "machinery" | "hire" | "work";
                /** @description Additive: only items sold in this unit; `m2` finds `m²` */
                unit?: string;
                /** @description Additive: only items whose `median_price` as shown is in this currency */
                currency?: string;
                /** @description Additive: only items that have a vendor SKU of the source of this id */
                source?: string;
                /** @description Additive: the lowest `median_price.cents` as shown; needs `currency` */
                price_min?: number;
                /** @description Additive: the highest `median_price.cents` as shown; needs `currency` */
                price_max?: number;
                /** @description Additive: put the median of this region into `median_price`, or null, and the name that its vendors use into `name` */
                price_region?: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
                /** @description Additive: put the name that vendors use in this language into `name`, of the market of `price_region` if any; the headline where none does */
                lang?: string;
                /** @description Additive: also how many results are of each category, kind, unit, currency and source */
                facets?: "1" | "true" | "0" | "false";
                /** @description Additive: also what the question was read as, and why each result was found */
                explain?: "1" | "true" | "0" | "false";
                /** @description Another name of `category_id` */
                category?: string;
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
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
                     *           "score": 0.8731
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
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
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
                /** @description Id of a category; absent: the roots */
                parent?: string;
                /** @description true: all levels below, by id; each names its parent */
                tree?: true | false;
                /** @description The `cursor` of the page before */
                cursor?: string;
                limit?: number;
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
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
    getCategory: {
        parameters: {
            query?: {
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
                strict?: true | false;
            };
            header?: never;
            path: {
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
    listSources: {
        parameters: {
            query?: {
                /** @description The `cursor` of the page before */
                cursor?: string;
                limit?: number;
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
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
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
                strict?: true | false;
            };
            header?: never;
            path: {
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
    getItemsAtom: {
        parameters: {
            query?: {
                /** @description Additive: the changes after this number of the feed, ascending; 304 when there are none */
                since?: number;
                /** @description Additive, with `since`: the generation of that number; 409 where another one began since */
                gen?: string;
                /** @description Additive, with `since`: at most so many changes; absent: 1000 */
                limit?: number;
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
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
                /** @description Additive: the changes after this number of the feed, ascending; 304 when there are none */
                since?: number;
                /** @description Additive, with `since`: the generation of that number; 409 where another one began since */
                gen?: string;
                /** @description Additive, with `since`: at most so many changes; absent: 1000 */
                limit?: number;
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
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
                /** @description Additive: the changes after this number of the feed, ascending; 304 when there are none */
                since?: number;
                /** @description Additive, with `since`: the generation of that number; 409 where another one began since */
                gen?: string;
                /** @description Additive, with `since`: at most so many changes; absent: 1000 */
                limit?: number;
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description In any case of letters
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
    getFeedState: {
        parameters: {
            query?: {
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
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
                     *       "snapshot": null
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
    getItemsArchiveAtom: {
        parameters: {
            query?: {
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description `gen` in state.json
                 * @example 5f0c1a2b3d4e6f70
                 */
                gen: string;
                /** @description Number of a closed page, from 0: `closed` in state.json counts them */
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
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description `gen` in state.json
                 * @example 5f0c1a2b3d4e6f70
                 */
                gen: string;
                /** @description Number of a closed page, from 0: `closed` in state.json counts them */
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
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description `gen` in state.json
                 * @example 5f0c1a2b3d4e6f70
                 */
                gen: string;
                /**
                 * @description In any case of letters
                 * @example ES
                 */
                region: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
                /** @description Number of a closed page, from 0: `closed` in state.json counts them */
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
    getItemsDigest: {
        parameters: {
            query?: {
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description `gen` in state.json
                 * @example 5f0c1a2b3d4e6f70
                 */
                gen: string;
                /** @description As state.json gives it for the scope */
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
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description `gen` in state.json
                 * @example 5f0c1a2b3d4e6f70
                 */
                gen: string;
                /**
                 * @description In any case of letters
                 * @example ES
                 */
                region: "ES" | "US" | "AR" | "MX" | "CL" | "CO" | "PE" | "BR" | "UY" | "GB" | "EU" | "LATAM";
                /** @description As state.json gives it for the scope */
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
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
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
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
                strict?: true | false;
            };
            header?: never;
            path: {
                /**
                 * @description `gen` in state.json
                 * @example 5f0c1a2b3d4e6f70
                 */
                gen: string;
                /** @description Number of the snapshot: `seq` in state.json */
                seq: number;
                /**
                 * @description `manifest.json`, or a name that it gives
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
    createDeveloperKey: {
        parameters: {
            query?: {
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
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
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
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
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
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
    getOpenApi: {
        parameters: {
            query?: {
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
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
                /** @description `false` ignores unknown parameters, which are otherwise refused with `unknown_parameter` */
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
}
