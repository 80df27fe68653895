/** What stands in a path and lets in whoever has it is in no log line. */
import type { Express } from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TOKENED } from '../../src/http/request-log.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';

/** Of the form that our own tokens have. */
const CANARY = `canary${'A'.repeat(37)}`;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

interface Layer {
  route?: { path: string };
  handle: { stack?: readonly Layer[] };
}

const pathsOf = (layers: readonly Layer[]): string[] =>
  layers.flatMap(({ route, handle }) => (route ? [route.path] : pathsOf(handle.stack ?? [])));

const allPaths = (express: Express): string[] => pathsOf((express.router as unknown as { stack: readonly Layer[] }).stack);

test('each route with a token is among the addresses that the log knows, and each of them is a route', () => {
  const paths = allPaths(app.composition.app.express).filter((path) => /:\w*(?:token|secret|code)\b/i.test(path));
  expect([...new Set(paths)].toSorted()).toEqual(TOKENED.map((path) => `${path}/:token`).toSorted());
});

test('no token is logged, whatever is answered, also where its address is not quite right', async () => {
  const before = app.logLines.length;
  const addresses = TOKENED.flatMap((path) => [
    `${path}/${CANARY}`,
    `${path}/${CANARY}/more`,
    `${path}//${CANARY}`,
    `/${path}/${CANARY}`,
    `${path.toUpperCase()}/${CANARY}`,
    `${path}/${CANARY}?a=1`,
  ]);
  for (const address of addresses) {
    await app.http.get(address).set('sec-fetch-site', 'none');
    await app.http.post(address).set('sec-fetch-site', 'same-origin').type('form').send('');
  }
  const lines = () => app.logLines.slice(before).filter((line) => line.includes('"msg":"request"'));
  await expect.poll(() => lines().length).toBe(addresses.length * 2);
  expect(app.logLines.slice(before).filter((line) => line.includes('canary'))).toEqual([]);
  expect(lines().join('\n')).toContain('"path":"/dashboard/not-me/…"');
});
