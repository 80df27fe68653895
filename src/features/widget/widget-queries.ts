/** Sessions of the widget in SQL. Rows never leave this folder unmapped. */
import { raw, statement } from '../../db/query.ts';
import { ofTenant, sameTenant } from '../../db/tenant-condition.ts';
import { ownTenant, tenantTable } from '../../db/tenant-table.ts';
import { byId, type ExportList, exportList, ofMember, utc } from '../../house/personal.ts';
import type { WidgetScope } from './open/widget-scopes.ts';
import type { WidgetFacts } from './views/view.ts';
import type { WidgetTheme } from './widget-theme.ts';

/** No token of a session is good for longer. */
export const SESSION_HOURS = 12;

const member = tenantTable('member');
const session = tenantTable('widget_session');

/** Whether a member is there and active; it stays so until the end of the transaction. */
export const lockWidgetMember = statement<{ isActive: boolean }, { memberId: string }>('widget_lock_member', ({ memberId }) =>
  member('m').where('m.id', memberId).whereNull('m.erased_at').select('m.is_active as isActive').forShare(),
);

export interface NewSession {
  memberId: string;
  scopes: readonly WidgetScope[];
  allowedOrigins: readonly string[];
  /** As JSON. */
  theme: string;
  createdBy: string;
}

export const insertWidgetSession = statement<{ id: string }, NewSession>(
  'widget_insert_session',
  ({ memberId, scopes, allowedOrigins, theme, createdBy }) =>
    raw(
      `insert into widget_session (tenant_id, environment, member_id, scopes, allowed_origins, theme, created_by, ends_at)
       values (:tenantId, :environment, :memberId, :scopes, :allowedOrigins, :theme::jsonb, :createdBy,
               now() + interval '${SESSION_HOURS} hours')
       returning id`,
      { memberId, scopes, allowedOrigins, theme, createdBy },
    ),
);

export interface NewToken {
  sessionId: string;
  hash: Buffer;
  ttlSeconds: number;
  createdBy: string;
}

/** Of a session that is open. */
export const insertWidgetToken = statement<{ expiresAt: Date }, NewToken>(
  'widget_insert_token',
  ({ sessionId, hash, ttlSeconds, createdBy }) =>
    raw(
      `insert into widget_token (tenant_id, environment, session_id, token_hash, created_by, expires_at)
       select :tenantId, :environment, s.id, :hash, :createdBy, least(s.ends_at, now() + make_interval(secs => :ttlSeconds))
       from widget_session s where ${ofTenant('s')} and s.id = :sessionId
       returning expires_at as "expiresAt"`,
      { sessionId, hash, ttlSeconds, createdBy },
    ),
);

/**
 * That `s`, a row of widget_session, goes on: its member `m` is there and active, was so all the while, and nobody has ended
 * all of its sessions since.
 */
const goesOn = `s.ended_at is null and s.ends_at > now() and m.is_active and m.erased_at is null
  and not exists (select from session_cutoff c where ${ofTenant('c')} and c.member_id = s.member_id and c.ended_at >= s.created_at)
  and not exists (select from member_activity_history h
                  where ${ofTenant('h')} and h.member_id = s.member_id and not h.is_active and h.recorded_at >= s.created_at
                    and h.valid_from <= now())`;

/** Nobody ends it, and its member stays as it is, until the end of the transaction. */
export const lockWidgetSession = statement<{ memberId: string; isOpen: boolean }, { sessionId: string }>(
  'widget_lock_session',
  ({ sessionId }) =>
    raw(
      `select s.member_id as "memberId",
              ${goesOn} as "isOpen"
       from widget_session s join member m on ${sameTenant('m', 's')} and m.id = s.member_id
       where ${ofTenant('s')} and s.id = :sessionId for share`,
      { sessionId },
    ),
);

/** The session, and whether it was open until now. */
export const endSessionRow = statement<{ id: string; memberId: string; wasOpen: boolean }, { sessionId: string }>(
  'widget_end_session',
  ({ sessionId }) =>
    raw(
      `with before as (
         select s.id, s.ended_at from widget_session s where ${ofTenant('s')} and s.id = :sessionId for update)
       update widget_session s set ended_at = coalesce(s.ended_at, now())
       from before where ${ofTenant('s')} and s.id = before.id
       returning s.id, s.member_id as "memberId", before.ended_at is null and s.ends_at > now() as "wasOpen"`,
      { sessionId },
    ),
);

export interface OpenSession {
  memberId: string;
  scopes: WidgetScope[];
  allowedOrigins: string[];
  theme: WidgetTheme;
}

/** A session that is good now: of a member who is there and active. */
export const readOpenSession = statement<OpenSession, { sessionId: string }>('widget_read_session', ({ sessionId }) =>
  session('s')
    .join('member as m', 'm.id', 's.member_id')
    .where('s.id', sessionId)
    .where(raw(goesOn))
    .select({ memberId: 's.member_id', scopes: 's.scopes', allowedOrigins: 's.allowed_origins', theme: 's.theme' }),
);

/** What the frame shows of how its tenant is set up. */
export const readWidgetFacts = statement<WidgetFacts>('widget_read_facts', () =>
  ownTenant().select([
    'default_currency as currency',
    'reporting_time_zone as timeZone',
    raw('scope_clock(:tenantId::uuid, :environment) as now'),
    raw(
      `coalesce((select r.allowed_destination_hosts from referral_settings r where ${ofTenant('r')}), '{}') as "destinationHosts"`,
    ),
    raw(`(select v.downline_visibility from member_settings v where ${ofTenant('v')}) as visibility`),
  ]),
);

/** Of an erased member: its sessions, with their tokens. */
export const eraseWidgetTokens = statement<unknown, { memberId: string }>('widget_erase_tokens', ({ memberId }) =>
  raw(
    `delete from widget_token k using widget_session s
     where ${ofTenant('k')} and ${sameTenant('s', 'k')} and s.id = k.session_id and s.member_id = :memberId`,
    { memberId },
  ),
);
export const eraseWidgetSessions = statement<unknown, { memberId: string }>('widget_erase_sessions', ({ memberId }) =>
  raw(`delete from widget_session s where ${ofTenant('s')} and s.member_id = :memberId`, { memberId }),
);

export const widgetSessionsOfMember: ExportList = exportList(
  'export_widget_sessions',
  byId('s'),
  { id: 's.id', createdAt: utc('s.created_at'), endsAt: utc('s.ends_at'), endedAt: utc('s.ended_at') },
  `widget_session s ${ofMember('s', 'member_id')}`,
);
