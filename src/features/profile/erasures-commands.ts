/** Erasing again, after a restore, whom the record of erasures names. Source: docs/coming-back.md#erasures. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { byOperator } from '../../actor.ts';
import type { Scope } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import { type CommandLine, table } from '../../house/commands.ts';
import { ERASED, type ErasureService } from './erasure-service.ts';

interface Erasure extends Scope {
  memberId: string;
}

export function erasuresCommands({ group, command }: CommandLine<{ erasure: ErasureService }>): void {
  command<{ record: string }>(
    group('erasures', 'erasures of members, after a restore'),
    'replay',
    "erase again whom the service's log says to be erased, and the database does not",
    async ({ offers }, { record }) => {
      const { erasure } = await offers();
      const counts = { named: 0, erased: 0, unknown: 0 };
      const provenance = byOperator('erasures replay');
      for (const { memberId, tenantId, environment } of await readRecord(record)) {
        counts.named += 1;
        const caller = { tenantId, environment, rights: ['*'], root: 'operator', provenance };
        const context = { scope: caller, guard: undefined, shape: undefined };
        const done = await erasure
          .eraseMember(context, memberId, { reason: null, acknowledgeOwed: true })
          .catch((error: unknown) => {
            if (error instanceof AppError && error.code === 'USER_NOT_FOUND') return undefined;
            throw error;
          });
        counts[done ? 'erased' : 'unknown'] += 1;
      }
      return { json: counts, text: table([counts]) };
    },
    { needSecrets: true },
  ).requiredOption('--record <file>', "lines of the service's log since the backup was made, other lines among them");
}

/** Each member once. What is no such line is passed over: it is a log. */
async function readRecord(file: string): Promise<Erasure[]> {
  const found = new Map<string, Erasure>();
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (!line.includes(ERASED)) continue;
    const { msg, tenantId, environment, memberId } = parsed(line);
    if (msg !== ERASED || typeof tenantId !== 'string' || typeof memberId !== 'string') continue;
    if (environment !== 'LIVE' && environment !== 'SANDBOX') continue;
    found.set(`${tenantId} ${memberId}`, { tenantId, environment, memberId });
  }
  return [...found.values()];
}

function parsed(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return {}; // cut off by the end of the log
  }
}
