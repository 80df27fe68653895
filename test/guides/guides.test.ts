/** Every code block of the guides does what it says, as it stands there. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { runBlocks } from '../support/guides/run-blocks.ts';

const FOLDER = path.join(import.meta.dirname, '../../docs/guides');
const guides = readdirSync(FOLDER).filter((name) => name !== 'README.md');

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test.each(guides)('%s runs from top to bottom, and answers as it shows', { timeout: 60_000 }, async (name) => {
  const { sandboxKey } = await app.newTenant();
  const file = path.join(FOLDER, name);
  const answers = await runBlocks({ file, replace: { 'svc_sandbox_...': sandboxKey, 'http://localhost:3000': app.baseUrl } });
  expect
    .soft(answers.map(({ line, answer }) => ({ line, answer })))
    .toEqual(answers.map(({ line, shown }) => ({ line, answer: shown })));
});

test('README.md lists every guide once', () => {
  const listed = [...readFileSync(path.join(FOLDER, 'README.md'), 'utf8').matchAll(/^- \[[^\]]+\]\(([\w-]+\.md)\): /gm)];
  expect(listed.map(([, name = '']) => name).toSorted()).toEqual(guides.toSorted());
});
