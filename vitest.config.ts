import { defineConfig } from 'vitest/config';
import { ALONE, OTHER_SUITES, QUICK, RANDOM } from './test/setup/suites.ts';

/** The limits are for what hangs: a machine may be ten times slower than another. */
const limits = { pool: 'forks' as const, maxWorkers: 3, testTimeout: 300_000, hookTimeout: 300_000, setupFiles: noted() };

/** Where calls are noted for the examples of the document (tools/harvest-examples.ts). */
function noted(): string[] {
  return process.env['HARVEST_EXCHANGES'] === undefined ? [] : ['test/setup/harvest-exchanges.ts'];
}

/** `npm test`: everything quick. The longer suites have a config each below test/. */
export default defineConfig({
  test: {
    globalSetup: ['test/setup/database.ts'],
    maxWorkers: limits.maxWorkers,
    projects: [
      {
        test: {
          ...limits,
          name: 'alone',
          include: ALONE,
          exclude: [...OTHER_SUITES, '**/node_modules/**'],
        },
      },
      {
        test: {
          ...limits,
          name: 'together',
          include: QUICK,
          exclude: [...OTHER_SUITES, ...RANDOM, ...ALONE, '**/node_modules/**'],
          // Importing the composition takes 1.9 s of the processor: once a worker, not once a file.
          isolate: false,
          provide: { sharesApp: true },
        },
      },
    ],
  },
});
