import type { Router } from 'express';
import type { Mount } from '../../http/mount.ts';
import { getKyc, startKyc } from './kyc-operations.ts';
import type { KycService } from './kyc-service.ts';

export function mountKyc(router: Router, mount: Mount, kyc: KycService): void {
  mount(router, startKyc, ({ params, body: _none, ...context }) => kyc.start(context, params.userId));
  mount(router, getKyc, ({ params, ...context }) => kyc.read(context, params.userId));
}
