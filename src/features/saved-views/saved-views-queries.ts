/** Saved views in SQL. Rows never leave this folder unmapped. */
import type { NamedActor } from '../../actor.ts';
import { raw, statement } from '../../db/query.ts';
import { ofTenant, sameTenant } from '../../db/tenant-condition.ts';
import { namedActor } from '../audit/open/named-actor.ts';

export interface SavedView {
  id: string;
  name: string;
  page: string;
  query: Record<string, string>;
  shared: boolean;
  own: boolean;
  createdBy: NamedActor;
  createdAt: Date;
  updatedAt: Date;
}

const shown = (view: string): string =>
  `${view}.id, ${view}.name, ${view}.page, ${view}.query, ${view}.shared, ${view}.owner = :owner as own,
   ${namedActor(`${view}.created_by`)} as "createdBy", ${view}.created_at as "createdAt", ${view}.updated_at as "updatedAt"`;

/** Own and shared ones, of a page where one is given. */
export const listViews = statement<SavedView, { owner: string; page: string | null }>('saved_views_list', ({ owner, page }) =>
  raw(
    `select ${shown('v')} from saved_view v
     where ${ofTenant('v')} and (v.owner = :owner or v.shared) and (:page::text is null or v.page = :page)
     order by v.page, lower(v.name), v.id`,
    { owner, page },
  ),
);

export interface NewView {
  owner: string;
  name: string;
  page: string;
  /** As JSON. */
  query: string;
  shared: boolean;
  createdBy: string;
  /** That an owner may have. */
  most: number;
}

/** Replaces the owner's of the same page and name. No row: the owner has all that it may have. */
export const saveViewRow = statement<SavedView, NewView>(
  'saved_views_save',
  ({ owner, name, page, query, shared, createdBy, most }) =>
    raw(
      `insert into saved_view as v (tenant_id, environment, owner, name, page, query, shared, created_by)
       select :tenantId, :environment, :owner, :name, :page, :query::jsonb, :shared, :createdBy
       where (select count(*) from saved_view o where ${ofTenant('o')} and o.owner = :owner) < :most
         or exists (select from saved_view o
                    where ${ofTenant('o')} and o.owner = :owner and o.page = :page and o.name = :name)
       on conflict (tenant_id, environment, owner, page, name) do update
         set query = excluded.query, shared = excluded.shared, updated_at = now()
       returning ${shown('v')}`,
      { owner, name, page, query, shared, createdBy, most },
    ),
);

/** No row where there is none that the owner may delete. */
export const deleteView = statement<{ id: string; page: string }, { id: string; owner: string; anyShared: boolean }>(
  'saved_views_delete',
  ({ id, owner, anyShared }) =>
    raw(
      `delete from saved_view v
       where ${ofTenant('v')} and v.id = :id and (v.owner = :owner or (v.shared and :anyShared))
       returning v.id, v.page`,
      { id, owner, anyShared },
    ),
);

/** Filters that search: what stands there may be a part of a name. */
const SEARCHES = "('q', 'name', 'email')";
/** Shorter words stand in too many others. */
const SHORTEST = 3;

/** Those that name the member: by id, address, name or external id, or search for a part of its name or an address. */
export const forgetViewsNaming = statement<unknown, { memberId: string; emails: readonly string[] }>(
  'saved_views_forget_member',
  ({ memberId, emails }) =>
    raw(
      `delete from saved_view v
       using (
         select lower(m.external_id) as external_id, array_remove(
           array[m.id::text, m.name_norm, lower(p.given_name || ' ' || p.surname)] || :emails::text[], null) as words
         from member m left join member_profile p on ${sameTenant('p', 'm')} and p.member_id = m.id
         where ${ofTenant('m')} and m.id = :memberId) who
       where ${ofTenant('v')} and (
         exists (select from unnest(who.words) w(word)
                 where length(w.word) >= ${SHORTEST} and (
                   strpos(lower(v.name), w.word) > 0 or strpos(v.page, w.word) > 0
                   or exists (select from jsonb_each_text(v.query) f
                              where strpos(lower(f.value), w.word) > 0
                                 or f.key in ${SEARCHES} and length(f.value) >= ${SHORTEST} and strpos(w.word, lower(f.value)) > 0)))
         or exists (select from jsonb_each_text(v.query) f where lower(f.value) = who.external_id))`,
      { memberId, emails },
    ),
);
