/** The pages of people: how they are let in, and what each shows by the operations of the API. */
import { z } from 'zod';
import { defineFeature } from '../../house/feature.ts';
import { assets } from '../../pages/assets.ts';
import type { Page } from '../../pages/define-page.ts';
import { policyOf } from '../../pages/policy.ts';
import type { MailOffers } from '../mail/mail-feature.ts';
import type { StaffOffers } from '../staff/staff-feature.ts';
import { assetRoutes } from './asset-routes.ts';
import { createFormTokens } from './form-tokens.ts';
import { mailLinkRoutes } from './mail-link-routes.ts';
import { outsideRoutes } from './outside-routes.ts';
import { createAnswers } from './page-answers.ts';
import { createNotices } from './page-cookies.ts';
import { pageRoutes } from './page-routes.ts';
import { PAGES } from './pages.ts';
import { type People, peopleOf } from './people.ts';
import { signInRoutes } from './sign-in-routes.ts';
import { ssoRoutes } from './sso-routes.ts';
import { createWaiting } from './waiting.ts';

/** A minute, from one address, right or wrong. */
const SENT_ON_THE_WAY_IN = 60;

export const dashboardFeature = defineFeature({
  name: 'dashboard',
  env: {
    RATE_LIMIT_STAFF: z.coerce.number().int().min(1).default(600).describe('Pages of one person per window'),
  },
  open(
    { documents, env, frames, invoke, logger, ownAddress, pepper, places, rateLimits, standIns, house },
    { staff, mail }: { staff: StaffOffers; mail: MailOffers },
  ) {
    const people = (standIns['people'] as People | undefined) ?? peopleOf(staff, frames);
    const policy = policyOf(documents.origin);
    const answers = createAnswers({ assets, policy, logger, constraints: house.constraints });
    const countPerson = rateLimits.bySubject({ name: 'staff', limit: env.RATE_LIMIT_STAFF, what: 'pages' });
    const deps = {
      pages: (standIns['pages'] as readonly Page[] | undefined) ?? PAGES,
      people,
      invoke,
      frames,
      places,
      ownAddress,
      assets,
      policy,
      tokens: createFormTokens(pepper),
      notices: createNotices(pepper),
      answers,
      countPerson,
      countStranger: rateLimits.countOpen,
      countWayIn: rateLimits.byAddress({
        name: 'way-in',
        limit: SENT_ON_THE_WAY_IN,
        alert: 'too many sign-ins sent from one address',
      }),
      waiting: createWaiting({ invoke, logger }),
    };
    return {
      offers: {},
      routes: [
        ...assetRoutes(assets),
        ...ssoRoutes(deps),
        ...mailLinkRoutes({ ...deps, refusals: mail.refusals }),
        ...signInRoutes(deps),
        ...pageRoutes(deps),
        ...outsideRoutes(deps),
      ],
    };
  },
});
