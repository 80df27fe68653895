import { defineConfig } from 'vitest/config';

/** `npm test`: everything quick. The longer suites have a config each below test/. */
export default defineConfig({
  test: {
    include: ['test/{unit,api,contract}/**/*.test.ts'],
    globalSetup: ['test/setup/database.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
