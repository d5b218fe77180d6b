import { writeFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'
import { LOG_FILE } from '@catalog/sample-market/log/sample-log.ts'
import { packedLog } from '@catalog/stack/path/packed-log.ts'

/** `npx node infra/stack/sample-log.ts`: crawls, matches and publishes the sample's files, and writes their log as the data of a start. */
const text = await packedLog()
const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS }
writeFileSync(LOG_FILE, brotliCompressSync(text, { params }))
