/**
 * Operators' commands, as features add them to the command line. What a command needs of the process is given to it:
 * nothing is opened that it does not ask for.
 */
import { type Command, Option } from 'commander';
import type { Config } from '../config.ts';
import type { Frames } from '../db/frame.ts';
import type { Scope, WriteDb } from '../db/scope.ts';
import type { Sealed } from './sealed.ts';

/** What a command prints. */
export interface Output {
  json: unknown;
  text: string;
  /** False ends the process with exit code 1. */
  ok?: boolean;
}

/** What a command runs on. */
export interface CommandProcess<Offers> {
  config: Config;
  /** What the feature offers, once it is open. */
  offers(): Promise<Offers>;
  /** As svc_app. */
  frames(): Promise<Frames>;
  /** As svc_worker. */
  workerFrames(): Promise<Frames>;
  /** Statements across tenants, as svc_admin. Throws when no such role is configured. */
  admin(): Frames;
  /** The tenant that was named, which must exist, or all of them, which needs svc_admin. */
  tenantsOf(tenantId: string | undefined): Promise<string[]>;
  /** What all features have sealed. */
  sealed: readonly Sealed[];
}

export type RunCommand<Offers, Options> = (
  process: CommandProcess<Offers>,
  options: Options,
  argument: string,
) => Promise<Output>;

/** The command line, as one feature sees it. */
export interface CommandLine<Offers> {
  /** The commands of one noun, as `keys`. Features may share it; the first to ask describes it. One that needs nothing of the process may be the command itself. */
  group(name: string, description: string): Command;
  /** Adds a command with --json, which prints its output. */
  command<Options>(
    parent: Command,
    nameAndArguments: string,
    description: string,
    run: RunCommand<Offers, Options>,
    options?: { needSecrets?: boolean },
  ): Command;
}

export const ONE_TENANT = ['--tenant <id>', 'only this tenant (default: all, which needs DATABASE_ADMIN_URL)'] as const;

interface RebuildOptions {
  tenant?: string;
  environment?: 'live' | 'sandbox';
}

/** Adds a command that builds derived rows anew, scope by scope, each in a transaction of its own. */
export function rebuildCommand(
  { command }: CommandLine<unknown>,
  parent: Command,
  description: string,
  what: string,
  rebuild: (db: WriteDb, scope: Scope) => Promise<number>,
): void {
  command<RebuildOptions>(
    parent,
    'rebuild',
    description,
    async (process, options) => {
      const frames = await process.workerFrames();
      const environments = options.environment ? [options.environment] : (['live', 'sandbox'] as const);
      const tenants = await process.tenantsOf(options.tenant);
      const rebuilt: (Scope & { rows: number; ms: number })[] = [];
      for (const tenantId of tenants) {
        for (const name of environments) {
          const scope: Scope = { tenantId, environment: name === 'live' ? 'LIVE' : 'SANDBOX' };
          const started = performance.now();
          const rows = await frames.write(scope, (db) => rebuild(db, scope), { repeatable: true });
          rebuilt.push({ ...scope, rows, ms: Math.round(performance.now() - started) });
        }
      }
      const lines = rebuilt.map(
        ({ tenantId, environment, rows, ms }) => `${tenantId} ${environment}: ${rows} ${what} in ${ms} ms`,
      );
      return { json: { rebuilt }, text: lines.join('\n') };
    },
    { needSecrets: true },
  )
    .option(...ONE_TENANT)
    .addOption(new Option('--environment <environment>', 'only this data (default: both)').choices(['live', 'sandbox']));
}

/** Rows as columns of text. */
export function table(rows: readonly object[]): string {
  if (rows.length === 0) return 'none';
  const columns = Object.keys(rows[0] ?? {});
  const cells = [columns, ...rows.map((row) => Object.values(row).map(cellText))];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  return cells
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cellText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}
