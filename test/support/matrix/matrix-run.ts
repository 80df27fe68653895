/** One operation called as one principal, with every reference naming every kind of object. */
import { randomUUID } from 'node:crypto';
import { type Operation, takesIdempotencyKey } from '../../../src/http/operation.ts';
import { type CallAnswer, call, withValueAt } from '../app/http-call.ts';
import { digestRows } from '../database/walls.ts';
import type { Principal } from './matrix-principals.ts';
import type { Expected, MatrixRequest, MatrixRow, Reference } from './matrix-row.ts';
import { findLeak, reachOf, type Side, type World } from './matrix-world.ts';
import { callAsOwner } from './person-call.ts';

/** Counts over one run, for the report. */
export const tally = { cells: 0 };

type Variant = 'own' | 'other environment' | 'other tenant' | 'other tenant and environment' | 'absent' | 'malformed';
const FOREIGN: Variant[] = ['other environment', 'other tenant', 'other tenant and environment', 'absent'];

interface PlantedKey {
  side: Side;
  key: string;
  request: MatrixRequest;
  answer: CallAnswer;
}

const valuesForRefusals = new WeakMap<Reference, Promise<[Variant, string][]>>();
const keysForRefusals = new WeakMap<MatrixRow, PlantedKey[]>();

export class MatrixRun {
  readonly faults: string[] = [];
  private readonly world: World;
  private readonly operation: Operation;
  private readonly row: MatrixRow;
  private readonly principal: Principal;
  private readonly side: Side | undefined;
  /** Where the requests of a principal without a side are aimed. */
  private readonly ground: Side;
  /** The member whose good token comes with the key. */
  private readonly memberId: string | undefined;
  private bearer: string | undefined;

  constructor(world: World, operation: Operation, row: MatrixRow, principal: Principal) {
    this.world = world;
    this.operation = operation;
    this.row = row;
    this.principal = principal;
    this.side = principal.side?.(world);
    const ground = this.side ?? world.sides[0];
    if (!ground) throw new Error('the world has no sides');
    this.ground = ground;
    this.memberId = principal.member?.(ground);
  }

  /** Everything is made first, so that afterwards no row of another side may have changed. */
  async go(): Promise<void> {
    if (this.row.open) return this.goOpen();
    if (this.isPersons()) await this.refuseKey();
    const cells = await this.prepare();
    const keys = takesIdempotencyKey(this.operation) ? await this.plantKeys() : [];
    const ownRequest = await this.request();
    const keyRequests = await Promise.all([...keys, undefined].map(() => this.request()));
    // Behind what was made, which may have ended sessions.
    this.bearer = await this.principal.token?.(this.world);
    const before = await digestRows(this.world.app.database, this.side);
    const own = await this.send(ownRequest);
    this.judge('own request', own, this.expected({ status: this.usualStatus() }, ownRequest));
    const refusals = [own.answer];
    for (const { reference, requests } of cells) {
      const foreign: Sent[] = [];
      for (const [variant, request] of requests) {
        const sent = await this.send(request);
        const allowed = expectedOf(
          reference,
          variant,
          this.memberId === undefined ? undefined : { side: this.ground, memberId: this.memberId },
        );
        this.judge(`${reference.at}, ${variant}`, sent, this.expected(allowed, request, variant));
        await this.readBack(`${reference.at}, ${variant}`, sent, this.principal.refusal ? undefined : allowed);
        refusals.push(sent.answer);
        if (FOREIGN.includes(variant)) foreign.push(sent);
      }
      this.same(reference.at, foreign.map(comparable));
    }
    if (this.principal.refusal) this.same('refusals', refusals.map(exact));
    await this.nameEachMember(ownRequest);
    if (keys.length > 0) await this.useKeys(keys, keyRequests);
    if ((await digestRows(this.world.app.database, this.side)) !== before) this.faults.push('rows of another side have changed');
  }

  /** Whether an owner of the side calls, and no key. */
  private isPersons(): boolean {
    return this.operation.people === true && this.side !== undefined && this.memberId === undefined;
  }

  /** The side's key, which has every scope that a key can have. */
  private async refuseKey(): Promise<void> {
    const request = this.row.request(this.ground);
    const answer = await call(this.world.app.baseUrl, {
      method: this.operation.method.toUpperCase(),
      target: targetOf(this.operation, request),
      headers: { 'x-tenant-api-key': this.ground.key },
      body: request.body,
    });
    const { code } = (answer.json ?? {}) as { code?: string };
    if (answer.status !== 403 || code !== 'FORBIDDEN') this.faults.push(`a key reaches it: ${answer.status} ${answer.text}`);
  }

  /** Whoever calls: a key, good or bad, means nothing here. */
  private async goOpen(): Promise<void> {
    const { answer } = await this.send(await this.request());
    tally.cells += 1;
    if (answer.status !== this.row.status)
      this.faults.push(`expected status ${this.row.status}: ${answer.status} ${answer.text}`);
  }

  /** What the principal is answered where an allowed one is answered `allowed`. */
  private expected(allowed: Expected, request: MatrixRequest, variant?: Variant): Expected {
    if (this.principal.refusal) return this.principal.refusal;
    if (this.isPersons() && this.ground.environment === 'SANDBOX') return { status: 403, code: 'ENVIRONMENT_MISMATCH' };
    if (this.memberId !== undefined) {
      const forbidden = { status: 403, code: 'FORBIDDEN' };
      if (!this.operation.member) return forbidden;
      if (variant !== 'malformed' && !this.reaches(request)) return forbidden;
    }
    // Whoever is named: nothing is looked up there.
    const mismatch = this.row.sandboxOnly === true && this.side?.environment === 'LIVE' && allowed.status !== 400;
    return mismatch || (this.isBarred() && allowed.status < 300) ? { status: 403, code: 'ENVIRONMENT_MISMATCH' } : allowed;
  }

  /** Stands in the SANDBOX before an operation of LIVE alone. */
  private isBarred(): boolean {
    return this.row.liveOnly === true && this.side?.environment === 'SANDBOX';
  }

  private usualStatus(): number {
    const { status, memberStatus = status } = this.row;
    if (this.memberId === undefined) return status;
    return typeof memberStatus === 'number' ? memberStatus : memberStatus(this.ground, this.memberId);
  }

  /** Whether the member's token is good for whom the path names. */
  private reaches({ path = {} }: MatrixRequest): boolean {
    const memberId = this.memberId ?? '';
    const below = reachOf(this.ground, memberId);
    const near = this.operation.member === 'downline' ? below : [memberId];
    const { userId, targetUserId } = path;
    return (userId === undefined || near.includes(userId)) && (targetUserId === undefined || below.includes(targetUserId));
  }

  /** A member's token, with every member of the side in each place of the path. */
  private async nameEachMember(own: MatrixRequest): Promise<void> {
    if (this.memberId === undefined || !this.operation.member) return;
    const { root, child, grandchild, sibling } = this.ground;
    for (const field of ['userId', 'targetUserId'].filter((name) => own.path?.[name] !== undefined)) {
      for (const { id } of [root, child, grandchild, sibling]) {
        const request: MatrixRequest = withValueAt(own, `path.${field}`, id);
        this.judge(`${field} ${id}`, await this.send(request), this.expected({ status: this.usualStatus() }, request));
      }
    }
  }

  private async prepare(): Promise<{ reference: Reference; requests: [Variant, MatrixRequest][] }[]> {
    const cells = [];
    for (const reference of this.row.references) {
      const requests: [Variant, MatrixRequest][] = [];
      for (const [variant, value] of await this.values(reference)) {
        const base = reference.within?.(this.ground) ?? (await this.request());
        requests.push([variant, withValueAt(base, reference.at, value)]);
      }
      cells.push({ reference, requests });
    }
    return cells;
  }

  /** A valid request of one's own; it may make the object it acts on. */
  private async request(): Promise<MatrixRequest> {
    return (await this.row.fresh?.(this.ground, this.world)) ?? this.row.request(this.ground);
  }

  /** A refused principal changes nothing, so all of them may be tried on the same objects. */
  private values(reference: Reference): Promise<[Variant, string][]> {
    if (!this.principal.refusal) return this.newValues(reference);
    const known = valuesForRefusals.get(reference) ?? this.newValues(reference);
    valuesForRefusals.set(reference, known);
    return known;
  }

  private async newValues(reference: Reference): Promise<[Variant, string][]> {
    const { tenantId, environment } = this.ground;
    const on = (sameTenant: boolean, sameEnvironment: boolean): Side => {
      const found = this.world.sides.find(
        (side) => (side.tenantId === tenantId) === sameTenant && (side.environment === environment) === sameEnvironment,
      );
      if (!found) throw new Error('a side is missing');
      return found;
    };
    const object = (side: Side) => reference.object(this.world, side);
    return [
      ['own', await object(this.ground)],
      ['other environment', await object(on(true, false))],
      ['other tenant', await object(on(false, true))],
      ['other tenant and environment', await object(on(false, false))],
      ['absent', reference.absent()],
      ['malformed', reference.malformed],
    ];
  }

  private async send(request: MatrixRequest, extra: Record<string, string> = {}): Promise<Sent> {
    const key = this.side?.key ?? this.principal.key?.(this.world, this.operation);
    const headers: Record<string, string> = { ...extra };
    if (key !== undefined) headers['x-tenant-api-key'] = key;
    if (this.bearer !== undefined) headers['authorization'] = `Bearer ${this.bearer}`;
    if (this.principal.claims) headers['x-environment'] = this.principal.claims;
    const target = targetOf(this.operation, request);
    const answer = this.isPersons()
      ? await callAsOwner(this.world.app, this.ground, this.operation, request, {
          idempotencyKey: extra['idempotency-key'],
        })
      : await call(this.world.app.baseUrl, {
          method: this.operation.method.toUpperCase(),
          target,
          headers,
          body: request.body,
          csv: request.csv,
        });
    return {
      answer,
      sent: decodeURIComponent(target) + JSON.stringify(request.body ?? {}) + (request.csv ?? '') + JSON.stringify(extra),
    };
  }

  private judge(cell: string, { answer, sent }: Sent, expected: Expected): void {
    tally.cells += 1;
    const fault = (what: string) => this.faults.push(`${cell}: ${what}: ${answer.status} ${answer.text.slice(0, 300)}`);
    const body = (answer.json ?? {}) as Record<string, unknown>;
    if (answer.status !== expected.status) fault(`expected status ${expected.status}`);
    if (expected.code !== undefined && body['code'] !== expected.code) fault(`expected code ${expected.code}`);
    if (expected.check && !expected.check(body, this.ground)) fault('the body is not as expected');
    const environment = this.side?.environment ?? this.principal.refusal?.environment;
    if (answer.headers.get('x-environment') !== environment) fault(`X-Environment is ${answer.headers.get('x-environment')}`);
    if (!/^[\w.-]{8,}$/.test(answer.headers.get('x-request-id') ?? '')) fault('X-Request-Id is missing');
    const leak = findLeak(this.world, this.side, sent, answer.text + JSON.stringify([...answer.headers]));
    if (leak !== undefined) fault(`shows ${leak}`);
  }

  /** Reads what a write made, as the same principal. */
  private async readBack(cell: string, { answer, sent }: Sent, expected: Expected | undefined): Promise<void> {
    if (!this.row.readBack || !this.side || answer.status >= 300) return;
    const target = this.row.readBack(answer.json as Record<string, unknown>);
    const read = await call(this.world.app.baseUrl, { method: 'GET', target, headers: { 'x-tenant-api-key': this.side.key } });
    this.judge(`${cell}, read back`, { answer: read, sent }, { status: 200 });
    if (expected?.shows && !expected.shows(read.json as Record<string, unknown>)) {
      this.faults.push(`${cell}, read back: not as expected: ${read.text.slice(0, 300)}`);
    }
  }

  /** A key is one side's own: used elsewhere it is a fresh key, on its own side a replay. */
  private async useKeys(planted: PlantedKey[], requests: MatrixRequest[]): Promise<void> {
    for (const [index, { side, key, request, answer: first }] of planted.entries()) {
      const own = side === this.side && first.status < 300; // a refusal is not stored
      const used = own ? request : (requests[index] ?? {});
      const sent = await this.send(used, { 'idempotency-key': key });
      // The tenant's own request is not its member's.
      const theTenants = own && this.memberId !== undefined;
      const allowed = theTenants ? { status: 422, code: 'IDEMPOTENCY_KEY_REUSED' } : { status: this.usualStatus() };
      this.judge(`Idempotency-Key of ${side.name}`, sent, this.expected(allowed, used));
      if (this.memberId !== undefined) continue;
      const replayed = sent.answer.headers.get('idempotent-replayed') === 'true';
      if (replayed !== own) this.faults.push(`Idempotency-Key of ${side.name}: replayed ${replayed}`);
      if (own && sent.answer.text !== this.stored(first)) this.faults.push('a replay differs from its first answer');
    }
    const last = requests.at(-1) ?? {};
    const malformed = await this.send(last, { 'idempotency-key': 'x'.repeat(256) });
    this.judge('Idempotency-Key, malformed', malformed, this.expected({ status: 400, code: 'VALIDATION_ERROR' }, last));
  }

  /** A replay: what was answered first, with null in the place of secrets. */
  private stored({ text, json }: CallAnswer): string {
    const { secrets = [] } = this.operation;
    if (secrets.length === 0) return text;
    return JSON.stringify({ ...(json as object), ...Object.fromEntries(secrets.map((field) => [field, null])) });
  }

  private async plantKeys(): Promise<PlantedKey[]> {
    const known = this.principal.refusal && keysForRefusals.get(this.row);
    if (known) return known;
    const planted: PlantedKey[] = [];
    for (const side of this.world.sides) {
      const planter = new MatrixRun(this.world, this.operation, this.row, { name: 'planter', side: () => side });
      const request = await planter.request();
      const key = randomUUID();
      const { answer } = await planter.send(request, { 'idempotency-key': key });
      planted.push({ side, key, request, answer });
    }
    if (this.principal.refusal) keysForRefusals.set(this.row, planted);
    return planted;
  }

  private same(what: string, answers: string[]): void {
    const different = answers.find((answer) => answer !== answers[0]);
    if (different !== undefined) this.faults.push(`${what}: not one answer:\n${answers[0]}\n${different}`);
  }
}

/** The path of a request with what it names. */
export function targetOf(operation: Operation, request: MatrixRequest): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(request.path?.[name] ?? ''));
  const query = new URLSearchParams(request.query ?? {}).toString();
  return query === '' ? path : `${path}?${query}`;
}

interface Sent {
  answer: CallAnswer;
  sent: string;
}

function expectedOf(reference: Reference, variant: Variant, who: { side: Side; memberId: string } | undefined): Expected {
  if (variant === 'malformed') return { status: 400, code: 'VALIDATION_ERROR' };
  const { member } = reference;
  if (who && member) return typeof member === 'function' ? member({ ...who, own: variant === 'own' }) : member;
  if (variant === 'own') return reference.own;
  return reference.foreign;
}

const VOLATILE_HEADERS = /^(date|x-request-id|x-ratelimit-(remaining|reset)|connection|keep-alive)$/;

/** Status, headers and body to the byte, save what differs between any two requests. */
function exact({ status, headers, text }: CallAnswer): string {
  const kept = [...headers].filter(([name]) => !VOLATILE_HEADERS.test(name));
  return JSON.stringify([status, kept, text]);
}

/** A refusal to the byte; of a success, which names new things, all but ids, times, codes and what was sent. */
function comparable({ answer, sent }: Sent): string {
  if (answer.status >= 300) return exact(answer);
  const values = [...sent.matchAll(/"([^"]{6,})"/g)].map((match) => match[1] ?? '');
  const body = values
    .reduce((text, value) => text.replaceAll(value, 'SENT'), answer.text)
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/("referral_code":)"[2-9A-Z]{10}"/g, '$1"CODE"')
    .replace(/("link":)"[^"]+"/g, '$1"LINK"');
  return JSON.stringify([answer.status, body]);
}
