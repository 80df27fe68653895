import { defineConfig } from 'vitest/config';

/** `npm run test:large`: trees of tens of thousands of members. */
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: ['test/large/**/*.test.ts'],
    globalSetup: ['test/setup/database.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
