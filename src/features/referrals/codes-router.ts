import type { Router } from 'express';
import type { Mount } from '../../http/mount.ts';
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

export function mountReferralCodes(router: Router, mount: Mount, codes: ReferralCodesService): void {
  const body = (code: ReferralCode) => ({ status: 200, body: codeBody(code) });
  mount(
    router,
    createReferralCode,
    ({ body: input, ...context }) => codes.createCode(context, input),
    (code) => ({ status: 201, body: codeBody(code), headers: { Location: `/api/v1/referrals/codes/${code.id}` } }),
  );
  mount(
    router,
    listReferralCodes,
    ({ query, ...context }) => codes.listCodes(context, query),
    ({ rows, nextCursor }) => ({
      status: 200,
      body: { data: rows.map(codeBody), has_more: nextCursor !== null, next_cursor: nextCursor },
    }),
  );
  mount(router, getReferralCode, ({ params, ...context }) => codes.readCode(context, params.code_id), body);
  mount(
    router,
    updateReferralCode,
    ({ params, body: input, ...context }) => codes.updateCode(context, params.code_id, input),
    body,
  );
  mount(
    router,
    resolveReferralCode,
    ({ query, ...context }) => codes.resolveCode(context, query.referral_code),
    ({ code, codeId, memberId, name, isActive, canRecruit }) => ({
      status: 200,
      body: { referral_code: code, code_id: codeId, user_id: memberId, name, is_active: isActive, can_recruit: canRecruit },
    }),
  );
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
