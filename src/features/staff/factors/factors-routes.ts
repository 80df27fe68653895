import { type Route, route } from '../../../http/route.ts';
import {
  addPasskey,
  askForPasskey,
  beginAuthenticator,
  confirmAuthenticator,
  getOwnFactors,
  makeRecoveryCodes,
  removeAuthenticator,
  removePasskey,
  renamePasskey,
  resetFactors,
} from './factors-operations.ts';
import type { OwnFactorsService } from './own-factors-service.ts';

export function factorsRoutes(own: OwnFactorsService): Route[] {
  return [
    route(getOwnFactors, (context) => own.get(context)),
    route(askForPasskey, (context) => own.askForPasskey(context)),
    route(addPasskey, ({ body, ...context }) => own.addPasskey(context, body)),
    route(renamePasskey, ({ params, body, ...context }) => own.renamePasskey(context, params.passkeyId, body.name)),
    route(removePasskey, ({ params, ...context }) => own.removePasskey(context, params.passkeyId)),
    route(beginAuthenticator, (context) => own.beginAuthenticator(context)),
    route(confirmAuthenticator, ({ body, ...context }) => own.confirmAuthenticator(context, body.code)),
    route(removeAuthenticator, (context) => own.removeAuthenticator(context)),
    route(makeRecoveryCodes, (context) => own.makeRecoveryCodes(context)),
    route(resetFactors, ({ params, ...context }) => own.reset(context, params.staffId)),
  ];
}
