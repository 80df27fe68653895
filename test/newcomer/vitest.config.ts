import { defineConfig } from 'vitest/config';

/** `npm run test:newcomer`: the README's commands, as a newcomer types them. */
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: ['test/newcomer/**/*.test.ts'],
    globalSetup: ['test/setup/database.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
