/** The developers' command that forwards events to an address of their own. It asks the API alone, and opens no database. */
import { InvalidArgumentError, Option } from 'commander';
import type { CommandLine } from '../../../house/commands.ts';
import { type ListenOptions, listen } from './listen.ts';

export function listenCommand({ group }: Pick<CommandLine<unknown>, 'group'>): void {
  group('listen', 'forward events to a receiver on this machine, signed, until it is stopped')
    .addOption(new Option('--key <key>', 'an API key with webhooks:read').env('MCR_KEY').makeOptionMandatory())
    .requiredOption('--forward <address>', 'where the events go, as http://localhost:4000/hooks', httpAddress)
    .option('--url <address>', 'of the service', httpAddress, 'http://localhost:3000')
    .option('--from <sequence>', '`now`, or a number: the events behind it come first', sequence, 'now')
    .option('--secret <secret>', 'signs; default: a new one, which is printed', webhookSecret)
    .action((options: ListenOptions) => listen(options, (line) => void process.stdout.write(`${line}\n`)));
}

function httpAddress(text: string): string {
  const { protocol } = URL.canParse(text) ? new URL(text) : { protocol: '' };
  if (protocol !== 'http:' && protocol !== 'https:') throw new InvalidArgumentError('It is no http address.');
  return text;
}

function sequence(text: string): 'now' | number {
  if (text === 'now') return text;
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is neither a number nor `now`.');
  return Number(text);
}

function webhookSecret(text: string): string {
  if (!/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(text)) throw new InvalidArgumentError('It must be whsec_ and base64.');
  return text;
}
