/**
 * Which of the quick tests run how. A file is named by its base name alone, so that it may move from folder to folder;
 * whoever adds one that leaves its process changed names it here.
 */

/** What a run of the quick tests looks through. The other suites have a folder each, with a config. */
export const QUICK = ['test/**/*.test.ts'];
export const OTHER_SUITES = ['test/{chaos,large,newcomer,security,servers}/**', 'test/browser/!(glance).test.ts'];

/** Fuzzing and random histories: `npm run test:random`. */
export const RANDOM = ['**/*.property.test.ts', ...named('event-order', 'explain-evaluator', 'histories', 'openapi-fuzz')];

/** These have a process of their own; all others share one with many files. */
export const ALONE = [
  // The clock or the timers are not the real ones.
  ...named('loop', 'sessions'),
  // pg's `query` is another function, or counts.
  ...named('frame', 'frame-alone', 'frame-claim', 'frame-commit', 'frame-late', 'statement-count'),
  // The house has a feature more.
  ...named('architecture-example'),
  // A module is replaced before it is first imported.
  ...named('sql-texts', 'sums', 'written-tables'),
  // The process says that it is another, or has a listener more.
  ...named('compress', 'embedded'),
];

function named(...names: string[]): string[] {
  return names.map((name) => `**/${name}.test.ts`);
}
