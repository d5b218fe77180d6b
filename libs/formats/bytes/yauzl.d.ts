/** The part of yauzl that zip.ts uses; the package ships no types. */
declare module 'yauzl' {
  import type { Readable } from 'node:stream'

  export interface Entry {
    readonly fileName: string
    readonly compressedSize: number
    readonly uncompressedSize: number
    readonly crc32: number
    readonly compressionMethod: number
    isEncrypted(): boolean
    canDecodeFileData(): boolean
  }
  export interface ZipFile {
    readonly entryCount: number
    eachEntry(): AsyncIterableIterator<Entry>
    openReadStreamPromise(entry: Entry): Promise<Readable>
    close(): void
  }
  export type Options = { readonly autoClose: boolean; readonly validateEntrySizes: boolean }
  export function openPromise(path: string, options: Options): Promise<ZipFile>
  export function fromBufferPromise(buffer: Buffer, options: Options): Promise<ZipFile>
}
