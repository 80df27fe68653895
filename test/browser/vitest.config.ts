import { defineConfig } from 'vitest/config';

/** `npm run test:browser`: the pages in a real Chromium. One process for all files, and in it one service with its data. */
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/setup/database.ts'],
    pool: 'forks',
    maxWorkers: 1,
    isolate: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // What is waited for comes at once on a quiet machine; a busy one has time.
    expect: { poll: { timeout: 15_000 } },
  },
});
