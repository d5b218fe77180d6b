import { type CommandOptions, type Running, startCatalog } from '@catalog/stack/servers/command.ts'
import { peakBytesOf, processorSecondsOf, processorTimesOf } from '@catalog/stack/servers/machine.ts'
import type { PostgresServer } from '@catalog/stack/servers/postgres.ts'

/** What a stage took: of the command with its children, and of PostgreSQL. */
export type Cost = Readonly<{
  stage: string
  seconds: number
  processorS: number
  postgresS: number
  /** Of the command's largest process. */
  peakBytes: number
}>

/** `program` is another checkout's command, where ours is not meant. */
export type Watch = Readonly<{ server: PostgresServer; stage: string; data: string; program?: string | undefined }>

/** Outlasts a whole month on a busy machine. */
const TIMEOUT_MS = 4 * 3_600_000
const POLL_MS = 100

/**
 * Runs `catalog ARGS --json` as users do, until `done` resolves, by default to its end. Returns its answer and the costs of its
 * stages: one for each stage of its lines of progress, and one with the given name for the rest.
 */
export async function watchedCommand<Answer>(
  args: readonly string[],
  { server, stage, data, program }: Watch,
  done: (command: Running) => Promise<Answer> = answerOf,
): Promise<{ answer: Answer; costs: readonly Cost[] }> {
  const options: CommandOptions = { data, env: { DATABASE_URL: server.url }, timeoutMs: TIMEOUT_MS }
  const startedS = childrenSeconds()
  await using command = startCatalog([...args, '--json'], { ...options, ...(program !== undefined && { program }) })
  const costs: Cost[] = []
  let name = stage
  let [begun, processor, postgres] = [performance.now(), 0, processorSecondsOf(server.pid?.())]
  let peakBytes = 0
  let seenS = 0
  const close = (processorNow: number) => {
    const [now, postgresNow] = [performance.now(), processorSecondsOf(server.pid?.())]
    costs.push({
      stage: name,
      seconds: (now - begun) / 1e3,
      processorS: processorNow - processor,
      postgresS: postgresNow - postgres,
      peakBytes,
    })
    ;[begun, processor, postgres, peakBytes] = [now, processorNow, postgresNow, 0]
  }
  const poll = setInterval(() => {
    const next = stageIn(command.output()) ?? name
    if (next !== name) close(processorSecondsOf(command.pid))
    name = next
    seenS = Math.max(seenS, processorSecondsOf(command.pid))
    peakBytes = Math.max(peakBytes, peakBytesOf(command.pid))
  }, POLL_MS)
  try {
    const answer = await done(command)
    const ended = processorSecondsOf(command.pid)
    // Of a process that has ended, its parent knows; of children that it left, the last look.
    close(ended > 0 ? ended : Math.max(seenS, childrenSeconds() - startedS))
    return { answer, costs }
  } finally {
    clearInterval(poll)
  }
}

async function answerOf<Answer>(command: Running): Promise<Answer> {
  const { code, stdout, stderr } = await command.finished
  if (code !== 0) throw new Error(`catalog ended with ${code}: ${stdout.slice(0, 2_000)}${stderr.slice(-2_000)}`)
  return JSON.parse(stdout) as Answer
}

/** The stage of the last line of progress; undefined before the first. */
const stageIn = (output: string): string | undefined => /.*^\{"stage":"([^"]+)"/ms.exec(output)?.[1]

/** Processor time of all children that ended and were waited for. */
const childrenSeconds = () =>
  processorTimesOf('self')
    .slice(2)
    .reduce((sum, seconds) => sum + seconds, 0)

/** The whole of these stages. */
export const sumOf = (costs: readonly Cost[], stage: string): Cost => ({
  stage,
  seconds: costs.reduce((sum, { seconds }) => sum + seconds, 0),
  processorS: costs.reduce((sum, { processorS }) => sum + processorS, 0),
  postgresS: costs.reduce((sum, { postgresS }) => sum + postgresS, 0),
  peakBytes: Math.max(...costs.map(({ peakBytes }) => peakBytes)),
})
