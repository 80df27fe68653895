/** What features stand on knows no feature, and no files import one another in a circle. */
import { expect, test } from 'vitest';
import { featuresImportedBelow, shortestCircles } from './circles.ts';
import { plant, readSources, replant } from './source-files.ts';

const sources = readSources();

test('vendors, db, http, jobs, doctor, documents, outgoing and house import no feature', () => {
  expect(
    featuresImportedBelow(sources),
    'Turn the import about: the feature says in its description what the lower folder must know, or hands it over as an argument.',
  ).toEqual([]);
});

test('no files import one another in a circle, not even for a type', () => {
  expect(
    shortestCircles(sources),
    'Move what both sides need, often a type, into a file of its own that imports neither.',
  ).toEqual([]);
});

test('an import of a feature from below is found, also of a type', () => {
  const planted = plant({
    'src/jobs/loop.ts': "import type { Lead } from '../features/leads/open/lead.ts';",
    'src/db/migrate.ts': "import { house } from '../features.ts';",
    'src/house/house.ts': "type X = import('../features/leads/leads-service.ts').X;",
    'src/app.ts': "import { house } from './features.ts';",
  });
  expect(featuresImportedBelow(planted)).toEqual([
    'src/jobs/loop.ts -> src/features/leads/open/lead.ts',
    'src/db/migrate.ts -> src/features.ts',
    'src/house/house.ts -> src/features/leads/leads-service.ts',
  ]);
});

test('the shortest circle is told, and one of types alone is one', () => {
  const planted = plant({
    'src/a.ts': "import { b } from './b.ts';",
    'src/b.ts': "import type { C } from './c.ts'; import { d } from './d.ts';",
    'src/c.ts': "import { type D } from './d.ts';",
    'src/d.ts': "import type { B } from './b.ts'; import './a.ts';",
    'src/e.ts': "import { a } from './a.ts'; import pg from 'pg';",
    'src/f.ts': "import type { F } from './f.ts';",
  });
  expect(shortestCircles(planted)).toEqual(['src/f.ts -> src/f.ts', 'src/b.ts -> src/d.ts -> src/b.ts']);
});

test('a circle through the real source is found', () => {
  const circles = shortestCircles(replant(sources, { 'src/errors.ts': "import type { App } from './app.ts';" }));
  expect(circles.join('\n')).toContain('src/errors.ts');
});
