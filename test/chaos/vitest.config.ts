import { defineConfig } from 'vitest/config';

/** `npm run test:chaos`: hundreds of the same request at once, processes killed again and again, leases that run out. */
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: ['test/chaos/**/*.test.ts'],
    globalSetup: ['test/setup/database.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});
