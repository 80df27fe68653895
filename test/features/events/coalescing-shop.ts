/** A tenant whose purchases come at once, and what its app says of recording them together. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import type { Load, RawAnswer } from '../../support/app/model-load.ts';
import type { TestApp, TestTenant } from '../../support/app/test-app.ts';
import { newUpline } from '../../support/money/model-upline.ts';

/** Batches are as large as can be, one alone is one, and the log tells of each. */
export const ALWAYS = { PURCHASE_COALESCING: 'always', LOG_LEVEL: 'debug' };

export const PATH = '/api/v1/events/purchase';

export interface Asked {
  body: object;
  /** Default: the tenant's LIVE key. */
  key?: string;
  headers?: Record<string, string>;
  /** Default: the app's. */
  baseUrl?: string;
}

export class CoalescingShop {
  readonly app: TestApp;
  readonly load: Load;
  readonly tenant: TestTenant;
  readonly client: ApiClient;
  readonly people: readonly MemberBody[];

  private constructor(app: TestApp, load: Load, tenant: TestTenant, people: readonly MemberBody[]) {
    this.app = app;
    this.load = load;
    this.tenant = tenant;
    this.client = apiClient(app, tenant.liveKey);
    this.people = people;
  }

  static async open(app: TestApp, load: Load): Promise<CoalescingShop> {
    const tenant = await app.newTenant();
    return new CoalescingShop(app, load, tenant, await newUpline(apiClient(app, tenant.liveKey), 'D D D'));
  }

  /** A sale of 100.00 credited to the lowest of three. */
  bodyOf(fields: object = {}): Record<string, unknown> {
    return this.client.purchaseBody({ attribution: { user_id: this.people[0]?.id }, ...fields });
  }

  /** All at once, in the order of the list. */
  sendAll(asked: readonly Asked[]): Promise<RawAnswer[]> {
    return this.load.sendAll(
      asked.map(({ body, key = this.tenant.liveKey, headers = {}, baseUrl = this.app.baseUrl }) => ({
        baseUrl,
        key,
        path: PATH,
        body,
        headers,
      })),
    );
  }

  /** So many at once, each with an Idempotency-Key of its own. */
  keyed(count: number, fields: (n: number) => object = () => ({})): Asked[] {
    return Array.from({ length: count }, (_, n) => ({
      body: this.bodyOf(fields(n)),
      headers: { 'idempotency-key': randomUUID() },
    }));
  }

  /** What was recorded together so far, in batches of at least two. */
  batches(): { count: number; alone: number }[] {
    return this.#said('purchases were recorded together').filter(({ count }) => count > 1);
  }

  /** Batches that the database has failed. */
  failures(): number {
    return this.#said('purchases that came at once are recorded one by one').length;
  }

  #said(message: string): { count: number; alone: number }[] {
    return this.app.logLines
      .filter((line) => line.includes(`"msg":"${message}`))
      .map((line) => JSON.parse(line) as { tenantId: string; count: number; alone: number })
      .filter(({ tenantId }) => tenantId === this.tenant.tenantId);
  }

  /** Of the tenant: how many of each there are. */
  async counts(): Promise<object | undefined> {
    const of = (table: string) =>
      `(select count(*)::int from ${table} where tenant_id = $1 and environment = 'LIVE') as ${table}`;
    const tables = ['event', 'customer', 'attribution_receipt', 'commission_line', 'journal_entry', 'idempotency_key'];
    const [row] = await this.app.database.asSuperuser<object>(`select ${tables.map(of).join(', ')}`, [this.tenant.tenantId]);
    return row;
  }
}

export const idOf = (answer: RawAnswer | undefined): string =>
  (JSON.parse(answer?.text ?? '{}') as { event_id: string }).event_id;

export const statusesOf = (answers: readonly RawAnswer[]): number[] => answers.map(({ status }) => status);

export function expectAll(answers: readonly RawAnswer[], status: number): void {
  expect(answers.filter((answer) => answer.status !== status).map(({ text }) => text)).toEqual([]);
}

/** Replayed, each is what was answered first, byte for byte. */
export async function expectReplays(shop: CoalescingShop, asked: readonly Asked[], first: readonly RawAnswer[]): Promise<void> {
  const again = await shop.sendAll(asked);
  for (const [n, answer] of again.entries()) {
    expect([answer.status, answer.headers['idempotent-replayed'], answer.text]).toEqual([
      first[n]?.status,
      'true',
      first[n]?.text,
    ]);
  }
}
