import { defineConfig } from 'vitest/config';

/** `npm run test:security`: the access matrix with each wall away, hostile input, slow clients, two pairs of hands. */
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: ['test/security/**/*.test.ts'],
    globalSetup: ['test/setup/database.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
