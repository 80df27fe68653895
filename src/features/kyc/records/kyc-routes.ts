import { type Route, route } from '../../../http/route.ts';
import type { KycService } from '../kyc-service.ts';
import { getKyc, startKyc } from './kyc-operations.ts';

export function kycRoutes(kyc: KycService): Route[] {
  return [
    route(startKyc, ({ params, body: _none, ...context }) => kyc.start(context, params.userId)),
    route(getKyc, ({ params, ...context }) => kyc.read(context, params.userId)),
  ];
}
