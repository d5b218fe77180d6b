import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runTool } from '@catalog/judge/harness/tools.ts'

/** The client packages as somebody who installs them has them. */

export const ROOT = resolve(import.meta.dirname, '../../..')
export const TYPESCRIPT_CLIENT = join(ROOT, 'clients/typescript')
export const PYTHON_CLIENT = join(ROOT, 'clients/python')
const TOOL_TIMEOUT_MS = 120_000
/** The only packages that the client brings along. */
const DEPENDENCIES = ['openapi-fetch', 'openapi-typescript-helpers']

/** Packs clients/typescript as `npm publish` would, and installs it in this folder; returns the names of its files. */
export async function installTypescriptClient(folder: string): Promise<readonly string[]> {
  const [packed] = JSON.parse(
    await outputOf('npm', ['pack', '--json', '--pack-destination', folder], TYPESCRIPT_CLIENT),
  ) as [{ name: string; filename: string; files: { path: string }[] }]
  const modules = join(folder, 'node_modules')
  const place = join(modules, packed.name)
  mkdirSync(place, { recursive: true })
  await outputOf('tar', ['-xzf', join(folder, packed.filename), '--strip-components=1', '-C', place], folder)
  for (const name of DEPENDENCIES) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  return packed.files.map(({ path }) => path)
}

/** Compiles a file of the folder in strict TypeScript, the declarations of its packages too; throws what is wrong. */
export async function checkTypes(folder: string, file: string, { node }: { node: boolean }): Promise<void> {
  const options = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'nodenext',
    allowImportingTsExtensions: true,
    lib: ['es2022', 'dom', 'dom.iterable'],
    // Node's own declarations repeat those of browsers.
    skipLibCheck: node,
    typeRoots: [join(ROOT, 'node_modules/@types')],
    types: node ? ['node'] : [],
  }
  const project = join(folder, `${file}.json`)
  writeFileSync(project, JSON.stringify({ compilerOptions: options, files: [file] }))
  await outputOf(join(ROOT, 'node_modules/.bin/tsc'), ['--project', project], folder)
}

/** The first example of a package's README in this language. */
export function firstExample(folder: string, language: string): string {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8')
  const [, example] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(readme) ?? []
  if (example === undefined) throw new Error(`${folder}/README.md: expected an example in ${language}`)
  return example
}

/** Runs a program to its end and returns what it wrote; throws with its output when it fails. */
export async function outputOf(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { code, stdout, stderr } = await runTool(command, args, { cwd, timeoutMs: TOOL_TIMEOUT_MS, env })
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`)
  return stdout
}
