/** Clicks that the tenant tells of: new ones, and whose the others were. Source: docs/specification/attribution.md#clicks. */
import type { z } from 'zod';
import type { ActingScope } from '../../actor.ts';
import type { Frames } from '../../db/frame.ts';
import type { WriteDb } from '../../db/scope.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { ActingContext } from '../../http/operation.ts';
import { recordAudit } from '../audit/audit-service.ts';
import type { recordClick } from './clicks-operations.ts';
import { type ClickSource, clickExists, findSource, insertClick, type RecordedClick, tieClick } from './clicks-queries.ts';
import type { ClickIds } from './open/click-ids.ts';
import { slugOf } from './slugs.ts';
import { type AddressHasher, isBotAgent, referrerHost } from './visitor.ts';

type ClickInput = z.output<(typeof recordClick)['body'] & {}>;

/** A bot's click is none: it has neither id nor time. */
export interface Click extends Omit<RecordedClick, 'clickId' | 'clickedAt'> {
  clickId: string | null;
  clickedAt: Date | null;
  /** False of one that was there before, and of a bot's. */
  recorded: boolean;
}

export interface ClicksService {
  /** VALIDATION_ERROR when what is named is unknown or not in use, STATE_CONFLICT when the click is another customer's. */
  recordClick(context: ActingContext, input: ClickInput): Promise<Click>;
}

interface Deps {
  frames: Frames;
  clickIds: ClickIds;
  hashAddress: AddressHasher;
}

export function createClicksService({ frames, clickIds, hashAddress }: Deps): ClicksService {
  return {
    recordClick({ scope, guard, shape }, input) {
      const { click_id: clickId } = input;
      return clickId == null
        ? frames.write(scope, (db) => record(db, scope, input), { guard, shape })
        : frames.write(scope, (db) => tie(db, scope, clickId, input.customer?.external_id ?? ''), {
            guard,
            shape,
            repeatable: true,
          });
    },
  };

  async function record(db: WriteDb, scope: ActingScope, input: ClickInput): Promise<Click> {
    const { field, source } = sourceOf(input);
    const found = await findSource(db, scope, source);
    if (!found) throw invalidField(field, `names no ${field === 'referral_code' ? 'code' : 'link'} that is in use`);
    if (input.user_agent != null && isBotAgent(input.user_agent)) {
      return { ...found, clickId: null, clickedAt: null, customerExternalId: null, recorded: false };
    }
    const click = await insertClick(db, scope, found, {
      ipHash: hashAddress(scope, input.ip ?? undefined),
      referrerHost: referrerHost(input.referrer ?? undefined),
      customerExternalId: input.customer?.external_id ?? null,
      actor: scope.provenance.actor,
    });
    return { ...click, clickId: clickIds.sign(scope, click.clickId), recorded: true };
  }

  /** Forged, of another tenant or environment, or forgotten: one answer to all. */
  async function tie(db: WriteDb, scope: ActingScope, signed: string, customerExternalId: string): Promise<Click> {
    const opened = clickIds.open(scope, signed);
    if ('fault' in opened) throw unknownClick();
    const tied = await tieClick(db, scope, opened.id, customerExternalId);
    if (tied) {
      await recordAudit(db, scope, {
        action: 'referral_click.tied',
        by: scope.provenance,
        objectKind: 'referral_click',
        objectId: opened.id,
      });
      return { ...tied, clickId: signed, recorded: false };
    }
    if (await clickExists(db, scope, opened.id)) throw new AppError('STATE_CONFLICT', 'The click is of another customer');
    throw unknownClick();
  }
}

const unknownClick = (): AppError => invalidField('click_id', 'names no click of this environment');

function sourceOf(input: ClickInput): { field: string; source: ClickSource } {
  if (input.link_id != null) return { field: 'link_id', source: { linkId: input.link_id } };
  if (input.slug != null) return { field: 'slug', source: { slug: slugOf(input.slug) } };
  return { field: 'referral_code', source: { referralCode: input.referral_code ?? '' } };
}
