/** The operators' command of the keys that sign access tokens. */
import type { CommandLine } from '../../house/commands.ts';
import type { SigningKeys } from './signing-keys.ts';

export function authCommands({ group, command }: CommandLine<{ signingKeys: Pick<SigningKeys, 'rotate'> }>): void {
  command(
    group('keys', "the deployment's keys"),
    'rotate-signing',
    'sign access tokens with a new key; the former stays published for a day',
    async ({ offers }) => {
      const kid = await (await offers()).signingKeys.rotate();
      return { json: { kid }, text: `Access tokens are signed with ${kid}, on every instance within a minute` };
    },
    { needSecrets: true },
  );
}
