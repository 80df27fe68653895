/** What every operators' command has: a session, --json, and how its answer is printed. */
import type { Command } from 'commander';
import { type CliSession, withSession } from './cli-session.ts';
import { house, tenants as tenantsHandle } from './features.ts';
import type { CommandLine, Output } from './house/commands.ts';
import { type Handle, sealedOf } from './house/house.ts';

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

/** The command line, as a feature sees it. */
export function commandLine<Offers>(program: Command, feature: Handle<Offers>): CommandLine<Offers> {
  return {
    group(name, description) {
      return program.commands.find((known) => known.name() === name) ?? program.command(name).description(description);
    },
    command: (parent, nameAndArguments, description, run, options) =>
      command(
        parent,
        nameAndArguments,
        description,
        (session, given, argument) =>
          run(
            {
              config: session.config,
              offers: async () => (await session.composition()).offer(feature),
              frames: async () => (await session.composition()).frames,
              workerFrames: async () => (await session.composition()).background.frames,
              admin: () => session.admin(),
              tenantsOf: (tenantId) => tenantsOf(session, tenantId),
              sealed: sealedOf(house),
            },
            given as never,
            argument,
          ),
        options,
      ),
  };
}

async function tenantsOf(session: CliSession, tenantId: string | undefined): Promise<string[]> {
  const { tenants } = (await session.composition()).offer(tenantsHandle);
  if (tenantId === undefined) return tenants.listIds(session.admin());
  if (!(await tenants.exists(tenantId))) throw new Error(`there is no tenant ${tenantId}`);
  return [tenantId];
}
