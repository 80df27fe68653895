/** Commissions that are paid out, taken back and forgiven: the calls of the tests about them, and where members stand. */
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { expect } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import type { ApiClient, MemberBody } from '../app/api-client.ts';
import type { TestApp } from '../app/test-app.ts';
import { newUpline } from './model-upline.ts';
import { type LineBody, purchaseOf, type Sale } from './money-calls.ts';
import { payOut } from './pay-out.ts';

const OLD = new Date(Date.now() - 60 * 86_400_000).toISOString();

export async function accept(answer: Promise<Response>): Promise<Response> {
  const { status, text } = await answer;
  expect(`${status} ${status === 201 ? '' : text}`).toBe('201 ');
  return answer;
}

/** `write_off 600, clawback -1000`: an answer's lines in their order. */
export const linesIn = ({ body }: { body: { commissions?: LineBody[] } }): string =>
  (body.commissions ?? []).map((line) => `${line.kind} ${line.amount_minor}`).join(', ');

export async function newMember(client: ApiClient): Promise<MemberBody> {
  const [member] = await newUpline(client, 'O');
  if (!member) throw new Error('no member');
  return member;
}

/** A sale of 100.00 that pays the member 10.00, unless `fields` say otherwise; the money is gone. */
export async function paidSale(app: TestApp, client: ApiClient, memberId: string, fields: object = {}): Promise<Sale> {
  const sale = await purchaseOf(client, { attribution: { user_id: memberId }, ...fields });
  await payOut(
    app,
    sale.commissions.map((line) => line.id),
  );
  return sale;
}

function byHand(client: ApiClient, type: string, member: MemberBody, amountMinor: number, fields: object): Promise<Response> {
  const said = { external_event_id: randomUUID(), description: 'By hand', actor: 'Kim', currency: 'USD', ...fields };
  return accept(client.post('/api/v1/events/commission', { ...said, type, user_id: member.id, amount_minor: amountMinor }));
}

/** Of 60 days ago, so that a sweep clears it. */
export const credit = (client: ApiClient, member: MemberBody, amountMinor: number, fields: object = {}): Promise<Response> =>
  byHand(client, 'adjustment', member, amountMinor, { occurred_at: OLD, ...fields });

export const forgive = (client: ApiClient, member: MemberBody, amountMinor: number, fields: object = {}): Promise<Response> =>
  byHand(client, 'write_off', member, amountMinor, fields);

export const clear = (app: TestApp, scope: Scope): Promise<number> => app.runSweep('clear-commissions', scope);

/** A member's cleared balance, what it was paid, and what the company bears for it, in minor units. */
export async function booksOf(app: TestApp, member: MemberBody, currency = 'USD'): Promise<object | undefined> {
  const [row] = await app.database.asSuperuser(
    `select coalesce(sum(amount_minor) filter (where p.account = 'member:cleared'), 0)::int as cleared,
            coalesce(sum(amount_minor) filter (where p.account = 'member:paid_out'), 0)::int as paid,
            (select coalesce(sum(l.amount_minor), 0)::int from commission_line l
             where l.beneficiary_id = $1 and l.currency = $2 and l.kind = 'write_off') as borne
     from posting p where p.member_id = $1 and p.currency = $2`,
    [member.id, currency],
  );
  return row;
}

/** What the account that bears forgiven debts stands at. */
export async function writtenOffBy(app: TestApp, { tenantId, environment }: Scope): Promise<number> {
  const [row] = await app.database.asSuperuser<{ sum: number }>(
    `select coalesce(sum(amount_minor), 0)::int as sum from posting
     where tenant_id = $1 and environment = $2 and account = 'company:write_off'`,
    [tenantId, environment],
  );
  return row?.sum ?? Number.NaN;
}
