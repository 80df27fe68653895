/** The settings as a document: a form for each group, and beside each secret when it was set. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Drawn, type Html, html, joined } from '../../../pages/html.ts';
import { actor } from '../../../pages/parts/actor.ts';
import { card } from '../../../pages/parts/card.ts';
import { eventsOf } from '../../../pages/parts/events-of.ts';
import { facts } from '../../../pages/parts/facts.ts';
import type { Field } from '../../../pages/parts/form.ts';
import { ago, dateOf } from '../../../pages/parts/time.ts';
import type { listAuditLogs } from '../../audit/audit-log-operations.ts';
import type { listPendingChanges } from '../../pending-changes/pending-changes-operations.ts';
import { homeOf } from '../addresses.ts';
import { amountLines, clearingOf, drawnOf } from './read-settings-form.ts';
import { labelOf, SETTING_FIELDS, SETTING_GROUPS } from './setting-fields.ts';
import type { SettingField, SettingGroup } from './setting-groups.ts';
import { leavesOf, type Settings, valueAt } from './settings-calls.ts';

type Entry = AnswerOf<typeof listAuditLogs>['data'][number];
type Page = Pick<PageContext, 'at' | 'can' | 'form' | 'format' | 'environment' | 'tenant' | 'ownOrigin'>;

export interface SettingsFacts {
  settings: Settings;
  /** Changes of settings, newest first. */
  log: readonly Entry[];
  /** Those that wait for a second person. */
  waiting: AnswerOf<typeof listPendingChanges>['data'];
}

export function drawSettings(page: Page, { settings, log, waiting }: SettingsFacts): PageView {
  const { at, environment, format } = page;
  const guarded = environment === 'LIVE' && valueAt(settings, 'payments.dualControl') === true;
  const last = log[0];
  const columns = SETTING_GROUPS.map(
    (groups) => html`<div class="stack">${groups.map((group) => drawGroup(page, { group, settings, log, guarded }))}</div>`,
  );
  const history =
    page.can('admin:audit') && html`<a class="button" href="${at('/audit', { action: 'settings.updated' })}">History</a>`;
  return {
    lead: html`Of ${environment}, but for currency and time zone.${last && html` Last changed ${ago(format, last.createdAt)} by ${actor(page, last.actor)}.`}`,
    actions: html`<a class="button" href="${at('/pending-changes')}">Waiting changes</a>${history}${eventsOf(page, page.tenant.id, { type: 'settings.changed' })}`,
    body: html`${waitingNotice(page, waiting)}${guarded && html`<p class="muted settings-note">Dual control is on: what weakens a safeguard waits until another person confirms it. What only tightens holds at once.</p>`}<div class="settings">${columns}</div>${othersOf(settings)}`,
  };
}

function waitingNotice({ at }: Page, waiting: SettingsFacts['waiting']): Html | false {
  if (waiting.length === 0) return false;
  const fields = [...new Set(waiting.flatMap((change) => change.fields.map(({ field }) => labelOf(field))))];
  const what = waiting.length === 1 ? 'A change waits' : `${waiting.length} changes wait`;
  return html`<div class="notice notice-waiting"><p>${what} for a second person: ${joined(fields, ', ')}. <a href="${at('/pending-changes')}">Look at it</a></p></div>`;
}

interface GroupParts {
  group: SettingGroup;
  settings: Settings;
  log: readonly Entry[];
  guarded: boolean;
}

function drawGroup(page: Page, { group, settings, log, guarded }: GroupParts): Html {
  const { key, title, lead, shared, ofOwners, above, fields } = group;
  if ((shared || ofOwners) && page.environment !== 'LIVE') {
    const live = homeOf(page.tenant.slug, 'LIVE');
    const list = shared && factsOf(group, settings);
    const where = html`<p class="muted">This is changed <a href="${live}/settings">in LIVE</a>.</p>`;
    return card({ id: key, title, lead, body: html`${list}${where}` });
  }
  if (ofOwners && !page.can('admin:staff')) {
    const body = html`${factsOf(group, settings)}<p class="muted">An owner changes this.</p>`;
    return card({ id: key, title, lead, body });
  }
  const form = page.form('save', {
    key,
    hidden: { group: key, drawn: drawnOf(group, settings) },
    fields: fields.flatMap((field) => fieldsOf(page, { field, settings, log, guarded })),
    submit: 'Keep the changes',
  });
  return card({ id: key, title, lead, body: html`${above?.(page)}${form}` });
}

function factsOf({ fields }: SettingGroup, settings: Settings): Html {
  return facts(fields.map(({ path, label }) => ({ name: label, value: shownValue(valueAt(settings, path)) })));
}

/** Of a secret whether there is one. */
function shownValue(value: unknown): Drawn {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object' && value !== null) return valueAt(value, 'set') === true ? 'set' : 'not set';
  return value === null || value === undefined ? undefined : html`<bdi class="breaks">${textOf(value)}</bdi>`;
}

interface FieldParts {
  field: SettingField;
  settings: Settings;
  log: readonly Entry[];
  guarded: boolean;
}

function fieldsOf(page: Page, { field, settings, log, guarded }: FieldParts): Field[] {
  const { path: name, label, kind } = field;
  const value = valueAt(settings, name);
  const hint = hintOf([field.hint, guarded && field.waits]);
  const base = { name, label, hint };
  switch (kind.as) {
    case 'switch':
      return [{ ...base, type: 'checkbox', value: value === true }];
    case 'choice':
      return [{ ...base, type: 'radio', value: String(value), choices: kind.choices }];
    case 'choices':
      return [{ ...base, type: 'checkboxes', value: Array.isArray(value) ? value.map(String) : [], choices: kind.choices }];
    case 'list':
      return [{ ...base, type: 'textarea', value: Array.isArray(value) ? value.join('\n') : '', mono: true }];
    case 'amounts':
      return [{ ...base, type: 'textarea', value: amountLines(value), mono: true, placeholder: 'EUR 5000' }];
    case 'number':
      return [{ ...base, type: 'number', value: numberOf(value), required: field.clears !== true, inputmode: 'numeric' }];
    case 'secret':
    case 'secrets':
      return secretFields(page, { field, value, log, guarded });
    default:
      return [{ ...base, value: textOf(value), required: field.clears !== true, mono: kind.as === 'code' }];
  }
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** It is typed and never drawn; beside it stands when it was set, and what takes it away. */
function secretFields(page: Page, { field, value, log, guarded }: Omit<FieldParts, 'settings'> & { value: unknown }): Field[] {
  const { path, label } = field;
  const isSet = valueAt(value, 'set') === true || Number(valueAt(value, 'count') ?? 0) > 0;
  const count = valueAt(value, 'count');
  const several = isSet && typeof count === 'number' ? html`${count} are set` : undefined;
  const state = isSet ? html`${several ?? 'Set'}${setOn(page, path, log)}. Leave it empty to keep it.` : 'Not set.';
  const input: Field = {
    name: path,
    label,
    type: 'password',
    hint: hintOf([state, field.hint, guarded && isSet && field.waits]),
    autocomplete: 'new-password',
  };
  return isSet ? [input, { name: clearingOf(field), label: `Take ${label.toLowerCase()} away`, type: 'checkbox' }] : [input];
}

/** As the audit log tells, where the reader may read it. */
function setOn(page: Page, path: string, log: readonly Entry[]): Drawn {
  const entry = log.find(({ details }) => {
    const { fields } = details;
    return Array.isArray(fields) && fields.includes(path);
  });
  return entry && html` on ${dateOf(page.format, entry.createdAt)} by ${actor(page, entry.actor)}`;
}

function hintOf(parts: readonly Drawn[]): Html | false {
  const said = parts.filter((part) => part !== undefined && part !== false);
  return said.length > 0 && joined(said, ' ');
}

/** What the service has and this page has no words for. */
function othersOf(settings: Settings): Html | false {
  const known = new Set(['updatedAt', ...SETTING_FIELDS.map(({ path }) => path)]);
  const others = leavesOf(settings).filter((path) => !known.has(path));
  if (others.length === 0) return false;
  const list = facts(
    others.map((path) => ({ name: path, value: html`<code>${JSON.stringify(valueAt(settings, path))}</code>` })),
  );
  return card({ title: 'Further settings', lead: 'They are changed by PATCH /api/v1/admin/settings.', body: list });
}
