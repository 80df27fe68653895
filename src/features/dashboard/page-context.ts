/** What a page gets to work with: bound to who reads it, and noting what it asks for. */
import { randomUUID } from 'node:crypto';
import type { Environment } from '../../db/scope.ts';
import { type Invoke, type Said, urlOf } from '../../http/invoke.ts';
import type { SentFile } from '../../http/multipart.ts';
import type { Caller, Operation, Origin } from '../../http/operation.ts';
import { holdsRight, mayCall } from '../../http/rights.ts';
import { writes } from '../../http/run-operation.ts';
import type { OwnAddress } from '../../own-address.ts';
import type { Need, Page, PageContext, PageTenant, Person } from '../../pages/define-page.ts';
import type { Formats } from '../../pages/format.ts';
import { html } from '../../pages/html.ts';
import { drawForm, type Sent } from '../../pages/parts/form.ts';
import { environmentWord } from './addresses.ts';
import type { FormTokens } from './form-tokens.ts';
import { SECRETS, secretsOf } from './typed-secrets.ts';

/** Who opens a page, and where. */
export interface Visit {
  page: Page;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** The path of the address, without its query. */
  path: string;
  environment: Environment;
  person: Person;
  tenant: PageTenant;
  now: Date;
  format: Formats;
  sessionId: string;
  caller: Caller;
  origin: Origin;
  ownOrigin: string;
  part: string | undefined;
  /** The form that was refused, which is drawn again. */
  refused?: RefusedForm | undefined;
  /** The Idempotency-Key of the form that was sent. */
  idempotencyKey?: string | undefined;
}

export interface RefusedForm extends Sent {
  action: string;
  key: string;
  idempotencyKey: string;
}

/** A write that waits for another pair of hands: the action ends here. */
export class WaitsForAnother extends Error {}

/** What a form of ours has beside its fields. */
export const FORM = { action: '_do', token: '_token', idempotencyKey: '_key', form: '_form' } as const;

export interface OpenContext {
  context: PageContext;
  /** What it has read, as requests to the API. */
  asked: string[];
}

/** Whether a role may; `any` is asked by the operation itself. */
export function mayDo(rights: readonly string[], needs: readonly Need[]): boolean {
  return needs.every((need) => (typeof need === 'string' ? holdsRight({ rights }, need) : mayCall({ rights }, need)));
}

/** The operations that a page has declared. */
export function declaredBy({ needs, uses = [], actions = {} }: Page): Set<string> {
  const all = [...needs, ...uses, ...Object.values(actions).flatMap((action) => [...action.needs, ...(action.uses ?? [])])];
  return new Set(all.flatMap((need) => (typeof need === 'string' ? [] : [need.operationId])));
}

interface ContextDeps {
  invoke: Invoke;
  tokens: FormTokens;
  pages: readonly Page[];
  ownAddress: OwnAddress;
}

export function openContext(visit: Visit, deps: ContextDeps): OpenContext {
  const { page, path, query, environment, tenant, caller, refused } = visit;
  const asked: string[] = [];
  const declared = declaredBy(page);
  const sentKeys = new Map<string, number>();
  const home = `/dashboard/${tenant.slug}/${environmentWord(environment)}`;
  const can = (...needs: readonly Need[]): boolean => mayDo(caller.rights, needs);

  /** One form may do several things: each operation's first has the form's key, its next ones keys made of it. */
  function keyFor({ operationId }: Operation): string | undefined {
    if (visit.idempotencyKey === undefined) return undefined;
    const times = (sentKeys.get(operationId) ?? 0) + 1;
    sentKeys.set(operationId, times);
    return times === 1 ? visit.idempotencyKey : `${visit.idempotencyKey}-${times}`;
  }

  const invoke = async (operation: Operation, said: Said = {}): Promise<unknown> => {
    if (!declared.has(operation.operationId)) throw new Error(`the page ${page.path} does not declare ${operation.operationId}`);
    // What writes nothing is asked anew each time.
    const hasKey = writes(operation) && operation.writesNothing === undefined;
    const idempotencyKey = hasKey ? keyFor(operation) : undefined;
    if (!writes(operation)) asked.push(requestLine(operation, said));
    const answer = await deps.invoke(operation, said, { caller, origin: visit.origin, idempotencyKey });
    if (answer.status === 202 && answer.waiting !== undefined) throw new WaitsForAnother();
    return answer.body;
  };

  async function invokeUpload(operation: Operation, said: Said, file: SentFile): Promise<unknown> {
    if (!declared.has(operation.operationId)) throw new Error(`the page ${page.path} does not declare ${operation.operationId}`);
    const by = { caller, origin: visit.origin, idempotencyKey: keyFor(operation) };
    return (await deps.invoke.upload(operation, said, { ...by, open: (maxBytes) => file.open(maxBytes) })).body;
  }

  async function invokeFile(operation: Operation, said: Said = {}): Promise<unknown> {
    if (!declared.has(operation.operationId)) throw new Error(`the page ${page.path} does not declare ${operation.operationId}`);
    return deps.invoke.file(operation as never, said, { caller, origin: visit.origin });
  }

  const context: PageContext = {
    params: visit.params,
    query,
    environment,
    person: visit.person,
    tenant,
    ownOrigin: visit.ownOrigin,
    now: visit.now,
    format: visit.format,
    part: visit.part,
    can,
    opens(to) {
      // As the routes take it: `/keys/new` is a page of its own and none of `/keys/:keyId`.
      const first = deps.pages.find((one) => fits(one, to));
      return first !== undefined && isOpenIn(first, environment) && can(...first.needs);
    },
    at: (to, more = {}) => withQuery(to === '/' ? home : `${home}${to}`, more),
    here: (more = {}) => withQuery(path, { ...query, ...more }),
    reachable(address) {
      const own = `${deps.ownAddress.url()}/`;
      return address.startsWith(own) ? address.slice(own.length - 1) : address;
    },
    invoke: invoke as PageContext['invoke'],
    invokeIfAllowed: (async (operation: Operation, said?: Said) =>
      can(operation) ? await invoke(operation, said) : undefined) as PageContext['invokeIfAllowed'],
    invokeUpload: invokeUpload as PageContext['invokeUpload'],
    invokeFile: invokeFile as PageContext['invokeFile'],
    form(name, { hidden = {}, key = '', ...look }) {
      const action = page.actions?.[name];
      if (!action) throw new Error(`the page ${page.path} has no action ${name}`);
      if (!can(...action.needs)) return html``;
      const again = refused?.action === name && refused.key === key ? refused : undefined;
      const secrets = secretsOf(look.fields);
      const own = {
        [FORM.action]: name,
        [FORM.form]: key,
        [FORM.token]: deps.tokens.make(visit.sessionId, path, name),
        [FORM.idempotencyKey]: again?.idempotencyKey ?? randomUUID(),
        ...(secrets !== '' && { [SECRETS]: secrets }),
      };
      const id = key === '' ? name : `${name}-${key}`;
      return drawForm({ ...look, id, address: withQuery(path, query), hidden: { ...hidden, ...own }, sent: again });
    },
  };
  return { context, asked };
}

/** Whether a path is one of the page's: `/members/01a2` is one of `/members/:userId`. */
function fits(page: Page, path: string): boolean {
  const parts = page.path.split('/');
  const given = path.split('/');
  return (
    parts.length === given.length && parts.every((part, at) => part === given[at] || (part.startsWith(':') && given[at] !== ''))
  );
}

export function isOpenIn(page: Page, environment: Environment): boolean {
  return page.environments === undefined || page.environments.includes(environment);
}

export function withQuery(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return search === '' ? path : `${path}?${search}`;
}

/** As anybody would send it with a key. */
function requestLine(operation: Operation, { params = {}, query = {} }: Said): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '');
  const url = urlOf(operation, { params, query: Object.fromEntries(given) });
  return `curl -H 'x-tenant-api-key: $KEY' '$URL${url.replaceAll("'", '%27')}'`;
}
