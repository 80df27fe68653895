/** The operators' command that verifies what is sealed, of one tenant or all. */
import { Option } from 'commander';
import type { Scope } from '../../db/scope.ts';
import { type CommandLine, ONE_TENANT } from '../../house/commands.ts';
import type { SealsVerification, VerifySeals } from './verify-seals.ts';

export interface LedgerOffers {
  verifySeals: VerifySeals;
}

interface Options {
  tenant?: string;
  environment?: 'live' | 'sandbox';
  routine?: true;
}

export function ledgerCommands({ group, command }: CommandLine<LedgerOffers>): void {
  command<Options>(
    group('ledger', 'the sealed books'),
    'verify',
    'compute the hashes of the sealed ledger and audit log anew; exit code 1 when something is wrong',
    async ({ offers, workerFrames, tenantsOf }, { tenant, environment, routine }) => {
      const { verifySeals } = await offers();
      const frames = await workerFrames();
      const mode = routine ? 'routine' : 'whole';
      const verified: (Scope & SealsVerification)[] = [];
      for (const tenantId of await tenantsOf(tenant)) {
        for (const name of environment ? [environment] : (['live', 'sandbox'] as const)) {
          const scope: Scope = { tenantId, environment: name === 'live' ? 'LIVE' : 'SANDBOX' };
          verified.push({
            ...scope,
            ...(await frames.read(scope, (db) => verifySeals(db, scope, { mode }), { snapshot: true })),
          });
        }
      }
      const ok = verified.every((one) => one.ok);
      return { ok, json: { ok, verified }, text: verified.map(linesOf).join('\n') };
    },
    { needSecrets: true },
  )
    .option(...ONE_TENANT)
    .option('--routine', 'the ledger only from the last block that the daily check has found sound')
    .addOption(new Option('--environment <environment>', 'only this data (default: both)').choices(['live', 'sandbox']));
}

function linesOf({ tenantId, environment, blocks, journals, faults, fromSeq, auditLog }: Scope & SealsVerification): string {
  const told = (what: string, found: readonly object[]): string[] => [
    `${found.length === 0 ? 'ok    ' : 'BROKEN'} ${tenantId} ${environment} ${what}`,
    ...found.map((fault) => `         ${JSON.stringify(fault)}`),
  ];
  const dropped = auditLog.dropped ? `, begins behind block ${auditLog.dropped.seq}` : '';
  const part = fromSeq === null ? 'the whole' : `from block ${fromSeq} on`;
  return [
    ...told(`ledger: ${journals} journals, ${blocks} blocks, ${part}`, faults),
    ...told(`audit log: ${auditLog.entries} entries, ${auditLog.blocks} blocks${dropped}`, auditLog.faults),
  ].join('\n');
}
