import { snakeList } from '../../http/pagination.ts';
import { type Route, route } from '../../http/route.ts';
import {
  createReferralCode,
  getReferralCode,
  listReferralCodes,
  type ReferralCodeAnswer,
  resolveReferralCode,
  updateReferralCode,
} from './codes-operations.ts';
import type { ReferralCode } from './codes-queries.ts';
import type { ReferralCodesService } from './codes-service.ts';

export function referralCodesRoutes(codes: ReferralCodesService): Route[] {
  const body = (code: ReferralCode) => ({ status: 200, body: codeBody(code) });
  return [
    route(
      createReferralCode,
      ({ body: input, ...context }) => codes.createCode(context, input),
      (code) => ({ status: 201, body: codeBody(code), headers: { Location: `/api/v1/referrals/codes/${code.id}` } }),
    ),
    route(listReferralCodes, ({ query, ...context }) => codes.listCodes(context, query), snakeList(codeBody)),
    route(getReferralCode, ({ params, ...context }) => codes.readCode(context, params.code_id), body),
    route(updateReferralCode, ({ params, body: input, ...context }) => codes.updateCode(context, params.code_id, input), body),
    route(
      resolveReferralCode,
      ({ query, ...context }) => codes.resolveCode(context, query.referral_code),
      ({ code, codeId, memberId, name, isActive, canRecruit }) => ({
        status: 200,
        body: { referral_code: code, code_id: codeId, user_id: memberId, name, is_active: isActive, can_recruit: canRecruit },
      }),
    ),
  ];
}

function codeBody(code: ReferralCode): ReferralCodeAnswer {
  return {
    id: code.id,
    user_id: code.memberId,
    code: code.code,
    status: code.status,
    is_default: code.isDefault,
    created_at: code.createdAt,
    updated_at: code.updatedAt,
  };
}
