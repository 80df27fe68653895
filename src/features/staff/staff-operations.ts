/** The public contract of people. Source: docs/specification/people.md#people. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { camelListOf, pageQuery } from '../../http/pagination.ts';
import { email, namedActor, text, timestamp, uuid } from '../../http/schemas.ts';
import { pendingChangesErrors } from '../pending-changes/open/pending-changes-errors.ts';
import { whenHeldBack } from '../pending-changes/open/when-held-back.ts';
import { TIE_REASONS } from '../two-hands/open/approval-tie.ts';
import { twoHandsErrors } from '../two-hands/open/two-hands-errors.ts';
import { staffErrors } from './open/staff-errors.ts';
import { inviteResource, personResource, role, sessionResource } from './staff-resources.ts';

const PATH = '/api/v1/admin/staff';
const COMMON = { group: 'Staff', people: true } as const;
const OF_OWNERS = { ...COMMON, scope: 'admin:staff' } as const;
const ONLY_LIVE = 'ENVIRONMENT_MISMATCH';

const link = z.string().nullable().meta({
  description: 'To be handed to the person. It is used once and shown once: null in the repeat of a request',
});

const mailed = z.boolean().meta({ description: 'Whether the link was mailed to the person too' });

const ofPerson = z.strictObject({ staffId: uuid.meta({ description: 'Id of the person' }) });

export const listStaff = defineOperation({
  ...OF_OWNERS,
  method: 'get',
  path: PATH,
  operationId: 'listStaff',
  summary: 'List the people of the tenant, oldest first',
  description: 'Those who are invited, disabled and removed too. People are of the tenant, so this is asked of LIVE.',
  query: z.strictObject(pageQuery),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(personResource),
  errors: [ONLY_LIVE],
});

export const listStaffInvites = defineOperation({
  ...OF_OWNERS,
  method: 'get',
  path: `${PATH}-invites`,
  operationId: 'listStaffInvites',
  summary: 'List invitations, newest first',
  query: z.strictObject(pageQuery),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(inviteResource),
  errors: [ONLY_LIVE],
});

export const inviteStaff = defineOperation({
  ...OF_OWNERS,
  method: 'post',
  path: `${PATH}-invites`,
  operationId: 'inviteStaff',
  summary: 'Invite a person',
  description:
    'The answer has a link to hand over, which can be used once within 72 hours; where the deployment sends mail it is mailed too. Inviting somebody who has not joined yet makes another link and ends the one before. For seven days from joining the person counts as whoever invited it, wherever a second pair of hands is asked for. In LIVE with `payments.dualControl` on, a role that can approve payments waits for a second pair of hands: 202; once that is confirmed, the same request again answers with the link.',
  stepUp: 'always',
  hands: 'by value',
  body: z
    .strictObject({ email: email.meta({ description: 'The address that the person signs in with' }), role })
    .meta({ example: { email: 'dana@example.com', role: 'reviewer' } }),
  success: [{ status: 201, meaning: 'Invited; `link` is shown this once' }, whenHeldBack],
  response: inviteResource.extend({ link, mailed }).meta({ id: 'CreatedStaffInvite' }),
  secrets: ['link'],
  errors: [ONLY_LIVE, staffErrors.STAFF_EXISTS, pendingChangesErrors.CHANGE_PENDING],
});

export const revokeStaffInvite = defineOperation({
  ...OF_OWNERS,
  method: 'delete',
  path: `${PATH}-invites/{inviteId}`,
  operationId: 'revokeStaffInvite',
  summary: 'Take an invitation back',
  description: 'The link stops working, and the person who has not joined is removed. 409 `STATE_CONFLICT` once it was used.',
  hands: 'tightens',
  params: z.strictObject({ inviteId: uuid.meta({ description: 'Id of the invitation' }) }),
  success: [{ status: 200, meaning: 'The invitation as it is now' }],
  response: inviteResource,
  errors: [ONLY_LIVE, 'NOT_FOUND', 'STATE_CONFLICT'],
});

export const listStaffTies = defineOperation({
  ...OF_OWNERS,
  method: 'get',
  path: `${PATH}/ties`,
  operationId: 'listStaffTies',
  summary: 'List who counts as whom, newest first',
  description: 'Of the ties that still count: until their time is over, or a third person confirms.',
  query: z.strictObject(pageQuery),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(
    z
      .object({
        id: uuid.meta({ description: 'Of the tie' }),
        subject: namedActor.meta({ description: 'Who counts as somebody else' }),
        countsAs: namedActor.meta({ description: 'As whom' }),
        reason: z.enum(TIE_REASONS).meta({
          description:
            'What the other did: `made_approver`: gave a role that approves payments; `factor_given`: a way to sign in',
        }),
        createdAt: timestamp.meta({ description: 'Since when it counts' }),
        until: timestamp.meta({ description: 'When it ends, unless confirmed before' }),
      })
      .meta({ id: 'StaffTie' }),
  ),
  errors: [ONLY_LIVE],
});

export const confirmStaffTie = defineOperation({
  ...OF_OWNERS,
  method: 'post',
  path: `${PATH}/ties/{tieId}/confirm`,
  operationId: 'confirmStaffTie',
  summary: 'Confirm that a person has hands of its own',
  description: 'By a third person: neither of the two, nor anybody who counts as one of them.',
  stepUp: 'always',
  hands: 'neutral',
  params: z.strictObject({ tieId: uuid.meta({ description: 'Id of the tie' }) }),
  success: [{ status: 200, meaning: 'Confirmed: it counts no more' }],
  response: z.object({ id: uuid.meta({ description: 'Of the tie' }) }),
  errors: [ONLY_LIVE, 'NOT_FOUND', 'STATE_CONFLICT', twoHandsErrors.SECOND_PERSON_REQUIRED],
});

export const getStaffMember = defineOperation({
  ...OF_OWNERS,
  method: 'get',
  path: `${PATH}/{staffId}`,
  operationId: 'getStaffMember',
  summary: 'Read a person',
  params: ofPerson,
  success: [{ status: 200, meaning: 'The person' }],
  response: personResource,
  errors: [ONLY_LIVE, 'NOT_FOUND'],
});

export const updateStaffMember = defineOperation({
  ...OF_OWNERS,
  method: 'patch',
  path: `${PATH}/{staffId}`,
  operationId: 'updateStaffMember',
  summary: 'Change the name or the role of a person, or disable it',
  description:
    'What is not sent stays. It holds on every instance within a second. A change of the role and disabling end all sessions of the person. One active owner must remain: else 409 `LAST_OWNER`. In LIVE with `payments.dualControl` on, a role that can approve payments, and enabling somebody who has one, wait for a second pair of hands: 202.',
  stepUp: 'always',
  hands: 'by value',
  params: ofPerson,
  body: z
    .strictObject({
      name: text(200).optional().meta({ description: 'Shown where it says who did something' }),
      role: role.optional().meta({ description: 'What the person may do from now on' }),
      disabled: z.boolean().optional().meta({ description: '`true`: the person can sign in no more; `false`: again' }),
    })
    .refine((body) => Object.values(body).some((value) => value !== undefined), 'must set something')
    .meta({ example: { role: 'finance' } }),
  success: [{ status: 200, meaning: 'The person as it is now' }, whenHeldBack],
  response: personResource,
  errors: [ONLY_LIVE, 'NOT_FOUND', 'STATE_CONFLICT', staffErrors.LAST_OWNER, pendingChangesErrors.CHANGE_PENDING],
});

export const removeStaffMember = defineOperation({
  ...OF_OWNERS,
  method: 'delete',
  path: `${PATH}/{staffId}`,
  operationId: 'removeStaffMember',
  summary: 'Remove a person',
  description:
    'For good: the email address, the password, the second factors and the sessions are gone. The name stays where it says who did something. Keys that the person has made go on working. One active owner must remain: else 409 `LAST_OWNER`.',
  stepUp: 'always',
  hands: 'tightens',
  params: ofPerson,
  success: [{ status: 200, meaning: 'The person as it is now' }],
  response: personResource,
  errors: [ONLY_LIVE, 'NOT_FOUND', staffErrors.LAST_OWNER],
});

export const resetStaffPassword = defineOperation({
  ...OF_OWNERS,
  method: 'post',
  path: `${PATH}/{staffId}/password-link`,
  operationId: 'resetStaffPassword',
  summary: 'Make a link by which a person chooses a new password',
  description:
    'It can be used once within an hour, ends all sessions, and takes no second factor away. For seven days from its use the person counts as whoever made the link, wherever a second pair of hands is asked for.',
  stepUp: 'always',
  hands: 'neutral',
  params: ofPerson,
  success: [{ status: 201, meaning: 'Made; `link` is shown this once' }],
  response: z
    .object({
      id: uuid.meta({ description: 'Of the person' }),
      link,
      mailed,
      expiresAt: timestamp.meta({ description: 'When the link stops working' }),
    })
    .meta({ id: 'StaffPasswordLink' }),
  secrets: ['link'],
  errors: [ONLY_LIVE, 'NOT_FOUND', 'STATE_CONFLICT'],
});

export const listStaffSessions = defineOperation({
  ...OF_OWNERS,
  method: 'get',
  path: `${PATH}/{staffId}/sessions`,
  operationId: 'listStaffSessions',
  summary: "List a person's sessions of the last 30 days, newest first",
  params: ofPerson,
  query: z.strictObject(pageQuery),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(sessionResource),
  errors: [ONLY_LIVE, 'NOT_FOUND'],
});

const ended = z.object({ ended: z.int().meta({ description: 'How many were open' }) }).meta({ id: 'EndedStaffSessions' });

export const endStaffSessions = defineOperation({
  ...OF_OWNERS,
  method: 'delete',
  path: `${PATH}/{staffId}/sessions`,
  operationId: 'endStaffSessions',
  summary: 'End all sessions of a person',
  hands: 'tightens',
  withoutFactor: true,
  params: ofPerson,
  success: [{ status: 200, meaning: 'Ended, on every instance within a second' }],
  response: ended,
  errors: [ONLY_LIVE, 'NOT_FOUND'],
});

export const endStaffSession = defineOperation({
  ...OF_OWNERS,
  method: 'delete',
  path: `${PATH}/{staffId}/sessions/{sessionId}`,
  operationId: 'endStaffSession',
  summary: 'End a session of a person',
  hands: 'tightens',
  withoutFactor: true,
  params: z.strictObject({
    staffId: uuid.meta({ description: 'Id of the person' }),
    sessionId: uuid.meta({ description: 'Id of the session' }),
  }),
  success: [{ status: 200, meaning: 'Ended, on every instance within a second' }],
  response: ended,
  errors: [ONLY_LIVE, 'NOT_FOUND'],
});

/** Of whoever is signed in: every role has these. */
const OWN = { ...COMMON, scope: 'any', withoutFactor: true } as const;
const OWN_PATH = '/api/v1/staff/me';

export const getOwnAccount = defineOperation({
  ...OWN,
  method: 'get',
  path: OWN_PATH,
  operationId: 'getOwnAccount',
  summary: 'Read who is signed in',
  success: [{ status: 200, meaning: 'The person' }],
  response: personResource,
  errors: [ONLY_LIVE],
});

export const updateOwnAccount = defineOperation({
  ...OWN,
  method: 'patch',
  path: OWN_PATH,
  operationId: 'updateOwnAccount',
  summary: 'Change your own name',
  hands: 'neutral',
  body: z
    .strictObject({ name: text(200).meta({ description: 'Shown where it says who did something' }) })
    .meta({ example: { name: 'Dana Example' } }),
  success: [{ status: 200, meaning: 'The person as it is now' }],
  response: personResource,
  errors: [ONLY_LIVE],
});

export const changeOwnPassword = defineOperation({
  ...OWN,
  method: 'post',
  path: `${OWN_PATH}/password`,
  operationId: 'changeOwnPassword',
  summary: 'Change your own password',
  description: 'It ends all other sessions. Wrong passwords count as failed sign-ins do.',
  repeats: 'own',
  hands: 'neutral',
  body: z
    .strictObject({
      password: z.string().min(1).max(500).meta({ description: 'The present one' }),
      newPassword: z.string().min(1).max(500).meta({ description: 'The one to sign in with from now on' }),
    })
    .meta({ example: { password: 'the one of before', newPassword: 'a lantern in the harbour' } }),
  success: [{ status: 200, meaning: 'Changed' }],
  response: ended,
  errors: [ONLY_LIVE, 'STATE_CONFLICT', staffErrors.WRONG_PASSWORD],
});

export const listOwnSessions = defineOperation({
  ...OWN,
  method: 'get',
  path: `${OWN_PATH}/sessions`,
  operationId: 'listOwnSessions',
  summary: 'List your own sessions of the last 30 days, newest first',
  query: z.strictObject(pageQuery),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(sessionResource),
  errors: [ONLY_LIVE],
});

export const endOwnSessions = defineOperation({
  ...OWN,
  method: 'post',
  path: `${OWN_PATH}/sessions/end`,
  operationId: 'endOwnSessions',
  summary: 'End your own sessions',
  description:
    '`others`: all but the one in hand; `all`: that one too; `not_me`: all, and the password is taken away: `link` leads to another. That takes a sign-in or a second factor of the last ten minutes: else 401.',
  repeats: 'own',
  hands: 'tightens',
  body: z
    .strictObject({
      which: z
        .enum(['others', 'all', 'not_me'])
        .meta({ description: '`others`: all but this one; `not_me`: all, and the password is taken away' }),
    })
    .meta({ example: { which: 'others' } }),
  success: [{ status: 200, meaning: 'Ended, on every instance within a second' }],
  response: ended.extend({ link }).meta({ id: 'EndedOwnStaffSessions' }),
  errors: [ONLY_LIVE],
});

export const endOwnSession = defineOperation({
  ...OWN,
  method: 'delete',
  path: `${OWN_PATH}/sessions/{sessionId}`,
  operationId: 'endOwnSession',
  summary: 'End one of your own sessions',
  hands: 'tightens',
  params: z.strictObject({ sessionId: uuid.meta({ description: 'Id of the session' }) }),
  success: [{ status: 200, meaning: 'Ended, on every instance within a second' }],
  response: ended,
  errors: [ONLY_LIVE, 'NOT_FOUND'],
});
