/** Pages ask for data by operations alone. Source: docs/specification/pages.md#operations. */
import { expect, test } from 'vitest';
import { innerImports, pageFaults } from './front-door.ts';
import { plant, readSources } from './source-files.ts';

const sources = readSources();

test('a page imports operations, what is open, and the parts of pages', () => {
  expect(sources.some(({ name }) => name.endsWith('dashboard/overview/overview-page.ts'))).toBe(true);
  expect(pageFaults(sources), 'What a page needs and no operation tells, becomes an operation first.').toEqual([]);
});

const page = (text: string): string[] => {
  const planted = plant({ 'src/features/dashboard/members/members-page.ts': text });
  return [...pageFaults(planted), ...innerImports(planted)];
};

test.each([
  ["import { x } from '../../users/users-service.ts';"],
  ["import type { X } from '../../users/users-service.ts';"],
  ["import { x } from '../../users/users-queries.ts';"],
  ["import { usersFeature } from '../../users/users-feature.ts';"],
  ["import { raw } from '../../../db/query.ts';"],
  ["import { createFrames } from '../../../db/frame.ts';"],
  ["import { x } from '../frame-queries.ts';"],
  ["import { x } from '../page-context.ts';"],
  ["import { x } from '../links/links-view.ts';"],
  ["import knex from 'knex';"],
  ["import { readFileSync } from 'node:fs';"],
  ["const x = await import('../../users/users-service.ts');"],
])('it may not say %s', (text) => {
  expect(page(text)).not.toEqual([]);
});

test.each([
  ["import { listMembers } from '../../members/member-list-operations.ts';"],
  ["import { reviewKyc } from '../../kyc/review/kyc-decisions-operations.ts';"],
  ["import { KYC_STATUSES } from '../../kyc/open/kyc-states.ts';"],
  ["import { definePage } from '../../../pages/define-page.ts';"],
  ["import { drawMembers } from './members-view.ts';"],
  ["import type { Environment } from '../../../db/scope.ts';"],
  ["import { invalidField } from '../../../errors.ts';"],
])('it may say %s', (text) => {
  expect(page(text)).toEqual([]);
});
