import { type ChildProcess, execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { CACHE_DIR, cachedFolder } from '@catalog/stack/servers/fetched/cache.ts'
import {
  type Classpath,
  classpathCached,
  fetchClasspath,
  mavenInstalled,
} from '@catalog/stack/servers/fetched/maven.ts'
import {
  type PythonPackages,
  pythonWith,
  pythonAvailable as pythonWithAvailable,
} from '@catalog/stack/servers/fetched/python.ts'
import { findJava, JAVA_PLACES } from '@catalog/stack/servers/machine.ts'

/**
 * The judges' tools, each pinned and installed on first use. npm tools go to node_modules beside the judges, which
 * keeps the project's own installation small; all others are cached outside the tree.
 */
const HERE = join(import.meta.dirname, '..')
/** A Java tool with its required Java version and jars. */
type JavaTool = Classpath & Readonly<{ title: string; needs: Parameters<typeof findJava>[0] }>
/** The maintained line of jing; that of com.thaiopensource ended in 2009. */
const JING: JavaTool = {
  title: 'jing',
  needs: { majorMin: 11, program: 'java' },
  name: 'jing-20241231',
  artifacts: [{ group: 'org.relaxng', artifact: 'jing', version: '20241231' }],
  sha256: '463dfe1d9064c831cf5317b33f71dd05a832e6868215464735025c68746ee03d',
}
/** Java compiles our client at its start, which needs a JDK. */
const MCP_JAVA: JavaTool = {
  title: 'the Java client',
  needs: { majorMin: 17, program: 'jar' },
  name: 'mcp-java-2.1.0',
  artifacts: [
    { group: 'io.modelcontextprotocol.sdk', artifact: 'mcp', version: '2.1.0' },
    { group: 'org.slf4j', artifact: 'slf4j-nop', version: '2.0.17' },
  ],
  sha256: 'cd978f7485c4cafce52b9b9e48e0fe5544d8711e52188fe7b561e709c3d1fc98',
}
export const OPENAPI_GENERATOR_VERSION = '7.25.0'
const OPENAPI_GENERATOR: JavaTool = {
  title: 'openapi-generator',
  needs: { majorMin: 17, program: 'jar' },
  name: `openapi-generator-${OPENAPI_GENERATOR_VERSION}`,
  artifacts: [{ group: 'org.openapitools', artifact: 'openapi-generator-cli', version: OPENAPI_GENERATOR_VERSION }],
  sha256: 'ae630df4b0acac12a2dfba1939dd86dbd292d49fba07bc65380c527d040fbcf9',
}
/** The libraries that the pom.xml of its client names. */
const JAVA_CLIENT: JavaTool = {
  title: 'a generated client in Java',
  needs: OPENAPI_GENERATOR.needs,
  name: 'java-client',
  artifacts: [
    { group: 'com.google.code.findbugs', artifact: 'jsr305', version: '3.0.2' },
    { group: 'com.google.code.gson', artifact: 'gson', version: '2.10.1' },
    { group: 'com.squareup.okhttp3', artifact: 'logging-interceptor', version: '4.12.0' },
    { group: 'io.gsonfire', artifact: 'gson-fire', version: '1.9.0' },
    { group: 'jakarta.annotation', artifact: 'jakarta.annotation-api', version: '1.3.5' },
    { group: 'jakarta.ws.rs', artifact: 'jakarta.ws.rs-api', version: '2.1.6' },
    { group: 'org.apache.commons', artifact: 'commons-lang3', version: '3.18.0' },
    { group: 'org.openapitools', artifact: 'jackson-databind-nullable', version: '0.2.11' },
  ],
  sha256: 'bfc305b49b6bdc79347fea4caa0dce70e8464169787aaac76f5e1c780c94f875',
}
/** Compiling a Go program takes a minute on two idle cores; downloads are slow on cold mirrors. */
const FETCH_TIMEOUT_MS = 600_000
const ASK_TIMEOUT_MS = 30_000
/** Hundreds of documents take seconds. */
const JING_TIMEOUT_MS = 300_000
/** A failing tool names the fault in its first few hundred lines or in the last ones. */
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024

export type ToolResult = Readonly<{
  /** Null when the tool ran out of time. */
  code: number | null
  stdout: string
  stderr: string
}>

/** Answers a line of a tool's output with a line of input; undefined for none. */
export type LineHandler = (line: string) => Promise<string | undefined>

/** Runs a tool to its end. Throws only when it cannot start, or when `hear` throws. */
export async function runTool(
  command: string,
  args: readonly string[],
  {
    cwd,
    timeoutMs,
    env = {},
    hear,
  }: { cwd: string; timeoutMs: number; env?: Readonly<Record<string, string>>; hear?: LineHandler },
): Promise<ToolResult> {
  const options = { cwd, timeout: timeoutMs, maxBuffer: OUTPUT_BYTES_MAX, env: { ...process.env, ...env } }
  const running = promisify(execFile)(command, args, options)
  // Ends the tool however this process ends.
  const kill = () => void running.child.kill('SIGKILL')
  process.once('exit', kill)
  try {
    const [output] = await Promise.all([running, hear && answerLines(running.child, hear)])
    return { code: 0, ...output }
  } catch (cause) {
    const { code, stdout, stderr } = cause as { code?: unknown; stdout?: string; stderr?: string }
    if (stdout === undefined || stderr === undefined || typeof code === 'string') throw cause
    return { code: typeof code === 'number' ? code : null, stdout, stderr }
  } finally {
    kill()
    process.removeListener('exit', kill)
  }
}

async function answerLines({ stdin, stdout }: ChildProcess, hear: LineHandler): Promise<void> {
  // A tool that closed its input exits by itself and reports why.
  stdin?.on('error', () => {})
  for await (const line of createInterface({ input: stdout as Readable })) {
    const answer = await hear(line)
    if (answer !== undefined) stdin?.write(`${answer}\n`)
  }
}

/** The folder of npm programs, installed from package-lock.json. */
export async function npmPrograms(): Promise<string> {
  const modules = join(HERE, 'node_modules')
  const wanted = digestOf('package-lock.json')
  const stamp = join(modules, '.installed')
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    // Install scripts stay off: one of the packages sends telemetry from there.
    await succeeded('npm', ['--prefix', HERE, 'ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: HERE })
    await writeFile(stamp, wanted)
  }
  return join(modules, '.bin')
}

/**
 * Null when {@link python} is available here, otherwise the reason in one line. With CI=true a missing tool is a
 * failure, because nothing may be skipped there.
 */
export const pythonAvailable = () => pythonWithAvailable(JUDGES)

/** The Python with schemathesis (module schemathesis.cli), feedparser, mcp and httpx. */
export const python = () => pythonWith(JUDGES)

/** The equivalent of {@link pythonAvailable} for {@link pythonGenerator}. */
export const pythonGeneratorAvailable = () => pythonWithAvailable(GENERATOR)

/** The Python with datamodel-code-generator, openapi-python-client, mypy and httpx. */
export const pythonGenerator = () => pythonWith(GENERATOR)

/** The equivalent of {@link pythonAvailable} for {@link kubernetesSchemas}. */
export const kubernetesSchemasAvailable = () => pythonWithAvailable(KUBERNETES)

/** The folder of JSON schemas of Kubernetes' objects, with a folder `v1.37.0-local-strict` for each version. */
export async function kubernetesSchemas(): Promise<string> {
  const ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
  const { stdout } = await runTool(await pythonWith(KUBERNETES), ['-c', ask], { cwd: HERE, timeoutMs: ASK_TIMEOUT_MS })
  return join(stdout.trim(), 'kubernetes_validate/kubernetes-json-schema')
}

const JUDGES: PythonPackages = { name: 'judges-python', requirements: join(HERE, 'requirements.txt') }
const GENERATOR: PythonPackages = { name: 'generator-python', requirements: join(HERE, 'clients/requirements.txt') }
const KUBERNETES: PythonPackages = {
  name: 'kubernetes-python',
  requirements: join(HERE, 'deploy/requirements.txt'),
  flags: ['--no-deps'],
}

/** The equivalent of {@link pythonAvailable} for jing. */
export const jingAvailable = () => javaAvailable(JING)

/** Validates files with jing against a RELAX NG grammar in compact syntax; exit status 1 means a violation. */
export async function jing(grammar: string, files: readonly string[]): Promise<ToolResult> {
  const command = ['com.thaiopensource.relaxng.util.Driver', '-c', join(HERE, 'feeds', grammar), ...files]
  return await java(JING, command, { timeoutMs: JING_TIMEOUT_MS })
}

/** The equivalent of {@link pythonAvailable} for {@link mcpJava}. */
export const mcpJavaAvailable = () => javaAvailable(MCP_JAVA)

/** Runs mcp/client.java. */
export async function mcpJava(args: readonly string[], options: RunOptions): Promise<ToolResult> {
  return await java(MCP_JAVA, [join(HERE, 'mcp/client.java'), ...args], options)
}

function javaAvailable(tool: JavaTool): string | null {
  const { title, needs } = tool
  if (!classpathCached(tool) && !mavenInstalled()) return missing(`${title} needs mvn, which fetches it`)
  return findJava(needs) === undefined
    ? missing(`${title} needs a Java ${needs.majorMin} or later ${JAVA_PLACES}`)
    : null
}

/** The equivalent of {@link pythonAvailable} for {@link openapiGenerator} and {@link javaClient}. */
export const openapiGeneratorAvailable = () => javaAvailable(OPENAPI_GENERATOR) ?? javaAvailable(JAVA_CLIENT)

/** Runs openapi-generator. */
export const openapiGenerator = (args: readonly string[], options: RunOptions) =>
  java(OPENAPI_GENERATOR, ['org.openapitools.codegen.OpenAPIGenerator', ...args], options)

/** Runs `javac` or `java` with the libraries of the client that openapi-generator makes, and classes of the folder. */
export const javaClient = (program: 'javac' | 'java', args: readonly string[], options: RunOptions) =>
  java(JAVA_CLIENT, args, options, program)

type RunOptions = Omit<Parameters<typeof runTool>[2], 'cwd'> & Readonly<{ cwd?: string }>

async function java(
  tool: JavaTool,
  args: readonly string[],
  { cwd = HERE, ...options }: RunOptions,
  program = 'java',
): Promise<ToolResult> {
  const home = findJava(tool.needs)
  if (home === undefined) throw new Error(javaAvailable(tool) ?? 'no Java')
  const path = [join(await fetchClasspath(tool), '*'), cwd].join(delimiter)
  return await runTool(join(home, 'bin', program), ['-cp', path, ...args], { ...options, cwd })
}

/** A program in Go, compiled on first use: the folder of the cache, and the arguments of `go`. */
type GoTool = Readonly<{ title: string; folder: string; args: (into: string) => readonly string[]; cwd?: string }>
const digestsOf = (folder: string, source: string) =>
  digestOf(...['go.mod', 'go.sum', source].map((file) => `${folder}/${file}`)).slice(0, 12)
const OASDIFF: GoTool = {
  title: 'oasdiff',
  folder: 'oasdiff-v1.32.1',
  // Verified by Go's checksum database.
  args: () => ['install', 'github.com/oasdiff/oasdiff@v1.32.1'],
}
const MCP_GO: GoTool = {
  title: 'the Go client',
  folder: `mcp-go-${digestsOf('mcp', 'client.go')}`,
  args: (into) => ['build', '-mod=readonly', '-o', into, 'client.go'],
  cwd: 'mcp',
}
const DEPLOY: GoTool = {
  title: 'helm',
  folder: `deploy-go-${digestsOf('deploy', 'compose/compose.go')}`,
  args: (into) => ['build', '-mod=readonly', '-o', `${into}/`, 'tool', './compose'],
  cwd: 'deploy',
}

const OAPI_CODEGEN: GoTool = {
  title: 'oapi-codegen',
  folder: `oapi-codegen-${digestOf('generators/go.mod', 'generators/go.sum').slice(0, 12)}`,
  args: (into) => ['build', '-mod=readonly', '-o', `${into}/`, 'tool'],
  cwd: 'generators',
}

/** The equivalent of {@link pythonAvailable} for {@link oasdiff}. */
export const oasdiffAvailable = () => goAvailable(OASDIFF)
/** The compiled oasdiff. */
export const oasdiff = () => onlyProgram(OASDIFF)

/** The equivalent of {@link pythonAvailable} for {@link mcpGo}. */
export const mcpGoAvailable = () => goAvailable(MCP_GO)
/** The compiled mcp/client.go. */
export const mcpGo = () => onlyProgram(MCP_GO)

/** The equivalent of {@link pythonAvailable} for {@link oapiCodegen}. */
export const oapiCodegenAvailable = () => goAvailable(OAPI_CODEGEN)
/** The compiled oapi-codegen. */
export const oapiCodegen = () => onlyProgram(OAPI_CODEGEN)

/** The equivalent of {@link pythonAvailable} for {@link deployTools}. */
export const deployToolsAvailable = () => goAvailable(DEPLOY)
/** The folder of the compiled helm, helm-unittest, kubeconform and compose. */
export const deployTools = () => compiled(DEPLOY)

function goAvailable({ title, folder }: GoTool): string | null {
  if (existsSync(join(CACHE_DIR, folder))) return null
  const installed = (process.env.PATH ?? '').split(delimiter).some((place) => existsSync(join(place, 'go')))
  return installed ? null : missing(`${title} needs go, which compiles it`)
}

const compiled = ({ folder, args, cwd = '' }: GoTool) =>
  cachedFolder(folder, (into) => succeeded('go', args(into), { cwd: join(HERE, cwd), env: { GOBIN: into } }))

async function onlyProgram(tool: GoTool): Promise<string> {
  const place = await compiled(tool)
  return join(place, readdirSync(place)[0] as string)
}

function missing(reason: string): string {
  if (process.env.CI === 'true') throw new Error(reason)
  return reason
}

function digestOf(...files: readonly string[]): string {
  const running = createHash('sha256')
  for (const file of files) running.update(readFileSync(join(HERE, file)))
  return running.digest('hex')
}

async function succeeded(
  command: string,
  args: readonly string[],
  options: { cwd: string; env?: Readonly<Record<string, string>> },
): Promise<void> {
  const { code, stdout, stderr } = await runTool(command, args, { ...options, timeoutMs: FETCH_TIMEOUT_MS })
  if (code === 0) return
  const how = code === null ? `was not done after ${FETCH_TIMEOUT_MS} ms` : `ended with ${code}`
  throw new Error(`${command} ${args.join(' ')} ${how}: ${`${stdout}${stderr}`.trim().slice(-ERROR_CHARS_MAX)}`)
}

const ERROR_CHARS_MAX = 2_000
