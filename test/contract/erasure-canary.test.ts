/**
 * A word of its own stands in every field that can be of a person; after the erasure none is found in the database, in the
 * files or in the log. Source: docs/specification/identity.md#erasure.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiClient } from '../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../support/app/test-app.ts';
import { findCanaries, findIn, listTextFields, newCanaries, readableForms } from '../support/database/canaries.ts';
import { plantCanaries } from '../support/database/plant-canaries.ts';
import { runJobs } from '../support/jobs/run-jobs.ts';
import { expectSoundBooks } from '../support/money/sound-books.ts';

let app: TestApp;
let tenant: TestTenant;
let fields: string[];
let before: string[];
let after: string[];
let files: string;
const canaries = newCanaries();

/** Fields that have no word, by the beginning of their names, and why. */
const NOT_PLANTED: Record<string, string> = {
  'createUser body.click_id': 'is refused unless it is a click of ours, whose id is random',
  'createUser body.referral_code': "is the sponsor's, and must be one",
  'createUser body.group': 'must be a group',
  'updateUser body.group': 'must be a group',
  'createGroup ': "is the tenant's own",
  'updateGroup ': "is the tenant's own",
  'archiveGroup ': "is the tenant's own",
  'addGroupMembers path.': 'must be a group',
  'putUser body.': 'is stored as what createUser stores',
  'recordPurchase body.external_event_id': "is kept: the tenant's number of the sale, by which a repeat is known",
  'recordPurchase body.attribution.click_id': 'is kept only when it has the form of ours',
  'recordRefund body.external_event_id': 'is kept, as that of a purchase',
  'recordRefund body.purchase_external_event_id': 'finds the purchase',
  'recordChargeback body.external_event_id': 'is kept, as that of a purchase',
  'recordChargeback body.purchase_external_event_id': 'finds the purchase',
  'recordChargeback body.dispute_id': "is kept: the bank's number of the dispute",
  'recordManualCommission body.external_event_id': 'is kept, as that of a purchase',
  'recordClick body.slug': 'finds a link',
  'recordClick body.customer.external_id': 'has the word of the customer that buys',
  'recordClick body.referral_code': 'finds a code',
  'recordClick body.click_id': 'finds a click',
  'captureLead body.referral_code': 'is stored only when it is a code, and planted as that of the member',
  'eraseMember body.reason': 'is kept: it is written by whoever erases, about the erasure',
  'createPayoutAccount body.methodType': 'is one of a list',
  'createPayoutAccount body.details': 'are those of bankAccount in an older form',
  'validateBankDetails path.methodId': 'is one of a list',
  'recordKycDocument body.filePath': 'is what upload-url gave',
  'linkIdentity body.providerId': 'finds a provider',
  'createExport body.filters.': 'are those of the lists; of these email, name, externalId and customer_external_id are planted',
  'exchangeToken body.provider': 'finds a provider',
  'exchangeToken body.token': 'is planted claim by claim',
  'refreshTokens body.': 'is a secret',
  'validateToken body.': 'is a secret',
  'revokeToken body.': 'is a secret',
  'sendVendorEvent body.reason': 'is stored as what rejectKyc stores',
  'inviteStaff ': 'is of a person of the tenant, who is no member and is removed by removeStaffMember',
  'updateStaffMember ': 'the same',
  'updateOwnAccount ': 'the same',
  'changeOwnPassword ': 'is a secret',
  'addPasskey ': 'is of a person of the tenant',
  'renamePasskey ': 'the same',
  'confirmAuthenticator ': 'is a secret',
  'searchAll query.': 'is looked for and not stored',
  'createCommissionPlan ': "is the tenant's own",
  'updateCommissionPlan ': "is the tenant's own",
  'createExchangeRate ': "is the tenant's own",
  'createRateOverride body.items': "are the tenant's products",
  'createRateOverride body.pay': "is the tenant's own",
  'createAuthProvider ': "is the tenant's own",
  'updateAuthProvider ': "is the tenant's own",
  'createApiKey ': "is the tenant's own",
  'updateApiKey ': "is the tenant's own",
  'updateSettings ': "is the tenant's own",
  'createWebhookEndpoint ': "is the tenant's own",
  'updateWebhookEndpoint ': "is the tenant's own",
  'testWebhookEndpoint body.type': 'is one of a list',
  'replayWebhookEvents body.types': 'are of a list',
  'quotePurchase ': 'is stored nowhere',
  'lintCommissionPlan ': 'is stored nowhere',
  'previewReversal ': 'is stored nowhere',
  'searchAll ': 'is stored nowhere',
  'createWidgetToken ': "is the tenant's own, and goes with the session: widget-tokens.test.ts",
  'saveView ': "is the tenant's own, unless it names the member: saved-views.test.ts",
};

/** Where a list is read by what is looked for, which is stored nowhere. */
const READS = /^(list|resolve|get|verify)\w+ (query|path)\./;

beforeAll(async () => {
  app = await startTestApp({}, 'own');
  tenant = await app.newTenant();
  fields = listTextFields((await app.http.get('/api/v1/openapi.json')).body);
  // Who hears of everything keeps it for a while.
  const hook = { url: 'https://hooks.shop.example/events', eventTypes: ['*'] };
  expect((await apiClient(app, tenant.liveKey).post('/api/v1/webhook-endpoints', hook)).status).toBe(201);
  const memberIds = await plantCanaries(app, tenant, canaries);
  before = await findCanaries(app.database, canaries);
  const client = apiClient(app, tenant.liveKey);
  for (const id of memberIds) {
    const answer = await client.post(`/api/v1/members/${id}/erasure`, { reason: 'Asked for', acknowledgeOwed: true });
    expect(answer.status, answer.text).toBe(200);
  }
  for (const sweep of ['remove-objects', 'remove-export-files']) {
    await app.runSweep(sweep);
    if (app.composition.background.handlers.some(({ name }) => name === sweep)) await runJobs(app, sweep);
  }
  after = await findCanaries(app.database, canaries);
  files = await readFiles(app.config.DATA_DIR);
});
afterAll(() => app.close());

async function readFiles(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const texts = entries.map(async (entry) => {
    const name = path.join(entry.parentPath, entry.name);
    return entry.isFile() ? `${name}\n${(await readFile(name)).toString('latin1')}` : name;
  });
  return (await Promise.all(texts)).join('\n');
}

test('every field of a person has a word, or a reason why not', () => {
  const known = [...canaries.planted().keys()];
  const isTold = (field: string) =>
    READS.test(field) ||
    known.some((name) => name === field || name.startsWith(`${field},`)) ||
    Object.keys(NOT_PLANTED).some((start) => field.startsWith(start));
  expect(fields.filter((field) => !isTold(field))).toEqual([]);
  expect(Object.keys(NOT_PLANTED).filter((start) => !fields.some((field) => field.startsWith(start)))).toEqual([]);
});

test('the words were there, in the tables that hold texts of persons', () => {
  const tables = new Set(before.flatMap((found) => / in public\.(\w+)\./.exec(found)?.[1] ?? []));
  expect([...tables].toSorted()).toEqual([
    'attribution_receipt',
    'commission_action',
    'commission_line',
    'customer',
    'event',
    'event_detail',
    'export_run',
    'idempotency_key',
    'import_run',
    'kyc_document',
    'kyc_record',
    'kyc_remark',
    'kyc_upload',
    'lead',
    'member',
    'member_activity_history',
    'member_former_email',
    'member_group_history',
    'member_identity',
    'member_profile',
    'member_sponsor_history',
    'member_tier_history',
    'outgoing_event',
    'payout',
    'payout_account',
    'payout_hold',
    'pending_change',
    'rate_override',
    'referral_click',
    'referral_code',
    'referral_link',
  ]);
});

test('no word is in the database afterwards', () => {
  expect(after).toEqual([]);
});

test('no word is in the files', () => {
  expect(findIn(files, canaries)).toEqual([]);
});

test('no word is in the log', () => {
  expect(app.logLines.length).toBeGreaterThan(10);
  expect(findIn(app.logLines.join('\n'), canaries)).toEqual([]);
});

test('the books are sound', async () => {
  await expectSoundBooks(app);
});

describe('a word that is left is found', () => {
  const word = () => canaries.in('createUser body.name');
  test.each([
    ['as it is', (text: string) => text],
    ['in capitals', (text: string) => text.toUpperCase()],
    ['in base64', (text: string) => Buffer.from(`of ${text}`).toString('base64')],
    ['in hexadecimal', (text: string) => Buffer.from(text).toString('hex')],
  ])('%s, with table and column', async (_how, form) => {
    await app.database.asSuperuser('create table if not exists leak (left_over jsonb)');
    await app.database.asSuperuser('insert into leak values (to_jsonb($1::text))', [form(word())]);
    expect(await findCanaries(app.database, canaries)).toEqual(['createUser body.name in public.leak.left_over']);
    await app.database.asSuperuser('drop table leak');
  });

  test('and digests are no form of it', () => {
    expect(readableForms('word')).toContain('word');
    expect(readableForms('word').length).toBeGreaterThan(8);
  });
});
