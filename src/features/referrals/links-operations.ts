/** The public contract of referral links. Source: docs/specification/attribution.md#links. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { pageQuery, snakeListOf } from '../../http/pagination.ts';
import { instant, text, timestamp, uuid } from '../../http/schemas.ts';
import { LINK_SORTS, MOST_LISTED_CLICKS } from './link-sorts.ts';
import { referralsErrors } from './open/referrals-errors.ts';
import { ownSlug } from './slugs.ts';

const linkStatus = z
  .enum(['active', 'disabled'])
  .meta({ id: 'ReferralLinkStatus', description: '`active`; `disabled`: it leads on and credits nobody' });

const referralLink = z
  .object({
    id: uuid.meta({ description: 'Id' }),
    slug: z.string().meta({ description: 'Last part of the link' }),
    url: z.string().meta({ description: 'What the member hands out: it leads to `destination_url`' }),
    user_id: uuid.meta({ description: 'The member whose it is' }),
    destination_url: z.string().meta({ description: 'Where the link leads' }),
    name: z.string().nullable().meta({ description: "Name for the member's own list; null: none" }),
    status: linkStatus.meta({ description: '`active`, or `disabled`: it leads on and credits nobody' }),
    expires_at: timestamp.nullable().meta({ description: 'From then on it leads nowhere; null: never' }),
    created_at: timestamp.meta({ description: 'When it was made' }),
    updated_at: timestamp.meta({ description: 'When it last changed' }),
  })
  .meta({ id: 'ReferralLink' });

export type ReferralLinkAnswer = z.input<typeof referralLink>;

const countedLink = referralLink
  .extend({
    click_count: z.int().meta({
      description: 'Without bots, and without pages that a browser fetched ahead; 1,000,000 stands for as many or more',
    }),
    last_clicked_at: timestamp.nullable().meta({ description: 'Last click that counted; null: none yet' }),
  })
  .meta({ id: 'CountedReferralLink' });

const listedLink = referralLink
  .extend({
    click_count: z
      .int()
      .optional()
      .meta({
        description: `With \`with=clicks\`, as in the link alone; ${MOST_LISTED_CLICKS.toLocaleString('en')} stands for as many or more`,
      }),
    last_clicked_at: timestamp.nullable().optional().meta({ description: 'With `with=clicks`' }),
  })
  .meta({ id: 'ListedReferralLink' });

export type ListedLinkAnswer = z.input<typeof listedLink>;

export const MAX_DESTINATION_LENGTH = 2048;

/** Only that there is one: it is read as browsers read it, spaces and all scripts, and the service says where it may lead. */
const destinationUrl = text(MAX_DESTINATION_LENGTH).meta({
  description: 'An https:// address on one of the hosts of `referrals.allowedDestinationHosts` in the settings',
});

const linkParams = z.strictObject({ link_id: uuid });

export const createReferralLink = defineOperation({
  method: 'post',
  path: '/api/v1/referrals/links',
  operationId: 'createReferralLink',
  group: 'Referrals',
  summary: 'Make a link that credits a member',
  description:
    '`destination_url` is kept as browsers write it. Until the settings name a host, no link can be made. A member that is erased gets none. A member may have 1,000 that are not deleted, unless the deployment says otherwise: one more is 422 `LIMIT_REACHED`.',
  scope: 'referrals:write',
  member: 'own',
  body: z
    .strictObject({
      user_id: uuid.meta({ description: 'The member whose link it is' }),
      destination_url: destinationUrl.meta({ description: 'Where the link leads' }),
      slug: ownSlug.nullish().meta({
        description:
          "The last part of the address, of one's own choice: lower-case letters, digits and single hyphens. It is unique among all links of the service, in both environments, and never free again. Default one that is drawn",
      }),
      name: text(255).nullish().meta({ description: 'For the tenant and the member, not shown to visitors' }),
      expires_at: instant.nullish().meta({ description: 'In the future; default never' }),
    })
    .meta({
      example: {
        user_id: '0198c5a2-3d4e-7f60-8a1b-2c3d4e5f6071',
        destination_url: 'https://shop.example/spring?color=green',
        name: 'Spring flyer',
      },
    }),
  success: [{ status: 201, meaning: 'Created' }],
  response: referralLink,
  errors: [referralsErrors.CODE_TAKEN, 'STATE_CONFLICT', 'LIMIT_REACHED'],
});

export const listReferralLinks = defineOperation({
  method: 'get',
  path: '/api/v1/referrals/links',
  operationId: 'listReferralLinks',
  group: 'Referrals',
  summary: 'List links, oldest first unless sorted',
  scope: 'referrals:read',
  member: 'own',
  query: z.strictObject({
    user_id: uuid.optional().meta({ description: 'The member whose link it is' }),
    status: linkStatus.optional().meta({ description: '`active`, or `disabled`: it leads on and credits nobody' }),
    sort: z.enum(LINK_SORTS).optional().meta({ description: '`created_at`: the oldest first; `-created_at`: the newest' }),
    with: z.enum(['clicks']).optional().meta({ description: 'Each link with its `click_count` and `last_clicked_at`' }),
    ...pageQuery,
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: snakeListOf(listedLink),
  errors: [],
});

export const getReferralLink = defineOperation({
  method: 'get',
  path: '/api/v1/referrals/links/{link_id}',
  operationId: 'getReferralLink',
  group: 'Referrals',
  summary: 'Get a link, with its clicks counted',
  scope: 'referrals:read',
  member: 'own',
  params: linkParams,
  success: [{ status: 200, meaning: 'The link' }],
  response: countedLink,
  errors: ['NOT_FOUND'],
});

export const updateReferralLink = defineOperation({
  method: 'patch',
  path: '/api/v1/referrals/links/{link_id}',
  operationId: 'updateReferralLink',
  group: 'Referrals',
  summary: 'Change a link',
  description: 'Its address stays: what was printed leads to the new destination. A `disabled` link leads nowhere.',
  scope: 'referrals:write',
  member: 'own',
  params: linkParams,
  body: z
    .strictObject({
      destination_url: destinationUrl.optional().meta({ description: 'Where the link leads' }),
      name: text(255).nullish().meta({ description: "Name for the member's own list; null: none" }),
      status: linkStatus.optional().meta({ description: '`active`, or `disabled`: it leads on and credits nobody' }),
      expires_at: instant.nullish().meta({ description: 'In the future; `null`: never' }),
    })
    .refine((body) => Object.values(body).some((value) => value !== undefined), 'must set a field')
    .meta({ example: { status: 'disabled' } }),
  success: [{ status: 200, meaning: 'The link as it is now' }],
  response: referralLink,
  errors: ['NOT_FOUND'],
});

export const deleteReferralLink = defineOperation({
  method: 'delete',
  path: '/api/v1/referrals/links/{link_id}',
  operationId: 'deleteReferralLink',
  group: 'Referrals',
  summary: 'Delete a link',
  description: 'For good: its address leads nowhere and is never given to another link. What its clicks have earned stays.',
  scope: 'referrals:write',
  member: 'own',
  params: linkParams,
  success: [{ status: 200, meaning: 'Deleted' }],
  response: z.object({ id: uuid, deleted: z.literal(true) }),
  errors: ['NOT_FOUND'],
});

export const getReferralLinkQr = defineOperation({
  method: 'get',
  path: '/api/v1/referrals/links/{link_id}/qr',
  operationId: 'getReferralLinkQr',
  group: 'Referrals',
  summary: 'The address of a link as a QR code',
  description: 'An SVG image, dark on white with the margin that readers need; it scales to any size.',
  scope: 'referrals:read',
  member: 'own',
  params: linkParams,
  success: [{ status: 200, meaning: 'The image' }],
  response: z.string().meta({ description: 'An SVG image' }),
  produces: 'image/svg+xml',
  errors: ['NOT_FOUND'],
});
