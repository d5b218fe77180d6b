import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** A file of the tree that is replaced as the origin moves on. */
export type TreeFile = Readonly<{ path: string; bytes: Uint8Array }>

const pack = promisify<Uint8Array, Buffer>(gzip)

/** A file and its packed form beside it, which file servers send to readers that accept gzip. The packed one comes first. */
export const packedFile = async (path: string, bytes: Uint8Array): Promise<TreeFile[]> => [
  { path: `${path}.gz`, bytes: await pack(bytes) },
  { path, bytes },
]
