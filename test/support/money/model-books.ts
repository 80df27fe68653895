/** The oracle after every scenario: the doctor's audits, run as svc_admin, find nothing. */

import { expect } from 'vitest';
import { examineBooks } from '../app/examine-books.ts';
import type { TestApp } from '../app/test-app.ts';

export async function expectCleanBooks(app: TestApp): Promise<void> {
  const results = await examineBooks(app.database.adminUrl);
  expect(results.length).toBeGreaterThan(0);
  expect(results.filter((audit) => audit.breaches.length > 0)).toEqual([]);
}
