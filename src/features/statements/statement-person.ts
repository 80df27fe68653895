/** Whose a document is, as all of them say it. */
import { toLatin } from '../../documents/latin-text.ts';
import type { StatementPerson } from './person-queries.ts';

/** A PDF has Latin letters only; a name in others is left out, for the id says who it is. */
export function personFacts({ tenantName, memberId, email, name, countryCode }: StatementPerson): [string, string][] {
  const facts: [string, string | null][] = [
    ['Paid by', toLatin(tenantName) ?? '(a name not in Latin letters)'],
    ['Member', name === null ? null : (toLatin(name) ?? '(a name not in Latin letters; see the member id)')],
    ['Member id', memberId],
    ['Email', toLatin(email) ?? null],
    ['Country', countryCode],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}
