/** Whom a sale could be credited to: links, clicks and leads planted past their operations, and what a sale was credited by. */
import { randomUUID } from 'node:crypto';
import type { Scope } from '../../../src/db/scope.ts';
import type { AttributionModel } from '../../../src/features/attribution/open/decide-attribution.ts';
import { createClickIds } from '../../../src/features/referrals/open/click-ids.ts';
import type { ApiClient } from '../../support/app/api-client.ts';
import type { TestApp } from '../../support/app/test-app.ts';

export const SALE_AT = '2026-06-01T12:00:00.000Z';

/** The instant so many milliseconds and days before the sale. */
export function beforeSale(ms: number, days = 0): string {
  return new Date(Date.parse(SALE_AT) - ms - days * 86_400_000).toISOString();
}

export interface ClickFields {
  at?: string;
  customer?: string;
}

export interface LeadFields {
  email?: string;
  status?: string;
  at?: string;
  expiresAt?: string;
}

interface Credited {
  rule: string;
  userId: string | null;
  /** `click lost OUTSIDE_WINDOW`, in the order in which they were considered. */
  outcomes: string[];
}

export interface AttributionWorld {
  link(memberId: string, fields?: { status?: string; expiresAt?: string }): Promise<string>;
  /** Returns the signed id. */
  click(memberId: string, fields?: ClickFields): Promise<string>;
  lead(memberId: string | null, fields?: LeadFields): Promise<string>;
  retire(code: string): Promise<void>;
  settings(model: AttributionModel, windowDays: number): Promise<void>;
  sign(clickId: string, scope?: Scope): string;
}

export function attributionWorld(app: TestApp, scope: Scope): AttributionWorld {
  const clickIds = createClickIds(app.config.secrets.apiKeyPepper);
  const key = [scope.tenantId, scope.environment];
  const sql = (text: string, values: unknown[]) => app.database.asSuperuser<{ id: string }>(text, [...key, ...values]);
  const idOf = async (rows: Promise<{ id: string }[]>): Promise<string> => (await rows)[0]?.id ?? '';
  const link: AttributionWorld['link'] = (memberId, { status = 'active', expiresAt } = {}) =>
    idOf(
      sql(
        `insert into referral_link (tenant_id, environment, slug, member_id, destination_url, status, expires_at, created_at, updated_at)
         values ($1, $2, $3, $4, 'https://shop.example', $5, $6, now(), now()) returning id`,
        [randomUUID().replaceAll('-', ''), memberId, status, expiresAt ?? null],
      ),
    );
  return {
    link,
    async click(memberId, { at = beforeSale(0, 1), customer } = {}) {
      const id = await idOf(
        sql(
          `insert into referral_click (tenant_id, environment, link_id, member_id, kind, clicked_at, customer_external_id)
           values ($1, $2, $3, $4, 'redirect', $5, $6) returning id`,
          [await link(memberId), memberId, at, customer ?? null],
        ),
      );
      return clickIds.sign(scope, id);
    },
    async lead(memberId, { email = `${randomUUID()}@lead.example`, status = 'captured', at = beforeSale(0, 1), expiresAt } = {}) {
      return idOf(
        sql(
          `insert into lead (tenant_id, environment, email, referrer_user_id, conversion_status, created_at, expires_at)
           values ($1, $2, $3, $4, $5, $6, $7) returning id`,
          [email, memberId, status, at, expiresAt ?? null],
        ),
      );
    },
    async retire(code) {
      await sql("update referral_code set status = 'retired' where tenant_id = $1 and environment = $2 and code = $3", [code]);
    },
    async settings(model, windowDays) {
      await sql(
        `insert into referral_settings (tenant_id, environment, attribution_model, attribution_window_days, allowed_destination_hosts)
         values ($1, $2, $3, $4, '{}')
         on conflict (tenant_id, environment) do update set attribution_model = $3, attribution_window_days = $4`,
        [model, windowDays],
      );
    },
    sign: (clickId, of = scope) => clickIds.sign(of, clickId),
  };
}

/** By whom and why, as its explanation says. */
export async function creditOf(client: ApiClient, eventId: string): Promise<Credited> {
  const { body } = await client.get(`/api/v1/events/${eventId}/explain`);
  const candidates = body.credit.candidates as { source: string; outcome: string; reason: string | null }[];
  return {
    rule: body.attribution.rule,
    userId: body.attribution.user_id,
    outcomes: candidates.map(({ source, outcome, reason }) => [source, outcome, reason].filter(Boolean).join(' ')),
  };
}
