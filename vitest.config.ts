import { existsSync, statfsSync } from 'node:fs'
import { totalmem } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongFilesReporter } from './infra/stack/servers/test-files.ts'

// The suffix states the cost: *.test.ts runs in process, *.long.test.ts in process for more than two seconds,
// *.int.test.ts needs one real server, *.e2e.test.ts the whole path.
const reportFile = process.env.VITEST_JSON
// Tests of research run apart, but for the one that finds a shipped model stale: any vocabulary can make it so.
const exclude = ['**/node_modules/**', 'research/**/!(model-inputs).test.ts']

/** A poll ends as soon as it holds: its default of a second fails on a busy machine. */
const POLLS = { poll: { timeout: 30_000 } }

// Servers, snapshots and copies of tests sync thousands of small files: a machine with enough memory keeps them there.
const MEMORY_FOLDER = '/dev/shm'
const [FREE_BYTES_MIN, MEMORY_BYTES_MIN] = [8 * 1024 ** 3, 16 * 1024 ** 3]
if (existsSync(MEMORY_FOLDER) && totalmem() >= MEMORY_BYTES_MIN) {
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
  if (bavail * bsize >= FREE_BYTES_MIN) process.env.TMPDIR ??= MEMORY_FOLDER
}

export default defineConfig({
  test: {
    globalSetup: ['infra/stack/servers/servers.ts'],
    // By default a core stays free, which is half of a machine with two.
    maxWorkers: '100%',
    // .ci/run reads the runner's own count from this file.
    reporters:
      reportFile === undefined
        ? ['default', new LongFilesReporter()]
        : ['default', new LongFilesReporter(), ['json', { outputFile: reportFile }]],
    projects: [
      {
        test: {
          name: 'unit',
          expect: POLLS,
          include: ['**/*.test.ts'],
          exclude: [...exclude, '**/*.{long,int,e2e}.test.ts'],
          // They hold nothing but values, so the files share a process and load each module once: half the time.
          isolate: false,
          // Properties of a second take several on a machine with other work.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'long',
          expect: POLLS,
          include: ['**/*.long.test.ts'],
          exclude,
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'int',
          expect: POLLS,
          include: ['**/*.int.test.ts'],
          exclude,
          // As the unit tests: a file closes what it opens and leaves no state in a module.
          isolate: false,
          testTimeout: 120_000,
          // A fresh machine downloads the servers first.
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          name: 'e2e',
          expect: POLLS,
          include: ['**/*.e2e.test.ts'],
          exclude,
          testTimeout: 300_000,
          hookTimeout: 600_000,
          // Tests of a file that may run beside each other, as processes of their own: as many as two cores carry.
          maxConcurrency: 2,
        },
      },
      {
        // `npm run research:test`: training and evaluation take as long as the rest of a package's tests together.
        test: {
          name: 'research',
          expect: POLLS,
          include: ['research/**/*.test.ts'],
          exclude: ['**/node_modules/**'],
          testTimeout: 120_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
})
