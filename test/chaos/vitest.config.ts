import { defineConfig } from 'vitest/config';

const limits = {
  root: `${import.meta.dirname}/../..`,
  pool: 'forks',
  testTimeout: 300_000,
  hookTimeout: 300_000,
} as const;

/**
 * `npm run test:chaos`: hundreds of the same request at once, processes killed again and again, leases that run out; then,
 * with the machine to itself, the table of faults (docs/chaos.md).
 */
export default defineConfig({
  test: {
    root: limits.root,
    globalSetup: ['test/setup/database.ts', 'test/chaos/table/print.ts'],
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...limits,
          name: 'cases',
          include: ['test/chaos/**/*.test.ts'],
          exclude: ['test/chaos/table/**'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: { ...limits, name: 'table', include: ['test/chaos/table/*.test.ts'], maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
