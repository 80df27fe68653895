/** The whole database as text, and the search for a secret in it in whatever form it may have been left. */
import { createHash } from 'node:crypto';
import type { TestDatabase } from './test-database.ts';

/** Every row of every table of ours and of the jobs, as the superuser sees them; bytes are in hexadecimal. */
export async function dumpDatabase({ asSuperuser }: TestDatabase): Promise<string> {
  const tables = await asSuperuser<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'm') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_%' order by 1`,
  );
  const parts: string[] = [];
  for (const { name } of tables) {
    const rows = await asSuperuser<{ line: string }>(`select t::text as line from ${name} t`);
    parts.push(`-- ${name}`, ...rows.map(({ line }) => line));
  }
  return parts.join('\n');
}

const DIGESTS = ['md5', 'sha1', 'sha256', 'sha512'];

/** Base64 of the value wherever it begins in a longer text: of its three alignments the part that is always the same. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const own = text.slice(shift === 0 ? 0 : shift + 1, bytes.length % 3 === (3 - shift) % 3 ? undefined : -1);
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** The forms of a secret that would give it away: plain, in other alphabets, or as a digest that can be guessed. */
export function formsOf(secret: string | Buffer): Map<string, string> {
  const bytes = Buffer.from(secret);
  const forms = new Map<string, string>([
    ['hexadecimal', bytes.toString('hex')],
    ...base64Forms(bytes).map((text, index): [string, string] => [`base64, ${index}`, text]),
    ...DIGESTS.map((name): [string, string] => [name, createHash(name).update(bytes).digest('hex')]),
    ...DIGESTS.map((name): [string, string] => [
      `${name} in base64`,
      createHash(name).update(bytes).digest('base64').slice(0, -2),
    ]),
  ]);
  if (typeof secret !== 'string') return forms;
  const reversed = Array.from(secret).toReversed().join('');
  return forms
    .set('plain', secret)
    .set('backwards', reversed)
    .set('percent-encoded', encodeURIComponent(secret))
    .set('UTF-16', Buffer.from(secret, 'utf16le').toString('hex'));
}

/** The forms in which the secret is found in a text, whatever the case. */
export function findForms(text: string, secret: string | Buffer): string[] {
  const folded = text.toLowerCase();
  return [...formsOf(secret)].filter(([, form]) => folded.includes(form.toLowerCase())).map(([name]) => name);
}
