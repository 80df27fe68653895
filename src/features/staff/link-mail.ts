/** Links for one person, by mail: where the deployment sends none, they are handed over. */
import type { Db, Scope } from '../../db/scope.ts';
import type { MailService } from '../mail/mail-service.ts';
import type { MadeLink } from './links.ts';
import type { Role } from './open/roles.ts';

export function mailInvite(
  mail: MailService,
  db: Db,
  scope: Scope,
  { staffId, to, role }: { staffId: string; to: string; role: Role },
  { url, expiresAt }: MadeLink,
): Promise<void> {
  return mail.toPerson(db, peopleScope(scope), {
    kind: 'invite',
    staffId,
    to,
    values: { role, link: url, until: textOf(expiresAt) },
  });
}

export async function mailNewPassword(
  mail: MailService,
  db: Db,
  scope: Scope,
  { staffId, to }: { staffId: string; to: string | null },
  { url, expiresAt }: MadeLink,
): Promise<void> {
  if (to === null) return;
  await mail.toPerson(db, peopleScope(scope), {
    kind: 'new_password',
    staffId,
    to,
    values: { link: url, until: textOf(expiresAt) },
  });
}

/** Of a caller's scope the part that says whose rows they are. */
const peopleScope = ({ tenantId, environment }: Scope): Scope => ({ tenantId, environment });

/** As mails write all times. */
function textOf(instant: Date): string {
  return `${instant.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
