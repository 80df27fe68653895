/** Effects that are reached by more than one way: the direct operation, a batch, an import, a job, another operation. */
import { randomUUID } from 'node:crypto';
import type { apiClient } from '../app/api-client.ts';
import { type CallAnswer, call } from '../app/http-call.ts';
import type { TestApp, TestTenant } from '../app/test-app.ts';
import { runJobs } from '../jobs/run-jobs.ts';
import { plantRecord } from '../kyc/kyc-records.ts';

/** What ways act on. */
export interface Ground {
  app: TestApp;
  tenant: TestTenant;
  /** A member under whom something can be paid. */
  memberId: string;
  /** With every right. */
  strong: ReturnType<typeof apiClient>;
}

/** One request. It is made by a key with every right, so that it fails for want of a right alone. */
export interface Attempt {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  target: string;
  body?: unknown;
  csv?: string;
}

export interface Way {
  name: string;
  /** The operation that is called. */
  operationId: string;
  /** The operations whose effect it has; the first way of an effect is its own. */
  has: readonly string[];
  prepare(ground: Ground): Attempt | Promise<Attempt>;
  /** The status that counts, where it is not the answer's: that of the one event of a batch. */
  statusOf?: (answer: CallAnswer) => number;
  /** What works it off. */
  job?: 'run-import';
  /** It changes nothing, whoever calls. */
  idle?: true;
  environment?: 'SANDBOX';
}

export interface EffectCase {
  name: string;
  ways: readonly Way[];
}

export function send({ app }: Ground, key: string, { method, target, body, csv }: Attempt): Promise<CallAnswer> {
  const headers = { 'x-tenant-api-key': key };
  return call(app.baseUrl, { method, target, headers, ...(csv === undefined ? { body } : { csv }) });
}

const EMAIL = () => `${randomUUID()}@rights.example`;

/** The whole of what a tenant can see of an effect; what only says that somebody asked is left out. */
const TABLES = [
  'member',
  'lead',
  'event',
  'customer',
  'commission_line',
  'posting',
  'referral_code',
  'kyc_record',
  'rate_override',
  'export_run',
];

export async function digestEffects({ app, tenant }: Ground): Promise<string> {
  const parts = TABLES.map(
    (table) =>
      `(select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from ${table} t where tenant_id = $1) as ${table}`,
  );
  return JSON.stringify(await app.database.asSuperuser(`select ${parts.join(', ')}`, [tenant.tenantId]));
}

type Fields = Record<string, unknown>;

const purchase = ({ memberId }: Ground): Fields => ({
  external_event_id: randomUUID(),
  amount_minor: 10_000,
  currency: 'USD',
  customer: { external_id: randomUUID() },
  attribution: { user_id: memberId },
});

async function recorded(ground: Ground): Promise<string> {
  const body = purchase(ground);
  const answer = await ground.strong.post('/api/v1/events/purchase', body);
  if (answer.status !== 201) throw new Error(`not recorded: ${answer.text}`);
  return String(body['external_event_id']);
}

const reversal = async (ground: Ground): Promise<Fields> => ({
  external_event_id: randomUUID(),
  purchase_external_event_id: await recorded(ground),
  amount_minor: 10,
});
const dispute = async (ground: Ground): Promise<Fields> => ({
  ...(await reversal(ground)),
  dispute_id: randomUUID(),
  stage: 'opened',
});
const bonus = ({ memberId }: Ground): Fields => ({
  external_event_id: randomUUID(),
  type: 'bonus',
  user_id: memberId,
  amount_minor: 1_000,
  currency: 'USD',
  description: 'for the test',
  actor: 'test',
});

type BodyOf = (ground: Ground) => Fields | Promise<Fields>;

/** The operation of one kind of event, the same in a batch, and in a batch that is only tried. */
function eventWays(kind: string, operationId: string, bodyOf: BodyOf): Way[] {
  const batch = (fields: object): Omit<Way, 'name'> => ({
    operationId: 'recordEventBatch',
    has: [operationId],
    prepare: async (ground) => ({
      method: 'POST',
      target: '/api/v1/events/batch',
      body: { ...fields, events: [{ kind, ...(await bodyOf(ground)) }] },
    }),
    statusOf: ({ status, json }) =>
      status === 207 ? Number((json as { results: { status: number }[] }).results[0]?.status) : status,
  });
  return [
    {
      name: 'direct',
      operationId,
      has: [operationId],
      prepare: async (ground) => ({ method: 'POST', target: `/api/v1/events/${kind}`, body: await bodyOf(ground) }),
    },
    { name: 'batch', ...batch({}) },
    { name: 'batch, validated', ...batch({ validate_only: true }), idle: true },
  ];
}

/** A file of one row, applied and validated. */
function importWays(
  kind: string,
  has: readonly string[],
  rowOf: (ground: Ground) => Record<string, string> | Promise<Record<string, string>>,
): Way[] {
  const way = (mode: string): Omit<Way, 'name'> => ({
    operationId: 'createImport',
    has,
    async prepare(ground) {
      const row = await rowOf(ground);
      const csv = `${Object.keys(row).join(',')}\n${Object.values(row).join(',')}\n`;
      return { method: 'POST', target: `/api/v1/imports?kind=${kind}&mode=${mode}`, csv };
    },
    job: 'run-import',
  });
  return [
    { name: 'import', ...way('apply') },
    { name: 'import, validated', ...way('validate'), idle: true },
  ];
}

const post = (
  operationId: string,
  has: readonly string[],
  name: string,
  prepare: (ground: Ground) => Promise<[string, Fields]> | [string, Fields],
): Way => ({
  name,
  operationId,
  has,
  async prepare(ground) {
    const [target, body] = await prepare(ground);
    return { method: 'POST', target, body };
  },
});

async function waitingImport({ app, tenant }: Ground, kind: string): Promise<string> {
  const [row] = await app.database.asSuperuser<{ id: string }>(
    `insert into import_run (tenant_id, environment, kind, mode, status, row_count, failed_count, created_by, created_at, updated_at)
     values ($1, 'LIVE', $2, 'apply', 'queued', 1, 0, 'api_key:01890000-0000-7000-8000-000000000000', now(), now()) returning id`,
    [tenant.tenantId, kind],
  );
  return row?.id ?? '';
}

const endOfImport = (kind: string, has: string): Way => ({
  ...post('cancelImport', [has], "end of another's import", async (ground) => [
    `/api/v1/imports/${await waitingImport(ground, kind)}/cancel`,
    {},
  ]),
  idle: true,
});

async function verification({ app, tenant, strong }: Ground): Promise<string> {
  const { id } = await strong.newMember();
  return plantRecord(app, { tenantId: tenant.tenantId, environment: 'LIVE' }, { memberId: id });
}

/** A new group that nobody is in. */
async function group({ strong }: Ground): Promise<string> {
  const key = `g-${randomUUID()}`;
  const answer = await strong.post('/api/v1/groups', { key, name: 'Group' });
  if (answer.status !== 201) throw new Error(`no group: ${answer.text}`);
  return key;
}

/** A list, and the file that is made of it. */
function exportCase(kind: string, operationId: string, target: string): EffectCase {
  const made = async (ground: Ground): Promise<string> => {
    const answer = await ground.strong.post('/api/v1/exports', { kind, format: 'csv' });
    if (answer.status !== 201) throw new Error(`no export: ${answer.text}`);
    // All that were asked for have a file: at most five may be unfinished.
    await ground.app.database.asSuperuser(
      `update export_run set status = 'completed', started_at = now(), finished_at = now(), expires_at = now() + interval '1 day',
              storage_key = 'live/' || tenant_id || '/exports/' || id || '/1.csv', byte_count = 1, stands_at = null
       where tenant_id = $1 and status = 'queued'`,
      [ground.tenant.tenantId],
    );
    return String(answer.body.id);
  };
  const on = (name: string, id: string, end: string): Way => ({
    ...post(id, [operationId], name, async (ground) => [`/api/v1/exports/${await made(ground)}${end}`, {}]),
    idle: true,
  });
  return {
    name: `list of ${kind}`,
    ways: [
      { name: 'direct', operationId, has: [operationId], prepare: () => ({ method: 'GET', target }), idle: true },
      { ...post('createExport', [operationId], 'export', () => ['/api/v1/exports', { kind, format: 'csv' }]), idle: true },
      on("download of another's export", 'createExportDownloadUrl', '/download-url'),
      {
        name: "another's export",
        operationId: 'getExport',
        has: [operationId],
        prepare: async (ground) => ({ method: 'GET', target: `/api/v1/exports/${await made(ground)}` }),
        idle: true,
      },
    ],
  };
}

const RESUBMIT = { reason: 'Not readable', documents: ['government_id_front'] };

/** An event of a simulated vendor, of nobody: who may send it is judged before who it is of. */
const vendorEvent = (has: string, body: Fields): Way => ({
  ...post('sendVendorEvent', [has], `event of a simulated vendor, ${String(body['kind'])}`, () => [
    '/api/v1/sandbox/vendor-events',
    body,
  ]),
  idle: true,
  environment: 'SANDBOX',
});

export const EFFECTS: readonly EffectCase[] = [
  {
    name: 'purchase',
    ways: [
      ...eventWays('purchase', 'recordPurchase', purchase),
      ...importWays('purchases', ['recordPurchase'], ({ memberId }) => ({
        external_event_id: randomUUID(),
        amount_minor: '10000',
        currency: 'USD',
        customer_external_id: randomUUID(),
        attribution_user_id: memberId,
      })),
      endOfImport('purchases', 'recordPurchase'),
    ],
  },
  { name: 'refund', ways: eventWays('refund', 'recordRefund', reversal) },
  { name: 'chargeback', ways: eventWays('chargeback', 'recordChargeback', dispute) },
  { name: 'commission by hand', ways: eventWays('commission', 'recordManualCommission', bonus) },
  {
    name: 'member',
    ways: [
      post('createUser', ['createUser'], 'direct', () => ['/api/v1/users', { email: EMAIL() }]),
      {
        name: "by the tenant's own id",
        operationId: 'putUser',
        has: ['createUser'],
        prepare: () => ({ method: 'PUT', target: `/api/v1/users/by-external-id/${randomUUID()}`, body: { email: EMAIL() } }),
      },
      post('convertLead', ['createUser'], 'conversion of a lead', async ({ strong }) => {
        const lead = await strong.post('/api/v1/leads/capture', { email: EMAIL() });
        return [`/api/v1/leads/${lead.body.id}/convert`, {}];
      }),
      ...importWays('members', ['createUser'], () => ({ email: EMAIL() })),
      endOfImport('members', 'createUser'),
    ],
  },
  {
    name: 'lead',
    ways: [
      post('captureLead', ['captureLead'], 'direct', () => ['/api/v1/leads/capture', { email: EMAIL() }]),
      ...importWays('leads', ['captureLead'], () => ({ email: EMAIL() })),
      endOfImport('leads', 'captureLead'),
    ],
  },
  {
    name: 'referral code of choice',
    ways: [
      post('createReferralCode', ['createReferralCode'], 'direct', ({ memberId }) => [
        '/api/v1/referrals/codes',
        { user_id: memberId, code: `R${randomUUID().slice(0, 8)}`.toUpperCase() },
      ]),
      ...importWays('members', ['createUser', 'createReferralCode'], () => ({
        email: EMAIL(),
        referral_code: `R${randomUUID().slice(0, 8)}`.toUpperCase(),
      })),
    ],
  },
  {
    name: 'a rate that is agreed',
    ways: [
      post('createRateOverride', ['createRateOverride'], 'direct', ({ memberId }) => [
        '/api/v1/rate-overrides',
        { target: 'member', targetId: memberId, pay: { rateBps: 1 } },
      ]),
      ...importWays('rate_overrides', ['createRateOverride'], ({ memberId }) => ({
        target: 'member',
        target_id: memberId,
        valid_from: new Date().toISOString(),
        rate_bps: '1',
      })),
      endOfImport('rate_overrides', 'createRateOverride'),
    ],
  },
  {
    name: 'a member in a group',
    ways: [
      post('addGroupMembers', ['addGroupMembers'], 'direct', async (ground) => [
        `/api/v1/groups/${await group(ground)}/members`,
        { userIds: [ground.memberId] },
      ]),
      post('createUser', ['createUser', 'addGroupMembers'], 'new member', async (ground) => [
        '/api/v1/users',
        { email: EMAIL(), group: await group(ground) },
      ]),
      {
        name: 'new member by its own id',
        operationId: 'putUser',
        has: ['putUser', 'addGroupMembers'],
        prepare: async (ground) => ({
          method: 'PUT',
          target: `/api/v1/users/by-external-id/${randomUUID()}`,
          body: { email: EMAIL(), group: await group(ground) },
        }),
      },
      {
        name: 'change of a member',
        operationId: 'updateUser',
        has: ['updateUser', 'addGroupMembers'],
        prepare: async (ground) => ({
          method: 'PATCH',
          target: `/api/v1/users/${ground.memberId}`,
          body: { group: await group(ground) },
        }),
      },
      ...importWays('members', ['createUser', 'addGroupMembers'], async (ground) => ({
        email: EMAIL(),
        group: await group(ground),
      })),
    ],
  },
  {
    name: 'verification opened again',
    ways: ['request-resubmit', 'resubmit'].map((end) => ({
      ...post(end === 'resubmit' ? 'resubmitKyc' : 'requestKycResubmit', ['requestKycResubmit'], end, async (ground) => [
        `/api/v1/admin/kyc/${await verification(ground)}/${end}`,
        RESUBMIT,
      ]),
    })),
  },
  {
    name: 'upline of a member',
    ways: [
      {
        name: 'direct',
        operationId: 'listUpline',
        has: ['listUpline'],
        prepare: ({ memberId }) => ({ method: 'GET', target: `/api/v1/members/${memberId}/upline` }),
        idle: true,
      },
      {
        ...post('quotePurchase', ['listUpline'], 'quote', ({ memberId }) => [
          '/api/v1/commission-plans/quote',
          { amountMinor: 1_000, currency: 'USD', attribution: { userId: memberId } },
        ]),
        idle: true,
      },
      {
        ...post('quotePurchase', ['listUpline', 'listAttributions'], 'quote for a customer', () => [
          '/api/v1/commission-plans/quote',
          { amountMinor: 1_000, currency: 'USD', customerExternalId: 'customer' },
        ]),
        idle: true,
      },
    ],
  },
  exportCase('members', 'listMembers', '/api/v1/members'),
  exportCase('commissions', 'listCommissions', '/api/v1/commissions'),
  exportCase('events', 'listEvents', '/api/v1/events'),
  exportCase('payouts', 'listPayouts', '/api/v1/payouts'),
  exportCase('trialBalance', 'getTrialBalance', '/api/v1/admin/ledger/trial-balance'),
  {
    name: 'a verification that is kept',
    ways: [
      {
        name: 'correction of a profile',
        operationId: 'updateProfile',
        has: ['approveKyc'],
        // Of a member without a verification the profile alone changes.
        idle: true,
        prepare: ({ memberId }) => ({
          method: 'PATCH',
          target: `/api/v1/members/${memberId}/profile`,
          body: { givenName: 'Ada', keepVerification: { reason: 'A letter was missing' } },
        }),
      },
    ],
  },
  {
    name: 'what a vendor decides in the SANDBOX',
    ways: [
      vendorEvent('approveKyc', { kind: 'kyc', userId: randomUUID(), outcome: 'approved' }),
      vendorEvent('settlePayout', { kind: 'payout', payoutId: randomUUID(), outcome: 'paid' }),
      vendorEvent('createPayoutAccount', { kind: 'payout_account', accountId: randomUUID(), outcome: 'active' }),
    ],
  },
];

export async function workOff({ app }: Ground, { job }: Way): Promise<void> {
  if (job !== undefined) await runJobs(app, job);
}
