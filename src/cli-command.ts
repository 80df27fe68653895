/** What every operators' command has: a session, --json, and how its answer is printed. */
import type { Command } from 'commander';
import { type CliSession, withSession } from './cli-session.ts';

export interface Output {
  json: unknown;
  text: string;
  /** False ends the process with exit code 1. */
  ok?: boolean;
}

/** Adds --json, opens the session, prints the output. */
export function command<Options>(
  parent: Command,
  nameAndArguments: string,
  description: string,
  run: (session: CliSession, options: Options, argument: string) => Promise<Output>,
  { needSecrets = false } = {},
): Command {
  return parent
    .command(nameAndArguments)
    .description(description)
    .option('--json', 'print one JSON value')
    .action(async (...parameters: unknown[]) => {
      const self = parameters.at(-1) as Command;
      const output = await withSession({ needSecrets }, (session) => run(session, self.opts() as Options, self.args[0] ?? ''));
      process.stdout.write(self.opts()['json'] ? `${JSON.stringify(output.json)}\n` : `${output.text}\n`);
      if (output.ok === false) process.exitCode = 1;
    });
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
