/** The operators' commands of people. */
import { Option } from 'commander';
import { type CommandLine, table } from '../../house/commands.ts';
import { ROLES } from './open/roles.ts';
import type { StaffOperator } from './operator-service.ts';

interface OfTenant {
  tenant: string;
}

const TENANT = ['--tenant <id>', 'tenant id'] as const;

export function staffCommands({ group, command }: CommandLine<{ operator: StaffOperator }>): void {
  const staff = group('staff', 'people of a tenant');

  command<OfTenant & { role: string; email?: string }>(
    staff,
    'invite',
    'make a link by which a person joins; without an email whoever holds it joins as an owner',
    async ({ offers, tenantsOf }, { tenant, role, email }) => {
      const { operator } = await offers();
      const [tenantId = tenant] = await tenantsOf(tenant);
      const { url, expiresAt } = await operator.invite(tenantId, { role, email });
      return { json: { link: url, expiresAt }, text: `${url}\nIt can be used once, until ${expiresAt.toISOString()}.` };
    },
    { needSecrets: true },
  )
    .requiredOption(...TENANT)
    .addOption(new Option('--role <role>', 'what the person may do').choices([...ROLES]).makeOptionMandatory())
    .option('--email <address>', 'whose the link is');

  command<OfTenant>(
    staff,
    'list',
    'list the people of a tenant',
    async ({ offers, tenantsOf }, { tenant }) => {
      const { operator } = await offers();
      const [tenantId = tenant] = await tenantsOf(tenant);
      const people = await operator.list(tenantId);
      const rows = people.map(({ id, name, email, role, state, factors, lastSignedInAt }) => ({
        id,
        name,
        email,
        role,
        state,
        factors,
        lastSignedInAt,
      }));
      return { json: rows, text: table(rows) };
    },
    { needSecrets: true },
  ).requiredOption(...TENANT);

  command<OfTenant>(
    staff,
    'disable <email>',
    'disable a person; its sessions end on every instance within a second',
    async ({ offers }, { tenant }, email) => {
      const { operator } = await offers();
      await operator.disable(tenant, email);
      return { json: { email, state: 'disabled' }, text: `${email} is disabled` };
    },
    { needSecrets: true },
  ).requiredOption(...TENANT);

  command<OfTenant>(
    staff,
    'reset-password-link <email>',
    'make a link by which a person chooses a new password; its use ends all sessions of the person',
    async ({ offers }, { tenant }, email) => {
      const { operator } = await offers();
      const { url, expiresAt } = await operator.resetPassword(tenant, email);
      return { json: { link: url, expiresAt }, text: `${url}\nIt can be used once, until ${expiresAt.toISOString()}.` };
    },
    { needSecrets: true },
  ).requiredOption(...TENANT);

  command<OfTenant>(
    staff,
    'end-sessions <email>',
    'end all sessions of a person, on every instance within a second',
    async ({ offers }, { tenant }, email) => {
      const { operator } = await offers();
      const ended = await operator.endSessions(tenant, email);
      return { json: { email, ended }, text: `${ended} sessions of ${email} ended` };
    },
    { needSecrets: true },
  ).requiredOption(...TENANT);
}
