import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OpenApi } from '@catalog/judge/harness/document.ts'
import { oasdiff, runTool } from '@catalog/judge/harness/tools.ts'

const TIMEOUT_MS = 60_000
/** oasdiff's default levels suit servers; mirrors and typed clients also break when optional parts disappear. */
const LEVELS = join(import.meta.dirname, 'severity.txt')

/** Changes from `base` to `revision` that break clients, one line each; empty when all changes are additions. */
export async function findBreakingChanges(
  { base, revision }: { base: OpenApi; revision: OpenApi },
  { folder }: { folder: string },
): Promise<readonly string[]> {
  const files = { base: join(folder, 'base.json'), revision: join(folder, 'revision.json') }
  await writeFile(files.base, JSON.stringify(base))
  await writeFile(files.revision, JSON.stringify(revision))
  const options = ['--severity-levels', LEVELS, '--fail-on', 'WARN', '--format', 'json']
  const { code, stdout, stderr } = await runTool(
    await oasdiff(),
    ['breaking', files.base, files.revision, ...options],
    {
      cwd: folder,
      timeoutMs: TIMEOUT_MS,
    },
  )
  // Exit status 1 means findings; any other one is an error of the tool or of the documents.
  if (code !== 0 && code !== 1) throw new Error(`oasdiff ended with ${code}: ${stderr}`)
  const all = JSON.parse(stdout || '[]') as { id: string; text: string; operation: string; path: string }[]
  // A bounded integer of 64 bits has the same values as before.
  const found = all.filter(({ text }) => !text.endsWith('the `format` was changed from `none` to `int64`'))
  return [
    ...found.map(({ id, text, operation, path }) => `${operation} ${path}: ${text} [${id}]`),
    ...newKeyRequirements({ base, revision }),
  ]
}

/** Operations that newly need a key: oasdiff ignores the security requirement shared by all operations. */
function newKeyRequirements({ base, revision }: { base: OpenApi; revision: OpenApi }): string[] {
  const isOpen = (document: OpenApi, path: string, method: string) => {
    const required = document.paths[path]?.[method]?.security ?? document.security
    return required.length === 0 || required.some((schemes) => Object.keys(schemes).length === 0)
  }
  return Object.entries(base.paths).flatMap(([path, methods]) =>
    Object.keys(methods).flatMap((method) =>
      revision.paths[path]?.[method] !== undefined && isOpen(base, path, method) && !isOpen(revision, path, method)
        ? [`${method.toUpperCase()} ${path}: now needs a key`]
        : [],
    ),
  )
}
