import { defineConfig } from 'vitest/config';
import { OTHER_SUITES, RANDOM } from '../setup/suites.ts';

/** `npm run test:random`: fuzzing and random histories, wherever among the quick tests they stand. */
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: RANDOM,
    exclude: [...OTHER_SUITES, '**/node_modules/**'],
    globalSetup: ['test/setup/database.ts'],
    pool: 'forks',
    maxWorkers: 2,
    isolate: false,
    provide: { sharesApp: true },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
