/** Links by SQL, as they are stored: with their tag, and the settings that allow where they lead. */
import type { Scope } from '../../../src/db/scope.ts';
import { drawSlug, drawTag } from '../../../src/features/referrals/slugs.ts';
import type { TestApp } from '../../support/app/test-app.ts';

export interface PlantedLink {
  id: string;
  slug: string;
  memberId: string;
}

/** The tag of an environment, which has one for ever. */
export async function plantTag({ database }: TestApp, { tenantId, environment }: Scope): Promise<string> {
  const [row] = await database.asSuperuser<{ tag: string }>(
    `insert into link_tag (tag, tenant_id, environment) values ($3, $1, $2)
     on conflict (tenant_id, environment) do update set tag = link_tag.tag returning tag`,
    [tenantId, environment, drawTag()],
  );
  return row?.tag ?? '';
}

/** Replaces the hosts that links may lead to. */
export async function allowHosts({ database }: TestApp, { tenantId, environment }: Scope, hosts: string[]): Promise<void> {
  await database.asSuperuser(
    `insert into referral_settings (tenant_id, environment, attribution_model, attribution_window_days, allowed_destination_hosts)
     values ($1, $2, 'last_click', 60, $3)
     on conflict (tenant_id, environment) do update set allowed_destination_hosts = excluded.allowed_destination_hosts`,
    [tenantId, environment, hosts],
  );
}

interface LinkFields {
  memberId: string;
  slug?: string;
  destination?: string;
  status?: 'active' | 'disabled' | 'deleted';
  expiresAt?: string;
}

/** A link to any address at all: nothing is checked here. */
export async function plantLink(app: TestApp, scope: Scope, fields: LinkFields): Promise<PlantedLink> {
  const { memberId, destination = 'https://shop.example/spring', status = 'active', expiresAt = null } = fields;
  const slug = fields.slug ?? drawSlug(await plantTag(app, scope));
  const [row] = await app.database.asSuperuser<{ id: string }>(
    `insert into referral_link (tenant_id, environment, slug, member_id, destination_url, status, expires_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, now(), now()) returning id`,
    [scope.tenantId, scope.environment, slug, memberId, destination, status, expiresAt],
  );
  return { id: row?.id ?? '', slug, memberId };
}

export interface StoredClick {
  id: string;
  link_id: string | null;
  code_id: string | null;
  member_id: string;
  kind: string;
  clicked_at: Date;
  ip_hash: Buffer | null;
  referrer_host: string | null;
  customer_external_id: string | null;
  [column: string]: unknown;
}

/** In the order in which they came. */
export function clicksOf({ database }: TestApp, { tenantId, environment }: Scope): Promise<StoredClick[]> {
  return database.asSuperuser<StoredClick>('select * from referral_click where tenant_id = $1 and environment = $2 order by id', [
    tenantId,
    environment,
  ]);
}
