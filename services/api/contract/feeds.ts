import { openShape, shape } from '@catalog/api/contract/shared/described.ts'
import { Bytes, Count, EXAMPLE, Instant, Seq, Sha256 } from '@catalog/api/contract/shared/fields.ts'
import { IntegerIn, Market, pageLimit, SEQ_MAX, Text, WholeNumber } from '@catalog/api/contract/shared/parameters.ts'
import { z } from 'zod'

/** Feeds, digests and snapshots: the mirror protocol. */

const KeyId = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .meta({ description: 'Id of a key: the first 32 hex digits of the SHA-256 of its public key' })
const CatalogId = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .meta({ description: 'Id of this catalog, the same at every address and after every restore' })
const Signatures = z
  .array(
    shape('Signatures', {
      key: KeyId,
      signature: z.string().regex(/^[\w-]{86}$/),
    }),
  )
  .meta({ description: 'Signatures over the canonical JSON of the other members: docs/mirror-protocol.md' })
/** What a signed document carries; absent where a catalog cannot sign. */
const SIGNED = { catalog: CatalogId.optional(), signatures: Signatures.optional() }

const Address = z.string().meta({ description: 'Relative to the address of state.json' })

/** The longest wait: proxies commonly end a connection after a minute without a byte. */
export const STATE_WAIT_SECONDS_MAX = 30

export const FeedStateQuery = openShape('FeedStateQuery', {
  wait: IntegerIn({ min: 1, max: STATE_WAIT_SECONDS_MAX }).optional(),
})

/** The state of the feeds, for mirrors. */
export const FeedStateResponse = shape('FeedStateResponse', {
  protocol: z.literal('ccm/1'),
  gen: z.string(),
  page_size: z.int().min(1),
  updated: Instant.nullable(),
  scopes: z.record(
    z.string(),
    shape('FeedStateResponse.scopes', {
      head: Seq,
      chain: Sha256,
      floor: Count,
      closed: Count,
      subscription: Address,
      archive: z.string(),
    }),
  ),
  digest: z
    .strictObject({
      mark: Seq,
      scopes: z.record(
        z.string(),
        shape('FeedStateResponse.digest.scopes', {
          seq: Seq,
          chain: Sha256.optional(),
          state_root: Sha256,
          url: Address,
        }),
      ),
    })
    .nullable(),
  snapshot: shape('FeedStateResponse.snapshot', {
    seq: Seq,
    created_at: Instant,
    count: Count,
    bytes: Count,
    url: Address,
    sha256: Sha256,
  }).nullable(),
  ...SIGNED,
  generated_at: Instant.optional(),
  valid_until: Instant.optional(),
  keys: Address.optional(),
}).meta({ id: 'FeedState' })

/** The keys that sign the feeds. */
export const FeedKeysResponse = z
  .strictObject({
    protocol: z.literal('ccm/1'),
    catalog: CatalogId,
    keys: z.array(
      shape('FeedKeysResponse.keys', {
        id: KeyId,
        public_key: z.string().regex(/^[\w-]{43}$/),
        created_at: Instant,
        signs_until: Instant.nullable(),
        endorsements: Signatures,
      }),
    ),
  })
  .meta({ id: 'FeedKeys' })

/** The state of a scope in 256 hashes. */
export const DigestResponse = shape('DigestResponse', {
  protocol: z.literal('ccm/1'),
  gen: z.string(),
  scope: z.string(),
  seq: Seq,
  count: Count,
  state_root: Sha256,
  buckets: z.array(Sha256),
  ...SIGNED,
}).meta({ id: 'FeedDigest' })

/** The available snapshots. */
export const SnapshotIndexResponse = z
  .strictObject({
    protocol: z.literal('ccm/1'),
    snapshots: z.array(
      shape('SnapshotIndexResponse.snapshots', {
        gen: z.string(),
        seq: Seq,
        created_at: Instant,
        edition: z.string().nullable(),
        count: Count,
        bytes: Count,
        url: z.string(),
        sha256: Sha256,
      }),
    ),
  })
  .meta({ id: 'SnapshotIndex' })

/** Most changes in one answer to `since`: about a megabyte. */
export const SINCE_CHANGES_MAX = 1_000

/** Most entries of a feed for people's readers: some 60 kB. */
export const READER_ENTRIES_MAX = 100
/** Entries that such a feed has unless it is asked for more or fewer. */
export const READER_ENTRIES = 20

/** All changes after a number, or the newest ones for readers. */
export const FeedQuery = openShape('FeedQuery', {
  since: WholeNumber(SEQ_MAX).optional(),
  gen: Text({ min: 1, max: 100 }).optional(),
  limit: IntegerIn({ min: 1, max: SINCE_CHANGES_MAX })
    .optional()
    .meta({
      description: `Read less at once. With \`since\`: at most so many changes, ${SINCE_CHANGES_MAX} unless given. Without it: only the newest so many items, at most ${READER_ENTRIES_MAX}, in words for feed readers, without changes that mean nothing to people`,
      examples: [20],
    }),
}).superRefine(({ since, limit }, context) => {
  if (since === undefined && limit !== undefined && limit > READER_ENTRIES_MAX) {
    const message = `expected an integer from 1 to ${READER_ENTRIES_MAX}, or since beside it`
    context.addIssue({ code: 'custom', path: ['limit'], message })
  }
})

/** Of feeds of price changes. */
export const PriceFeedQuery = z.object({
  price_region: Market('The prices of this market; absent: the headline').optional(),
  limit: pageLimit({ max: READER_ENTRIES_MAX, ifAbsent: READER_ENTRIES, counted: 'entries' }),
})

/** Of the newest items as JSON Feed. */
export const JsonFeedQuery = PriceFeedQuery.pick({ limit: true })

const Generation = z.string().meta({
  description: 'Generation of the numbers: `gen` in state.json',
  examples: [EXAMPLE.gen],
})
export const ArchiveParams = openShape('ArchiveParams', { gen: Generation, page: WholeNumber(SEQ_MAX) })

export const DigestParams = openShape('DigestParams', { gen: Generation, seq: WholeNumber(SEQ_MAX) })
export const SnapshotFileParams = openShape('SnapshotFileParams', {
  gen: Generation.regex(/^[A-Za-z0-9_-]{1,100}$/, 'expected letters, digits, - and _'),
  seq: WholeNumber(SEQ_MAX),
  file: z.string(),
})

export const Feed = z.string().meta({ description: 'An Atom or RSS document' })
export const JsonFeed = z
  .looseObject({
    version: z.literal('https://jsonfeed.org/version/1.1'),
    title: z.string(),
    home_page_url: z.string(),
    feed_url: z.string(),
    items: z.array(
      z.looseObject({
        id: z.string(),
        url: z.string().optional(),
        title: z.string(),
        content_html: z.string(),
        date_modified: Instant,
        tags: z.array(z.string()),
      }),
    ),
  })
  .meta({ id: 'JsonFeed', description: 'A JSON Feed 1.1' })
export const Changes = z.string().meta({ description: 'One change per line, ascending, each a JSON object' })
/** The files of a snapshot by media type. */
export const BulkFile = {
  // Generated clients in Java take the first type for all: a file.
  'application/gzip': Bytes,
  'application/vnd.apache.parquet': Bytes,
  'application/json': z.looseObject({}).meta({ description: 'The manifest' }),
}

/** The response 206, for a file that supports ranges. */
export const filePart = () => ({
  206: {
    description: 'The requested range of the file',
    content: Object.fromEntries(Object.entries(BulkFile).map(([type]) => [type, { schema: Bytes }])),
  },
})
