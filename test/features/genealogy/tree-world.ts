/** A tenant's SANDBOX and its plain model side by side: each change is made in both and must be answered alike. */

import { expect } from 'vitest';
import { foldPending, lockFold } from '../../../src/features/genealogy/downline-counts-queries.ts';
import { rebuildDownline } from '../../../src/features/genealogy/fold-downline.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { AUDITS } from '../../support/app/examine-books.ts';
import type { TestApp } from '../../support/app/test-app.ts';
import { ModelDownline, type ModelMember } from '../../support/tree/model-downline.ts';
import { ModelTree } from '../../support/tree/model-tree.ts';

/** By every change whose time is not given: later than any that is. */
const AFTER_ALL = Date.UTC(2100, 0, 1);

interface WorldMember extends ModelMember {
  activity: { at: number; isActive: boolean }[];
}

export class TreeWorld {
  readonly client: ApiClient;
  readonly members: WorldMember[] = [];
  readonly tree = new ModelTree([]);
  readonly model = new ModelDownline(this.tree, this.members);
  private readonly app: TestApp;
  private readonly scope: { tenantId: string; environment: 'SANDBOX' };
  private undated = AFTER_ALL;

  constructor(app: TestApp, tenantId: string, sandboxKey: string) {
    this.app = app;
    this.client = apiClient(app, sandboxKey);
    this.scope = { tenantId, environment: 'SANDBOX' };
  }

  /** A drawn number as a member. */
  pick(drawn: number): number {
    return drawn % this.members.length;
  }

  idOf(member: number): string {
    return this.members[member]?.id ?? '';
  }

  async create(sponsor: number | null, isActive: boolean): Promise<void> {
    const tier = ['ORDINARY', 'SENIOR', 'MANAGER', 'DIRECTOR'][this.members.length % 4];
    const name = this.members.length % 3 === 0 ? `"Ö" ${this.members.length}` : null;
    const made = await this.client.newMember({
      is_active: isActive,
      membership_tier: tier,
      name,
      ...(sponsor === null ? {} : { parent_id: this.idOf(sponsor) }),
    });
    const { id, email, membership_tier, created_at } = made as typeof made & { created_at: string };
    const activity = [{ at: Number.NEGATIVE_INFINITY, isActive }];
    this.members.push({ id, email, name, tier: membership_tier, joinedAt: created_at, isActive, activity });
    this.tree.add(sponsor);
  }

  /** `at` null: now. */
  async move(member: number, sponsor: number | null, at: number | null): Promise<void> {
    const answer = await this.client.post(`/api/v1/members/${this.idOf(member)}/sponsor`, {
      sponsorId: sponsor === null ? null : this.idOf(sponsor),
      ...(at === null ? {} : { effectiveAt: new Date(at).toISOString() }),
    });
    const present = this.tree.sponsorAt(member, Number.POSITIVE_INFINITY);
    const stays = at === null && present === sponsor;
    const moved = stays || this.tree.move({ member, sponsor, at: at ?? this.undated++ });
    expect(answer.status, answer.text).toBe(moved ? 200 : 409);
    if (!moved) return;
    const size = this.tree.downlineAt(member, Number.POSITIVE_INFINITY).length;
    expect(answer.body.downlineMoved).toBe(this.tree.sponsorAt(member, Number.POSITIVE_INFINITY) === present ? 0 : size);
  }

  async setActive(member: number, isActive: boolean, at: number | null): Promise<void> {
    const answer = await this.client.patch(`/api/v1/users/${this.idOf(member)}`, {
      is_active: isActive,
      ...(at === null ? {} : { effective_at: new Date(at).toISOString() }),
    });
    const one = this.members[member];
    if (!one) throw new Error(`no member ${member}`);
    if (at !== null || isActive !== one.isActive) {
      one.activity.push({ at: at ?? this.undated++, isActive });
      one.isActive = one.activity.toSorted((a, b) => a.at - b.at).at(-1)?.isActive ?? true;
    }
    expect([answer.status, answer.body.is_active]).toEqual([200, one.isActive]);
  }

  /** `rows` null: all that is pending, as the worker does it; else the oldest few, as a full batch of it would. */
  async fold(rows: number | null): Promise<void> {
    const { tenantId, environment } = this.scope;
    if (rows === null) {
      await this.app.runSweep('fold-downline', this.scope);
      return;
    }
    await this.app.composition.background.frames.write(this.scope, async (db) => {
      await db.row(lockFold({ tenantId, environment }));
      await db.row(foldPending({ tenantId, environment }, { batch: rows }));
    });
  }

  async rebuild(by: 'api' | 'worker'): Promise<void> {
    const { frames, background } = this.app.composition;
    const counted = await (by === 'api' ? frames : background.frames).write(this.scope, (db) => rebuildDownline(db, this.scope));
    expect(counted).toBe(this.members.length);
  }

  async reportIn(zone: string): Promise<void> {
    await this.app.database.asSuperuser('update tenant set reporting_time_zone = $2 where id = $1', [this.scope.tenantId, zone]);
  }

  /** What the doctor finds wrong with the counts of this tenant (docs/specification/reliability.md#i-9). */
  async miscounts(): Promise<object[]> {
    const audit = AUDITS.find(({ id }) => id === 'I-9');
    if (!audit) throw new Error('there is no audit of the counts');
    return this.app.database.asSuperuser(`select * from (${audit.sql}) breach where tenant_id = $1`, [this.scope.tenantId]);
  }

  /** Stops the clock some hours from where the month after the next begins, in UTC. Past the API, which would fold. */
  async skipMonths(hours: number): Promise<void> {
    await this.app.database.asSuperuser(
      `insert into sandbox_clock (tenant_id, environment, frozen_at)
       values ($1, 'SANDBOX', date_trunc('month', scope_now($1, 'SANDBOX'), 'UTC') + interval '2 months' + make_interval(hours => $2))
       on conflict (tenant_id, environment) do update set frozen_at = excluded.frozen_at, ahead = null`,
      [this.scope.tenantId, hours],
    );
  }
}
