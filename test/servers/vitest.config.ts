import { defineConfig } from 'vitest/config';

/** `npm run test:servers`: against Swift's S3 API and ClamAV, which test/setup/install-servers.sh installs. */
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: ['test/servers/**/*.test.ts'],
    globalSetup: ['test/setup/database.ts', 'test/setup/servers.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
