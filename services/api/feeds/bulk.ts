import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  BulkFile,
  DigestParams,
  DigestResponse,
  filePart,
  operation,
  SnapshotFileParams,
  SnapshotIndexResponse,
} from '@catalog/api/contract/contract.ts'
import { digestsVersion } from '@catalog/api/http/catalog-version.ts'
import type { ApiContext, V1 } from '@catalog/api/http/context.ts'
import {
  documentOf,
  IMMUTABLE,
  JSON_TYPE,
  type RenderedDocument,
  sendDocument,
  unchangedSince,
} from '@catalog/api/http/documents.ts'
import { ApiError } from '@catalog/api/http/errors.ts'
import { V1_VARY } from '@catalog/api/http/headers.ts'
import { preferredCoding } from '@catalog/api/http/negotiate.ts'
import { digestJson } from '@catalog/core/changes/digest-document.ts'
import { sha256Hex } from '@catalog/core/digest.ts'
import { readDigest } from '@catalog/replica/read/feeds.ts'
import { generationBeganMs } from '@catalog/store/catalog/generation.ts'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import { FEEDS } from './feeds.ts'

type BulkContext = Pick<ApiContext, 'read' | 'catchUp' | 'cache'> & {
  /** The folder of snapshots; undefined: the server offers none. */
  readonly snapshotDir: string | undefined
}

/** Digests, which prove a copy, and snapshots from their folder, which start one. */
export function bulkRoutes(v1: V1, context: BulkContext): void {
  digestRoutes(v1, context)
  snapshotRoutes(v1, context)
}

function digestRoutes(v1: V1, { read, catchUp, cache }: BulkContext): void {
  async function sendDigest(
    request: FastifyRequest,
    reply: FastifyReply,
    { gen, scope, seq }: { gen: string; scope: string; seq: number },
  ): Promise<FastifyReply> {
    const key = JSON.stringify(['digest', gen, scope, seq])
    const document = await cache.get({ key, versionOf: digestsVersion }, async () => {
      const at = { gen, scope, seq: BigInt(seq) }
      const known = read((tables) => readDigest(tables, at))
      // A caller may know a newer one of another process.
      if (known === undefined) await catchUp()
      const digest = known ?? read((tables) => readDigest(tables, at))
      if (digest === undefined) throw absent(`digest of ${scope} at ${seq} in generation '${gen}'`)
      const text = digestJson({ ...at, ...digest })
      const document = documentOf(text, { 'content-type': JSON_TYPE, ...IMMUTABLE })
      // No digest is older than its generation.
      return { ...document, modified: unchangedSince(generationBeganMs(gen)) }
    })
    return sendDocument(request, reply, document)
  }

  for (const { name, path, params, scopeOf } of FEEDS) {
    v1.get(
      `/feeds/digest/:gen/${path}/:seq.json`,
      {
        config: { bucket: 'archive' },
        ...operation(`get${name}Digest`, { params: DigestParams.extend(params), answer: DigestResponse }),
      },
      (request, reply) => {
        const { gen, seq } = request.params as z.infer<typeof DigestParams>
        return sendDigest(request, reply, { gen, seq, scope: scopeOf(request.params) })
      },
    )
  }
}

function snapshotRoutes(v1: V1, { snapshotDir }: BulkContext): void {
  v1.get(
    '/feeds/snapshots/index.json',
    { config: { bucket: 'archive' }, ...operation('listSnapshots', { answer: SnapshotIndexResponse }) },
    async (request, reply) => {
      const text = snapshotDir && (await readFile(join(snapshotDir, 'index.json'), 'utf8').catch(ifAbsent(undefined)))
      if (!text) throw absent('list of snapshots: none was taken')
      return sendDocument(request, reply, documentOf(text, { 'content-type': JSON_TYPE }))
    },
  )

  if (snapshotDir !== undefined) v1.register(fastifyStatic, { root: snapshotDir, serve: false })
  const manifests = openManifests()
  const { schema } = operation('getSnapshotFile', { params: SnapshotFileParams, answer: BulkFile })
  v1.get(
    '/feeds/snapshots/:gen/:seq/:file',
    {
      config: { bucket: 'archive' },
      schema: { ...schema, response: { ...schema.response, ...filePart() } },
    },
    async (request, reply) => {
      const { gen, seq, file } = request.params
      const folder = join(gen, String(seq))
      const sha = snapshotDir && (await manifests.shaOf(join(snapshotDir, folder), file))
      if (!snapshotDir || !sha) throw absent(`file ${gen.slice(0, 100)}/${seq}/${file.slice(0, 100)}`)
      reply.header('vary', file === MANIFEST ? V1_VARY : 'Authorization')
      if (file === MANIFEST && wantsCoding(request)) {
        return sendDocument(request, reply, await manifests.document(join(snapshotDir, folder)))
      }
      return sendImmutable(request, reply, { path: join(folder, file), etag: `"${sha}"` })
    },
  )
}

const absent = (what: string) => new ApiError('file_not_found', `no ${what}: expected an address that state.json names`)

/** Answers `instead` for an absent file; rethrows other errors. */
const ifAbsent =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return instead
    throw error
  }

const MANIFEST = 'manifest.json'
/** Cached manifests, 60 kB each with their coded forms. */
const MANIFESTS_MAX = 50

/** Whether to send text coded. Parts, and what is asked for under a condition, are of the plain bytes. */
const wantsCoding = ({ headers }: FastifyRequest): boolean =>
  headers.range === undefined &&
  headers['if-match'] === undefined &&
  headers['if-unmodified-since'] === undefined &&
  (preferredCoding(headers['accept-encoding'], { small: false }) ?? 'identity') !== 'identity'
/** A file name of a snapshot: it cannot leave the folder. */
const FILE_NAME = /^[A-Za-z0-9_-]+(\.[a-z0-9]+)+$/

type KnownManifest = Readonly<{ files: ReadonlyMap<string, string>; document: RenderedDocument }>

/** The files of snapshots. The server offers only files that a manifest names. */
function openManifests() {
  const known = new LRUCache<string, KnownManifest>({ max: MANIFESTS_MAX })
  async function manifestIn(folder: string): Promise<KnownManifest | undefined> {
    const path = join(folder, MANIFEST)
    const found = await stat(path).catch(ifAbsent(undefined))
    if (found === undefined) return undefined
    const key = `${path} ${found.mtimeMs} ${found.size}`
    const manifest = known.get(key) ?? knownManifest(await readFile(path))
    known.set(key, manifest)
    return manifest
  }
  return {
    /** The SHA-256 of a file in hex; undefined for a file that the snapshot lacks. */
    shaOf: async (folder: string, file: string) => (await manifestIn(folder))?.files.get(file),
    /** The manifest of a snapshot that has one. */
    document: async (folder: string) => ((await manifestIn(folder)) as KnownManifest).document,
  }
}

function knownManifest(bytes: Buffer): KnownManifest {
  const document = documentOf(bytes, { 'content-type': JSON_TYPE, ...IMMUTABLE })
  return { files: filesOf(bytes), document: { ...document, etag: `"${sha256Hex(bytes)}"` } }
}

function filesOf(manifest: Buffer): ReadonlyMap<string, string> {
  type Named = { file: string; sha256: string }
  const { shards, scope_files, files } = JSON.parse(manifest.toString()) as {
    shards: readonly Named[]
    /** Absent from snapshots of earlier releases. */
    scope_files?: Readonly<Record<string, Named>>
    files: readonly Named[]
  }
  const named = [...shards, ...Object.values(scope_files ?? {}), ...files].filter(({ file }) => FILE_NAME.test(file))
  return new Map([[MANIFEST, sha256Hex(manifest)], ...named.map(({ file, sha256 }) => [file, sha256] as const)])
}

const TYPES: Readonly<Record<string, string>> = {
  json: JSON_TYPE,
  gz: 'application/gzip',
  parquet: 'application/vnd.apache.parquet',
}

/**
 * Sends an immutable file, or the range that the request names, under a strong ETag. Compares ETags itself, because the
 * plugin knows only weak ones.
 */
function sendImmutable(
  request: FastifyRequest,
  reply: FastifyReply,
  { path, etag }: { path: string; etag: string },
): FastifyReply {
  const { headers } = request.raw
  const isNamedBy = (field: string) => {
    const tags = field.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
    return tags.includes('*') || tags.includes(etag)
  }
  const scope = headers.authorization === undefined ? 'public' : 'private'
  reply.header('etag', etag).header('cache-control', `${scope}, ${IMMUTABLE['cache-control']}`)
  if (headers['if-match'] !== undefined && !isNamedBy(headers['if-match'])) {
    throw new ApiError('precondition_failed', `If-Match: expected ${etag}, found ${headers['if-match'].slice(0, 100)}`)
  }
  if (headers['if-none-match'] !== undefined && isNamedBy(headers['if-none-match'])) return reply.code(304).send()
  // A range of other bytes would corrupt the caller's copy: send the whole file.
  if (headers['if-range']?.includes('"') && headers['if-range'] !== etag) delete headers.range
  if (headers['if-range']?.includes('"')) delete headers['if-range']
  delete headers['if-match']
  delete headers['if-none-match']
  reply.type(TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream')
  return reply.sendFile(path, { cacheControl: false, contentType: false, etag: false, index: false })
}
