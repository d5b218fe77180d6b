import { join } from 'node:path'
import { CLIENTS } from '@catalog/judge/harness/document.ts'
import { pythonGenerator, pythonGeneratorAvailable, runTool } from '@catalog/judge/harness/tools.ts'
import { failed, passed, skipped } from '@catalog/judge/harness/verdict.ts'

const TOOL_TIMEOUT_MS = 120_000
const PYTHON_CLIENT = join(CLIENTS, 'python')

/** Makes the types of the client in Python from the baseline. Throws where datamodel-code-generator refuses it. */
export async function makePythonTypes(): Promise<void> {
  const options = { cwd: PYTHON_CLIENT, timeoutMs: TOOL_TIMEOUT_MS }
  const { code, stderr } = await runTool(await pythonGenerator(), ['generate.py'], options)
  if (code !== 0) throw new Error(`datamodel-code-generator ended with ${code}: ${stderr}`)
}

/** mypy accepts the client with its types from the baseline, and a program that uses it. */
export async function judgePythonClient() {
  const reason = await pythonGeneratorAvailable()
  if (reason !== null) return skipped(reason)
  await makePythonTypes()
  const checked = ['src', 'generate.py', join(import.meta.dirname, 'walk.py')]
  const answer = await runTool(await pythonGenerator(), ['-m', 'mypy', '--strict', ...checked], {
    cwd: PYTHON_CLIENT,
    timeoutMs: TOOL_TIMEOUT_MS,
    env: { MYPYPATH: 'src' },
  })
  return answer.code === 0 ? passed(answer.stdout.trim()) : failed('mypy refuses the client', answer.stdout)
}
