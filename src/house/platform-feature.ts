/** What the house itself has of a feature's kind: Idempotency-Keys and the work of the background. */
import { platformAudits } from '../doctor/platform-audits.ts';
import { expireIdempotencyKeys } from '../http/expire-idempotency-keys.ts';
import { idempotencyPersonal } from '../http/idempotency-personal.ts';
import { EXPIRING } from '../http/idempotency-queries.ts';
import { idempotencySealed } from '../http/idempotency-sealed.ts';
import { defineFeature } from './feature.ts';

export const platformFeature = defineFeature({
  name: 'platform',
  audits: platformAudits,
  personal: idempotencyPersonal,
  sealed: idempotencySealed,
  faultPoints: ['idempotency:claimed', 'idempotency:sealed', 'job:claimed', 'job:settled', 'job:committed', 'sweep:handled'],
  tables: ['idempotency_key', 'schema_need'],
  kept: ['idempotency_key', 'schema_need'],
  due: { 'expire-idempotency-keys': [{ table: 'idempotency_key', where: EXPIRING, at: 'expires_at', clock: 'database' }] },
  open: () => ({ offers: {}, sweeps: [expireIdempotencyKeys] }),
});
