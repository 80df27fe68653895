/** Rules of referral codes. Source: docs/specification/attribution.md#codes. */
import type { z } from 'zod';
import type { ActingScope } from '../../actor.ts';
import type { Frames } from '../../db/frame.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { AppError, limitReached } from '../../errors.ts';
import type { CallContext, RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import { recordAudit } from '../audit/audit-service.ts';
import { drawReferralCode } from '../users/open/referral-code.ts';
import type { createReferralCode, listReferralCodes, updateReferralCode } from './codes-operations.ts';
import {
  changeCode,
  codeStatement,
  demoteDefault,
  insertCode,
  listCodesStatement,
  type ReferralCode,
  type ResolvedCode,
  resolveCodeStatement,
} from './codes-queries.ts';
import { hasAllCodes } from './limits-queries.ts';
import { referralsErrors } from './open/referrals-errors.ts';
import { lockOwnerOfCode } from './owner-queries.ts';
import { requireOwner } from './require-owner.ts';

type Create = z.output<(typeof createReferralCode)['body'] & {}>;
type List = z.output<(typeof listReferralCodes)['query'] & {}>;
type Update = z.output<(typeof updateReferralCode)['body'] & {}>;

export interface ReferralCodesService {
  /** CODE_TAKEN, LIMIT_REACHED; VALIDATION_ERROR for an unknown member, STATE_CONFLICT for an erased one, FORBIDDEN for another than the token's. */
  createCode(context: CallContext, input: Create): Promise<ReferralCode>;
  /** FORBIDDEN. */
  listCodes(context: CallContext, query: List): Promise<Page<ReferralCode>>;
  /** NOT_FOUND. */
  readCode(context: CallContext, id: string): Promise<ReferralCode>;
  /** NOT_FOUND, STATE_CONFLICT. */
  updateCode(context: CallContext, id: string, input: Update): Promise<ReferralCode>;
  /** NOT_FOUND. */
  resolveCode(context: RequestContext, code: string): Promise<ResolvedCode>;
}

const MAX_DRAWS = 5;

interface Deps {
  frames: Frames;
  cursors: Cursors;
  /** That a member may have. */
  maxCodes: number;
}

export function createReferralCodesService({ frames, cursors, maxCodes }: Deps): ReferralCodesService {
  return {
    createCode: ({ scope, guard, shape }, { user_id: memberId, code, is_default: isDefault }) =>
      frames.write(
        scope,
        async (db) => {
          // In this order: the count sees what the wait for the lock was for.
          const [, isFull] = await Promise.all([
            requireOwner(db, scope, memberId),
            hasAllCodes(db, scope, { memberId, limit: maxCodes }),
          ]);
          if (isFull) throw limitReached('referral codes', maxCodes);
          if (isDefault === true) await demoteDefault(db, scope, memberId);
          const fresh = { memberId, isDefault: isDefault === true };
          const inserted = await (code == null ? insertDrawn(db, scope, fresh) : insertCode(db, scope, { ...fresh, code }));
          if (!inserted) throw new AppError(referralsErrors.CODE_TAKEN, 'A member has this referral code, or had it');
          await noteChange(db, scope, inserted.id, { action: 'referral_code.created', memberId, isDefault: fresh.isDefault });
          return inserted;
        },
        { guard, shape },
      ),

    async listCodes({ scope }, { limit, cursor, user_id: userId, status }) {
      const filters = { memberId: userId, status };
      const list = { scope, operationId: 'listReferralCodes', filters };
      const afterId = cursors.open(cursor, list);
      const rows = await frames.readOnce(scope, listCodesStatement(scope, filters, afterId, limit + 1));
      return cursors.page(rows, limit, list, (code) => code.id);
    },

    async readCode({ scope }, id) {
      const [code] = await frames.readOnce(scope, codeStatement(scope, id, scope.member?.memberId));
      if (!code) throw unknownCode();
      return code;
    },

    updateCode: ({ scope, guard, shape }, id, input) =>
      frames.write(
        scope,
        async (db) => {
          // In this order: the second sees what the wait for the lock was for.
          const [, code] = await Promise.all([
            lockOwnerOfCode(db, scope, id),
            db.row(codeStatement(scope, id, scope.member?.memberId)),
          ]);
          if (!code) throw unknownCode();
          refuseChange(code, input);
          const next = { id, status: input.status ?? code.status, isDefault: input.is_default ?? code.isDefault };
          if (next.status === code.status && next.isDefault === code.isDefault) return code;
          if (next.isDefault) await demoteDefault(db, scope, code.memberId);
          const fields = [
            ...(next.status === code.status ? [] : ['status']),
            ...(next.isDefault === code.isDefault ? [] : ['is_default']),
          ];
          await noteChange(db, scope, id, { action: 'referral_code.updated', memberId: code.memberId, fields });
          return changeCode(db, scope, next);
        },
        { guard, shape, repeatable: true },
      ),

    async resolveCode({ scope }, code) {
      const [found] = await frames.readOnce(scope, resolveCodeStatement(scope, code));
      if (!found) throw unknownCode();
      return found;
    },
  };
}

/** Without the code, which may be a name. */
function noteChange(
  db: Db,
  scope: ActingScope,
  id: string,
  { action, ...details }: { action: string; memberId: string; isDefault?: boolean; fields?: string[] },
): Promise<void> {
  return recordAudit(db, scope, { action, by: scope.provenance, objectKind: 'referral_code', objectId: id, details });
}

async function insertDrawn(db: Db, scope: Scope, fresh: Pick<ReferralCode, 'memberId' | 'isDefault'>): Promise<ReferralCode> {
  for (let draw = 1; draw <= MAX_DRAWS; draw++) {
    const inserted = await insertCode(db, scope, { ...fresh, code: drawReferralCode() });
    if (inserted) return inserted;
  }
  throw new Error('every referral code that was drawn is taken');
}

function refuseChange(code: ReferralCode, { status, is_default: isDefault }: Update): void {
  if (code.status === 'retired' && status === 'active') {
    throw new AppError('STATE_CONFLICT', 'A retired referral code never returns');
  }
  if (code.isDefault && (status === 'retired' || isDefault === false)) {
    throw new AppError('STATE_CONFLICT', 'Make another referral code the default one first');
  }
  if (isDefault === true && (status ?? code.status) === 'retired') {
    throw new AppError('STATE_CONFLICT', 'A retired referral code cannot be the default one');
  }
}

function unknownCode(): AppError {
  return new AppError('NOT_FOUND', 'No such referral code');
}
