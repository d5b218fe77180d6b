import { globSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { checkTypes, TYPESCRIPT_CLIENT as PUBLISHED, ROOT } from '@catalog/judge/clients/packages.ts'
import {
  javaClient,
  npmPrograms,
  OPENAPI_GENERATOR_VERSION,
  oapiCodegen,
  oapiCodegenAvailable,
  openapiGenerator,
  openapiGeneratorAvailable,
  pythonGenerator,
  pythonGeneratorAvailable,
  runTool,
  type ToolResult,
} from '@catalog/judge/harness/tools.ts'

/** A folder with the programs of this one and a document. The client comes into its subfolder `client`. */
export type Place = Readonly<{ folder: string; documentFile: string }>

/** A generator of clients. Each step returns what its tool printed, and throws it where the tool fails. */
export type Generator = Readonly<{
  name: string
  /** Null when it is available here, otherwise the reason in one line. */
  missing: () => string | null
  generate: (place: Place) => Promise<string>
  /** Warnings without a loss. */
  harmless?: RegExp
  /** Finds the names of operations in the paths and texts of a client. */
  operations: RegExp
  compiler: string
  compile: (place: Place) => Promise<string>
  /** Runs the program of the five calls at an address of the API. */
  call: (place: Place, address: string) => Promise<string>
}>

const typescript = (program: string): Pick<Generator, 'missing' | 'compiler' | 'compile' | 'call'> => ({
  missing: () => null,
  compiler: 'tsc --strict',
  async compile({ folder }) {
    const modules = join(folder, 'node_modules')
    mkdirSync(modules)
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers']) {
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
    }
    await checkTypes(folder, program, { node: true })
    return ''
  },
  call: ({ folder }, address) => run(process.execPath, [program, address], folder),
})

const go = (program: string): Pick<Generator, 'compiler' | 'compile' | 'call'> => ({
  compiler: 'go build',
  compile: ({ folder }) => run('go', ['build', '-mod=readonly', '-o', 'calls', program], folder),
  call: ({ folder }, address) => run(join(folder, 'calls'), [address], folder),
})

const openapiGeneratorFor = (language: string, options: readonly string[]) => ({
  missing: openapiGeneratorAvailable,
  // A closed schema has no name of its additions.
  harmless:
    /OpenAPI 3.1 support is still in beta|Failed to get the schema name: null|File \(reserved word\) cannot be used as model name/,
  async generate({ folder, documentFile }: Place) {
    const code = ['--global-property', 'apis,models,supportingFiles,apiTests=false,modelTests=false']
    const command = ['generate', '-g', language, '-i', documentFile, '-o', 'client', ...options, ...code]
    return printed(await openapiGenerator(command, { cwd: folder, timeoutMs: TIMEOUT_MS }))
  },
})

export const GENERATORS: readonly Generator[] = [
  {
    name: `openapi-typescript ${pinned(join(PUBLISHED, 'package.json'), /"openapi-typescript": "(.*)"/)}`,
    generate: ({ folder, documentFile }) =>
      run(join(PUBLISHED, 'node_modules/.bin/openapi-typescript'), [documentFile, '--output', 'client/api.ts'], folder),
    operations: /^ {4}(\w+): \{$/gm,
    ...typescript('openapi-typescript.mts'),
  },
  {
    name: `@hey-api/openapi-ts ${pinned('../package.json', /"@hey-api\/openapi-ts": "(.*)"/)}`,
    generate: async ({ folder, documentFile }) =>
      run(join(await npmPrograms(), 'openapi-ts'), ['--input', documentFile, '--no-log-file'], folder),
    operations: /^export const (\w+) = </gm,
    ...typescript('hey-api.mts'),
  },
  {
    name: `openapi-python-client ${pinned('../clients/requirements.txt', /^openapi-python-client==(\S+)/m)}`,
    missing: pythonGeneratorAvailable,
    async generate({ folder, documentFile }) {
      const options = ['--meta', 'none', '--output-path', 'client', '--config', 'openapi-python-client.yaml']
      const command = ['-m', 'openapi_python_client', 'generate', '--path', documentFile, ...options]
      // The generator formats its code by the ruff beside it.
      const path = `${dirname(await pythonGenerator())}${delimiter}${process.env.PATH}`
      return await run(await pythonGenerator(), command, folder, { PATH: path })
    },
    operations: /^client\/api\/\w+\/(\w+)\.py$/gm,
    compiler: 'compileall',
    async compile({ folder }) {
      const python = await pythonGenerator()
      await run(python, ['-m', 'compileall', '-q', 'client'], folder)
      // The generator's own client.py is the same for every document, and breaks rules of mypy.
      const options = ['--strict', '--follow-imports', 'silent']
      return await run(python, ['-m', 'mypy', ...options, 'openapi-python-client.py'], folder)
    },
    call: async ({ folder }, address) => run(await pythonGenerator(), ['openapi-python-client.py', address], folder),
  },
  {
    name: `openapi-generator ${OPENAPI_GENERATOR_VERSION}, java`,
    ...openapiGeneratorFor('java', ['--additional-properties', 'disallowAdditionalPropertiesIfNotPresent=false']),
    operations: /^ {4}public [^(=]+ (\w+)\(/gm,
    compiler: 'javac',
    async compile({ folder }) {
      const sources = globSync('client/src/main/**/*.java', { cwd: folder })
      const command = ['-d', '.', 'OpenapiGenerator.java', ...sources]
      return printed(await javaClient('javac', command, { cwd: folder, timeoutMs: TIMEOUT_MS }))
    },
    call: async ({ folder }, address) =>
      printed(await javaClient('java', ['OpenapiGenerator', address], { cwd: folder, timeoutMs: TIMEOUT_MS })),
  },
  {
    name: `openapi-generator ${OPENAPI_GENERATOR_VERSION}, go`,
    ...openapiGeneratorFor('go', ['--additional-properties', 'packageName=client,withGoMod=false']),
    operations: /^func \(a \*\w+\) (\w+)\(/gm,
    ...go('openapi-generator.go'),
  },
  {
    name: `oapi-codegen ${pinned('go.mod', /oapi-codegen\/v2 v(\S+)/)}`,
    missing: oapiCodegenAvailable,
    async generate({ folder, documentFile }) {
      mkdirSync(join(folder, 'client'))
      const options = ['-generate', 'types,client', '-package', 'client', '-o', 'client/client.go']
      return await run(await oapiCodegen(), [...options, documentFile], folder)
    },
    operations: /^func \(c \*ClientWithResponses\) (\w+)WithResponse\(/gm,
    ...go('oapi-codegen.go'),
  },
]

const TIMEOUT_MS = 300_000

async function run(command: string, args: readonly string[], cwd: string, env = {}): Promise<string> {
  return printed(await runTool(command, args, { cwd, env, timeoutMs: TIMEOUT_MS }))
}

function printed({ code, stdout, stderr }: ToolResult): string {
  if (code !== 0) throw new Error(`ended with ${code}: ${stdout}${stderr}`)
  return stdout + stderr
}

/** The version that a file pins. */
function pinned(file: string, version: RegExp): string {
  const [, found] = version.exec(readFileSync(resolve(import.meta.dirname, file), 'utf8')) ?? []
  if (found === undefined) throw new Error(`${file}: expected ${version}`)
  return found
}
