/** What waits for a second person is told in words: each write that may wait has some. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationWords } from '../../../src/features/dashboard/settings/operation-words.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('each operation that can wait has words of its own', () => {
  const waiting = app.composition.app.operations.filter(({ hands }) => hands === 'weakens' || hands === 'by value');
  const ids = waiting.map(({ operationId }) => operationId);
  expect(ids).toContain('inviteStaff');
  expect(ids.filter((id) => operationWords(id) === id)).toEqual([]);
  expect(new Set(ids.map(operationWords)).size).toBe(ids.length);
});
