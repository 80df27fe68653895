/** The oracle after every scenario: the doctor's audits, run as svc_admin, find nothing. */
import { expect } from 'vitest';
import { examine } from '../../src/doctor/doctor.ts';
import type { TestApp } from './test-app.ts';

export async function expectCleanBooks(app: TestApp): Promise<void> {
  const results = await examine(app.database.adminUrl);
  expect(results.length).toBeGreaterThan(0);
  expect(results.filter((audit) => audit.breaches.length > 0)).toEqual([]);
}
