/** Referral codes and links, the redirect that follows them, and the clicks it records. */
import { z } from 'zod';
import { defineFeature } from '../../house/feature.ts';
import { clicksRoutes } from './clicks-routes.ts';
import { createClicksService } from './clicks-service.ts';
import { referralCodesRoutes } from './codes-routes.ts';
import { createReferralCodesService } from './codes-service.ts';
import { CLICK_DAYS, createForgetClicks, FORGET_CLICKS } from './forget-clicks.ts';
import { referralLinksRoutes } from './links-routes.ts';
import { createReferralLinksService } from './links-service.ts';
import { type ClickIds, createClickIds } from './open/click-ids.ts';
import { referralsErrors } from './open/referrals-errors.ts';
import { redirectsRoutes } from './redirect-routes.ts';
import { createRedirectService } from './redirect-service.ts';
import { createReferralSettingsPart } from './referral-settings-part.ts';
import { referralSettingsDeclaration } from './referral-settings-schemas.ts';
import { referralsPersonal } from './referrals-personal.ts';
import { createAddressHasher } from './visitor.ts';

export interface ReferralsOffers {
  clickIds: ClickIds;
}

export const referralsFeature = defineFeature({
  name: 'referrals',
  errors: referralsErrors,
  settings: referralSettingsDeclaration,
  personal: referralsPersonal,
  scopes: {
    'referrals:read': 'Read referral codes, links and attributions',
    'referrals:write': 'Change referral codes and links, and record clicks',
  },
  groups: { Referrals: 'Codes, links, clicks, and the receipts of attributions' },
  env: {
    RATE_LIMIT_REDIRECTS: z.coerce
      .number()
      .int()
      .positive()
      .default(120)
      .describe('Links followed per window and client address'),
    MEMBER_MAX_CODES: z.coerce
      .number()
      .int()
      .positive()
      .default(100)
      .describe('Referral codes that a member may have, retired ones among them'),
    MEMBER_MAX_LINKS: z.coerce.number().int().positive().default(1_000).describe('Referral links that a member may have'),
    CLICK_RETENTION_DAYS: z.coerce
      .number()
      .int()
      .min(30)
      .max(36_500)
      .default(CLICK_DAYS)
      .describe('Days that clicks are kept, at least 30; a click that is forgotten credits nobody, whatever the window'),
  },
  constraints: {
    erased_code_pkey: { error: referralsErrors.CODE_TAKEN, message: 'A member has this referral code, or had it' },
  },
  growsWith: 'members',
  tables: ['referral_click', 'referral_link', 'referral_code', 'erased_code', 'link_tag', 'link_slug', 'referral_settings'],
  kept: ['link_tag', 'link_slug', 'referral_settings'],
  due: {
    [FORGET_CLICKS]: [
      {
        table: 'referral_click',
        at: 'uuid_extract_timestamp(id)',
        orderedBy: 'id',
        keptDays: CLICK_DAYS,
        clock: 'database',
      },
    ],
  },
  open({ frames, cursors, pepper, ownAddress, rateLimits, env }) {
    const clickIds = createClickIds(pepper);
    const parts = { frames, clickIds, hashAddress: createAddressHasher(pepper) };
    const countRedirect = rateLimits.byAddress({ name: 'redirect', limit: env.RATE_LIMIT_REDIRECTS });
    return {
      offers: { clickIds } satisfies ReferralsOffers,
      settings: createReferralSettingsPart(),
      routes: [
        // First: in a request that does so little, trying all other paths would be a good part.
        ...redirectsRoutes(createRedirectService(parts), countRedirect),
        ...referralCodesRoutes(createReferralCodesService({ frames, cursors, maxCodes: env.MEMBER_MAX_CODES })),
        ...referralLinksRoutes(
          createReferralLinksService({ frames, cursors, ownAddress: ownAddress.url, maxLinks: env.MEMBER_MAX_LINKS }),
        ),
        ...clicksRoutes(createClicksService(parts)),
      ],
      sweeps: [createForgetClicks(env.CLICK_RETENTION_DAYS)],
    };
  },
});
