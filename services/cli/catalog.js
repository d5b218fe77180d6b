#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Node strips and compiles each module once per version, so later commands start in half the time. The cache begins
// here, so this file is JavaScript: for a TypeScript one Node would load its stripper each time. The default folder is in
// the machine's temporary folder, where others could place code. Worker threads and child processes read the variable.
const folder = fileURLToPath(new URL('../../node_modules/.cache/catalog/compile', import.meta.url))
enableCompileCache(folder)
process.env.NODE_COMPILE_CACHE ??= folder
const { runWords } = await import('./program.ts')
await runWords(process.argv.slice(2))
