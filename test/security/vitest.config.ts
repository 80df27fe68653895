import { defineConfig } from 'vitest/config';

/** `npm run test:security`: the access matrix with each wall away, hostile input, slow clients, two pairs of hands. */
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: ['test/security/**/*.test.ts'],
    globalSetup: ['test/setup/database.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
