import { defineConfig } from 'vitest/config'

// The suffix tells the cost: *.test.ts runs in process, *.int.test.ts needs one real server, *.e2e.test.ts the whole path.
const reportFile = process.env.VITEST_JSON
const exclude = ['**/node_modules/**']
export default defineConfig({
  test: {
    // .ci/run asks for the runner's own count in a file.
    globalSetup: ['infra/stack/servers/servers.ts'],
    // By default a core stays free, which is half of a machine with two.
    maxWorkers: '100%',
    reporters: reportFile === undefined ? ['default'] : ['default', ['json', { outputFile: reportFile }]],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: [...exclude, '**/*.int.test.ts', '**/*.e2e.test.ts'],
        },
      },
      {
        test: {
          name: 'int',
          include: ['**/*.int.test.ts'],
          exclude,
          testTimeout: 120_000,
          // On a fresh machine a server is downloaded first.
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['**/*.e2e.test.ts'],
          exclude,
          testTimeout: 300_000,
          hookTimeout: 600_000,
          // One at a time: each starts servers of its own, and the machine is small.
          fileParallelism: false,
        },
      },
    ],
  },
})
