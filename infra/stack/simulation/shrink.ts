import type { Command, History, PlannedFault } from './history.ts'

/** Runs a history; the sentences that say what did not hold. */
type Run = (history: History) => Promise<readonly string[]>

export type Shrunk = Readonly<{ history: History; misses: readonly string[]; runs: number }>

/** Runs of one history, at most: each takes some 50 ms. */
const RUNS_MAX = 400

/**
 * The smallest history that it finds and that fails too: without faults and commands that are not needed, and with one
 * partition and large batches where those are enough. `given` fails; its faults are a list.
 */
export async function shrink(given: History, misses: readonly string[], run: Run): Promise<Shrunk> {
  let best: Shrunk = { history: given, misses, runs: 0 }
  let runs = 0
  const fails = async (history: History): Promise<boolean> => {
    if (runs >= RUNS_MAX) return false
    runs++
    const found = await run(history)
    if (found.length > 0) best = { history, misses: found, runs }
    return found.length > 0
  }
  for (let size = -1; size !== sizeOf(best.history); ) {
    size = sizeOf(best.history)
    await leaveOut(best.history.commands, (commands: readonly Command[]) => fails({ ...best.history, commands }))
    await leaveOut(best.history.faults as readonly PlannedFault[], (faults) => fails({ ...best.history, faults }))
    for (const [at, command] of best.history.commands.entries()) {
      if (command.kind !== 'list' || command.list.prices.length < 2) continue
      await leaveOut(command.list.prices, (prices) => {
        const list = { ...command.list, prices }
        return fails({ ...best.history, commands: best.history.commands.with(at, { ...command, list }) })
      })
    }
    for (const simple of SIMPLER) if (isOther(best.history, simple)) await fails({ ...best.history, ...simple })
  }
  return { ...best, runs }
}

const SIMPLER: readonly Partial<History>[] = [
  { partitions: 1 },
  { isShared: false },
  { batchMax: 100 },
  { catchUp: 'drain' },
]
const isOther = (history: History, simple: Partial<History>) =>
  Object.entries(simple).some(([name, value]) => history[name as keyof History] !== value)

const sizeOf = ({ commands, faults, ...options }: History) =>
  JSON.stringify(options).length + JSON.stringify(commands).length + JSON.stringify(faults).length

/** Leaves out halves, quarters and so on down to single parts, as long as the rest still fails. */
async function leaveOut<T>(parts: readonly T[], fails: (rest: readonly T[]) => Promise<boolean>): Promise<void> {
  let rest = parts
  for (let length = Math.max(1, rest.length >> 1); ; length >>= 1) {
    for (let at = 0; at < rest.length; ) {
      const without = [...rest.slice(0, at), ...rest.slice(at + length)]
      if (await fails(without)) rest = without
      else at += length
    }
    if (length <= 1) return
  }
}
