/**
 * The sweep that digests the ID numbers from before digests were kept, by which equal ones are found.
 * Source: docs/specification/verification.md#flags.
 */
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Scope } from '../../db/scope.ts';
import type { Cipher } from '../../encryption.ts';
import type { Sweep } from '../../jobs/schedule.ts';
import { lockUndigested, storeDigests, type Undigested } from './digest-queries.ts';
import { idNumberPlace } from './open/id-number.ts';
import type { IdentityDigester } from './open/identity-digest.ts';

export const DIGEST_ID_NUMBERS = 'digest-id-numbers';

interface Deps {
  cipher: Cipher;
  digester: IdentityDigester;
  logger: Logger;
}

export function createDigestSweep({ cipher, digester, logger }: Deps): Sweep {
  /** What does not open is equal to none, until the number is set anew: it would be found again and again. */
  function digestOf(scope: Scope, { memberId, countryCode, idNumberSealed }: Undigested): Buffer {
    try {
      const idNumber = cipher.decrypt(idNumberSealed, idNumberPlace(scope, memberId)).toString();
      return digester.digestIdNumber(scope, { countryCode, idNumber }) ?? randomBytes(32);
    } catch {
      logger.warn({ ...scope, memberId }, 'an ID number cannot be opened, and is compared with none');
      return randomBytes(32);
    }
  }

  return {
    name: DIGEST_ID_NUMBERS,
    batchSize: 200,
    async run(db, { tenantId, environment }, limit) {
      const scope = { tenantId, environment };
      const rows = await lockUndigested(db, scope, limit);
      if (rows.length > 0) {
        const ids = rows.map(({ memberId }) => memberId);
        await storeDigests(
          db,
          scope,
          ids,
          rows.map((row) => digestOf(scope, row)),
        );
      }
      return rows.length;
    },
  };
}
