import { stderr } from 'node:process'

/** Shows progress, loss and remaining time on stderr: one rewritten line on a terminal, otherwise a line per tenth. */
export function progressBar(steps: number): (progress: { step: number; loss: number }) => void {
  const start = performance.now()
  const every = stderr.isTTY ? 10 : Math.ceil(steps / 10)
  let mean = 0
  return ({ step, loss }) => {
    mean = step === 1 ? loss : mean + (loss - mean) / Math.min(step, LOSS_STEPS)
    if (step % every !== 0 && step !== steps) return
    const seconds = Math.round((((performance.now() - start) / step) * (steps - step)) / 1000)
    const left = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
    const done = Math.round((step / steps) * BAR_WIDTH)
    const bar = '█'.repeat(done) + '░'.repeat(BAR_WIDTH - done)
    const line = `training ${bar} ${step}/${steps} loss ${mean.toFixed(3)} ${left} left`
    stderr.write(stderr.isTTY && step < steps ? `\r${line}  ` : `${stderr.isTTY ? '\r' : ''}${line}\n`)
  }
}
/** Steps in the mean of the shown loss. */
const LOSS_STEPS = 100
const BAR_WIDTH = 30
