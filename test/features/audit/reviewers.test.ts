/** A reviewer reads of the audit log what was done to verifications, and nothing else. Source: docs/specification/people.md#roles. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { listAuditLogs } from '../../../src/features/audit/audit-log-operations.ts';
import { recordAudit } from '../../../src/features/audit/audit-service.ts';
import { createExport } from '../../../src/features/dashboard/exports/kinds.ts';
import { verifyLedgerOperation } from '../../../src/features/ledger/ledger-operations.ts';
import type { Role } from '../../../src/features/staff/open/roles.ts';
import type { TestTenant } from '../../support/app/test-app.ts';
import { invokeAs, plantSignedIn, refusalOf, type SignedIn } from '../../support/app/test-people.ts';
import { type PageApp, startPageApp } from '../../support/pages/page-app.ts';

/** What each part of the service writes on: of verifications one alone. */
const OF_OTHERS = [
  ['api_key.created', 'api_key'],
  ['settings.updated', 'tenant'],
  ['staff.changed', 'staff'],
  ['staff.signed_in', 'staff_session'],
  ['payout_run.approved', 'payout_run'],
  ['member_profile.updated', 'member'],
  // By its name of verifications, and not done to one.
  ['kyc_record.forged', 'kyc_records'],
  ['thing.of_nobody', null],
] as const;

let pages: PageApp;
let tenant: TestTenant;
let recordId: string;
const people: Partial<Record<Role, SignedIn>> = {};

beforeAll(async () => {
  pages = await startPageApp();
  tenant = await pages.app.newTenant();
  recordId = randomUUID();
  const scope: Scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  const by = { actor: { kind: 'staff', id: randomUUID() }, operationId: 'ofTest', requestId: randomUUID(), ip: null } as const;
  const write = (action: string, objectKind: string | null, objectId: string) =>
    pages.app.composition.frames.write(scope, (db) => recordAudit(db, scope, { action, by, objectKind, objectId }));
  for (const [action, kind] of OF_OTHERS) await write(action, kind, recordId);
  for (const action of ['kyc_record.submitted', 'kyc_document.viewed', 'kyc_record.identity_changed'])
    await write(action, 'kyc_record', recordId);
  for (const role of ['owner', 'admin', 'reviewer', 'developer'] as const)
    people[role] = await plantSignedIn(pages.app, tenant.tenantId, { role });
});
afterAll(() => pages.app.close());

const personOf = (role: Role): SignedIn => {
  const person = people[role];
  if (!person) throw new Error(`nobody is ${role}`);
  return person;
};

async function actionsFor(role: Role, query: Record<string, string> = {}): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const said = { query: { ...query, limit: '2', ...(cursor && { cursor }) } };
    const { body } = await invokeAs(pages.app, personOf(role), listAuditLogs, said);
    seen.push(...(body?.data ?? []).map(({ action }) => action));
    cursor = body?.nextCursor ?? null;
  }
  return seen;
}

const OF_VERIFICATIONS = ['kyc_record.identity_changed', 'kyc_document.viewed', 'kyc_record.submitted'];

test('page by page they are those of verifications', async () => {
  expect(await actionsFor('reviewer')).toEqual(OF_VERIFICATIONS);
  expect(await actionsFor('reviewer', { action: 'kyc_document.viewed' })).toEqual(['kyc_document.viewed']);
  expect(await actionsFor('reviewer', { targetKind: 'kyc_record', targetId: recordId })).toEqual(OF_VERIFICATIONS);
});

test.each(['owner', 'admin'] as const)('%s reads them all', async (role) => {
  const all = [...OF_OTHERS.map(([action]) => action), ...OF_VERIFICATIONS];
  expect(await actionsFor(role)).toEqual(expect.arrayContaining(all));
});

test('developer reads none', async () => {
  const refused = await invokeAs(pages.app, personOf('developer'), listAuditLogs, { query: {} }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'FORBIDDEN' });
});

test.each(OF_OTHERS)('no filter finds %s', async (action, kind) => {
  expect(await actionsFor('owner', { action })).toContain(action);
  expect(await actionsFor('reviewer', { action })).toEqual([]);
  if (kind === null) return;
  for (const filter of ['targetKind', 'objectKind']) expect(await actionsFor('reviewer', { [filter]: kind })).toEqual([]);
});

test('neither does the cursor of somebody who reads all', async () => {
  const { body } = await invokeAs(pages.app, personOf('owner'), listAuditLogs, { query: { limit: '4' } });
  const said = { query: { limit: '100', cursor: body?.nextCursor ?? '' } };
  const read = await invokeAs(pages.app, personOf('reviewer'), listAuditLogs, said).catch((error: unknown) => error);
  expect(read).toMatchObject({ code: 'VALIDATION_ERROR' });
});

test('they are neither exported nor verified by a reviewer, whose scopes for that there are none of', async () => {
  for (const format of ['csv', 'ndjson'] as const) {
    const body = { kind: 'auditLogs', format } as const;
    expect(await refusalOf(invokeAs(pages.app, personOf('reviewer'), createExport, { body }))).toBe('FORBIDDEN');
  }
  expect(await refusalOf(invokeAs(pages.app, personOf('reviewer'), verifyLedgerOperation))).toBe('FORBIDDEN');
});

test('the page shows the same, and says so', async () => {
  const home = pages.home(tenant);
  const browser = pages.signedIn(tenant, 'reviewer');
  const opened = await browser.open(`${home}/audit`);
  expect(opened.text).toContain('Who did what with verifications, newest first');
  for (const action of OF_VERIFICATIONS) expect(opened.text).toContain(`<code>${action}</code>`);
  for (const [action] of OF_OTHERS) expect(opened.text).not.toContain(action);
  const filtered = await browser.open(`${home}/audit?targetKind=api_key`);
  expect([filtered.status, filtered.text.includes('Nothing matches these filters')]).toEqual([200, true]);
  const member = await browser.open(`${home}/members`);
  expect(member.text).not.toContain('/audit?');
});
