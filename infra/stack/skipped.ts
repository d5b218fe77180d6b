import { postgresAvailable } from './postgres.ts'
import { realInputsFolder } from './real-inputs.ts'

/** Says once, before the tests, which suites this machine cannot run and why; with CI=true a missing server throws. */
export function setup(): void {
  const noPostgres = postgresAvailable()
  if (noPostgres !== null) process.stderr.write(`skipped: the suites on a real PostgreSQL: ${noPostgres}\n`)
  if (realInputsFolder() === null) {
    process.stderr.write(
      'skipped: the suites on real inputs: expected their folder at REAL_INPUTS_DIR or ../shared/data\n',
    )
  }
}
