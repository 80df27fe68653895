/** The operator's commands of changes that wait: the operator is another pair of hands than all keys of a tenant. */
import { byOperator } from '../../actor.ts';
import { type CommandLine, table } from '../../house/commands.ts';
import type { Caller } from '../../http/operation.ts';
import type { ConfirmChange } from './confirm-change.ts';
import type { PendingChange } from './open/pending-change.ts';
import type { PendingChangesService } from './pending-changes-service.ts';

interface Offers {
  changes: Pick<PendingChangesService, 'list' | 'reject'> & { confirm: ConfirmChange };
}

interface OfTenant {
  tenant: string;
}

const MOST = 100;
const TENANT = ['--tenant <id>', 'tenant id'] as const;

/** Changes wait in LIVE alone. The operator is no key, and may do all that keys may. */
const operatorOf = (tenantId: string, command: string): Caller => ({
  tenantId,
  environment: 'LIVE',
  rights: ['*', 'admin:staff'],
  root: 'operator',
  provenance: byOperator(command),
});

const contextOf = (tenantId: string, command: string) => ({
  scope: operatorOf(tenantId, command),
  guard: undefined,
  shape: undefined,
});

export function pendingChangesCommands({ group, command }: CommandLine<Offers>): void {
  const pending = group('pending-changes', 'changes that wait for another pair of hands');

  command<OfTenant & { all?: true }>(
    pending,
    'list',
    'list changes of a tenant in LIVE, newest first',
    async ({ offers }, { tenant, all }) => {
      const { changes } = await offers();
      const query = { limit: MOST, ...(all ? {} : { status: 'open' as const }) };
      const { rows } = await changes.list(contextOf(tenant, 'pending-changes list'), query);
      return { json: rows, text: table(rows.map(lineOf)) };
    },
    { needSecrets: true },
  )
    .requiredOption(...TENANT)
    .option('--all', 'those too that are over (default: open ones)');

  command<OfTenant>(
    pending,
    'confirm <id>',
    'confirm a change, which takes effect at once',
    async ({ offers }, { tenant }, id) => {
      const { changes } = await offers();
      const origin = { ip: '', userAgent: null };
      const confirmed = await changes.confirm({ ...contextOf(tenant, 'pending-changes confirm'), origin }, id);
      return { json: confirmed, text: `Change ${confirmed.id} ${confirmed.status}` };
    },
    { needSecrets: true },
  ).requiredOption(...TENANT);

  command<OfTenant & { reason?: string }>(
    pending,
    'reject <id>',
    'reject a change',
    async ({ offers }, { tenant, reason }, id) => {
      const { changes } = await offers();
      const rejected = await changes.reject(contextOf(tenant, 'pending-changes reject'), id, reason ?? null);
      return { json: rejected, text: `Change ${rejected.id} ${rejected.status}` };
    },
    { needSecrets: true },
  )
    .requiredOption(...TENANT)
    .option('--reason <text>', 'why, kept with the change');
}

function lineOf({ id, operationId, status, fields, createdBy, createdAt, expiresAt }: PendingChange) {
  const by = createdBy.name ?? createdBy.id;
  const changed = fields.map(({ field, direction, from, to }) => `${field} (${direction}: ${shown(from)} to ${shown(to)})`);
  return { id, operationId, status, by, createdAt, expiresAt, fields: changed.join('; ') };
}

const shown = (value: unknown): string => JSON.stringify(value ?? null);
