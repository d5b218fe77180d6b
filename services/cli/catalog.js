#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Node strips and compiles each module once per version, so later commands start in half the time. The default folder is
// in the machine's temporary folder, where others could place code.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/catalog/compile', import.meta.url)))
const { programOf } = await import('./program.ts')
const words = process.argv.slice(2)
await (await programOf(words)).parseAsync(words, { from: 'user' })
