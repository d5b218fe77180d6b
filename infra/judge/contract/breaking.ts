import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OpenApi } from '@catalog/judge/harness/document.ts'
import { oasdiff, runTool } from '@catalog/judge/harness/tools.ts'

const TIMEOUT_MS = 60_000
/** oasdiff's own levels think of servers; a mirror and a typed client also break when what is optional disappears. */
const LEVELS = join(import.meta.dirname, 'severity.txt')

/** What breaks whoever relies on `base` when `revision` takes its place, one line each; none: all changes are additions. */
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
  // It ends with 1 when it found something; anything else is a fault of the tool or of the documents.
  if (code !== 0 && code !== 1) throw new Error(`oasdiff ended with ${code}: ${stderr}`)
  const found = JSON.parse(stdout || '[]') as { id: string; text: string; operation: string; path: string }[]
  return [
    ...found.map(({ id, text, operation, path }) => `${operation} ${path}: ${text} [${id}]`),
    ...newKeyRequirements({ base, revision }),
  ]
}

/** Operations that needed no key and now do: oasdiff does not look at the requirement that all operations share. */
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
