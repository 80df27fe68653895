/** The second factors of whoever is signed in, and their reset by an owner. */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { text, timestamp, uuid } from '../../../http/schemas.ts';
import { factorsErrors } from './factors-errors.ts';
import { registrationResponse } from './passkey-checks.ts';

const OWN = '/api/v1/staff/me/factors';
const own = { group: 'Staff', scope: 'any', people: true } as const;
const change = { ...own, hands: 'neutral', stepUp: 'by value', withoutFactor: true } as const;
const PERSONS_ONLY = 'Only a person who is signed in may call it; no API key can.';
const BEHIND_A_FACTOR = 'A person who has a second factor must have given it within the last ten minutes.';

const passkey = z
  .object({
    id: uuid.meta({ description: 'Of the passkey' }),
    name: z.string().meta({ description: 'To tell it from others' }),
    transports: z.array(z.string()).meta({ description: 'How the browser reaches it, in words of WebAuthn' }),
    backedUp: z.boolean().meta({ description: 'Whether it is kept by the maker of the device too, and on other devices' }),
    createdAt: timestamp.meta({ description: 'When it was added' }),
    lastUsedAt: timestamp.nullable().meta({ description: 'Null: never' }),
  })
  .meta({ id: 'Passkey' });

const factors = z
  .object({
    passkeys: z.array(passkey).meta({ description: 'All that the person has' }),
    authenticator: z
      .object({ confirmedAt: timestamp.meta({ description: 'When its first code was given' }) })
      .nullable()
      .meta({ description: 'The app that shows codes; null: none' }),
    recoveryCodesLeft: z.int().meta({ description: 'Recovery codes that were not used yet' }),
    required: z.boolean().meta({ description: 'Whether the role may write in LIVE only with a second factor' }),
  })
  .meta({ id: 'SecondFactors' });

const passkeyName = text(100).meta({ description: 'To tell it from others, such as "Laptop"' });

export const getOwnFactors = defineOperation({
  ...own,
  method: 'get',
  path: OWN,
  operationId: 'getOwnFactors',
  summary: 'Show your second factors',
  description: PERSONS_ONLY,
  success: [{ status: 200, meaning: 'The second factors' }],
  response: factors,
  errors: ['ENVIRONMENT_MISMATCH'],
});

const { hands: _hands, ...question } = change;

export const askForPasskey = defineOperation({
  ...question,
  method: 'post',
  path: `${OWN}/passkeys/question`,
  operationId: 'askForPasskey',
  summary: 'Begin to add a passkey',
  description: `The answer is for the browser's \`parseCreationOptionsFromJSON\`. Its challenge works once, for five minutes. ${BEHIND_A_FACTOR} ${PERSONS_ONLY}`,
  writesNothing: 'It puts a question, which waits for five minutes.',
  repeats: 'own',
  success: [{ status: 200, meaning: 'What to ask the browser' }],
  response: z
    .object({
      publicKey: z
        .looseObject({ challenge: z.string().meta({ description: 'What the passkey is to sign, base64url' }) })
        .meta({ description: 'Options for the browser, by WebAuthn' }),
    })
    .meta({ id: 'PasskeyQuestion' }),
  errors: ['STEP_UP_REQUIRED', 'ENVIRONMENT_MISMATCH', 'STATE_CONFLICT'],
});

export const addPasskey = defineOperation({
  ...change,
  method: 'post',
  path: `${OWN}/passkeys`,
  operationId: 'addPasskey',
  summary: 'Add a passkey',
  description: `With what the browser answered, as its \`toJSON\` writes it. ${BEHIND_A_FACTOR} ${PERSONS_ONLY}`,
  body: z.strictObject({
    name: passkeyName,
    response: registrationResponse.meta({ description: 'What the browser answered, as `toJSON` writes it' }),
  }),
  success: [{ status: 201, meaning: 'Added' }],
  response: passkey,
  errors: ['STEP_UP_REQUIRED', 'ENVIRONMENT_MISMATCH', factorsErrors.FACTOR_REFUSED, 'STATE_CONFLICT'],
});

export const renamePasskey = defineOperation({
  ...change,
  method: 'patch',
  path: `${OWN}/passkeys/{passkeyId}`,
  operationId: 'renamePasskey',
  summary: 'Rename a passkey',
  description: PERSONS_ONLY,
  params: z.strictObject({ passkeyId: uuid.meta({ description: 'Id of the passkey' }) }),
  body: z.strictObject({ name: passkeyName }),
  success: [{ status: 200, meaning: 'Renamed' }],
  response: passkey,
  errors: ['STEP_UP_REQUIRED', 'ENVIRONMENT_MISMATCH', 'NOT_FOUND'],
});

export const removePasskey = defineOperation({
  ...change,
  method: 'delete',
  path: `${OWN}/passkeys/{passkeyId}`,
  operationId: 'removePasskey',
  summary: 'Remove a passkey',
  description: `${BEHIND_A_FACTOR} ${PERSONS_ONLY}`,
  params: z.strictObject({ passkeyId: uuid.meta({ description: 'Id of the passkey' }) }),
  success: [{ status: 200, meaning: 'Removed' }],
  response: factors,
  errors: ['STEP_UP_REQUIRED', 'ENVIRONMENT_MISMATCH', factorsErrors.LAST_FACTOR, 'NOT_FOUND'],
});

export const beginAuthenticator = defineOperation({
  ...change,
  method: 'post',
  path: `${OWN}/authenticator/question`,
  operationId: 'beginAuthenticator',
  summary: 'Begin to set up an authenticator app',
  description: `The app reads the QR code, or takes the secret by hand. It is in use once a first code confirms it. Beginning again ends what was not confirmed. ${BEHIND_A_FACTOR} ${PERSONS_ONLY}`,
  repeats: 'own',
  success: [{ status: 200, meaning: 'What the app needs' }],
  response: z.object({
    secret: z.string().meta({ description: 'Base32' }),
    uri: z.string().meta({ description: 'otpauth://…' }),
    qrSvg: z.string().meta({ description: 'The same as a QR code' }),
  }),
  errors: ['STEP_UP_REQUIRED', 'ENVIRONMENT_MISMATCH', 'STATE_CONFLICT'],
});

export const confirmAuthenticator = defineOperation({
  ...change,
  method: 'post',
  path: `${OWN}/authenticator`,
  operationId: 'confirmAuthenticator',
  summary: 'Confirm an authenticator app by its first code',
  description: `${BEHIND_A_FACTOR} ${PERSONS_ONLY}`,
  body: z.strictObject({ code: text(20).meta({ description: 'Shown by the app now' }) }),
  success: [{ status: 200, meaning: 'In use' }],
  response: factors,
  errors: ['STEP_UP_REQUIRED', 'ENVIRONMENT_MISMATCH', factorsErrors.FACTOR_REFUSED, 'STATE_CONFLICT'],
});

export const removeAuthenticator = defineOperation({
  ...change,
  method: 'delete',
  path: `${OWN}/authenticator`,
  operationId: 'removeAuthenticator',
  summary: 'Remove the authenticator app',
  description: `${BEHIND_A_FACTOR} ${PERSONS_ONLY}`,
  success: [{ status: 200, meaning: 'Removed' }],
  response: factors,
  errors: ['STEP_UP_REQUIRED', 'ENVIRONMENT_MISMATCH', factorsErrors.LAST_FACTOR, 'NOT_FOUND'],
});

export const makeRecoveryCodes = defineOperation({
  ...change,
  method: 'post',
  path: `${OWN}/recovery-codes`,
  operationId: 'makeRecoveryCodes',
  summary: 'Make recovery codes',
  description: `Ten codes, shown once. Each works once, in place of a second factor. The codes of before work no more. ${BEHIND_A_FACTOR} ${PERSONS_ONLY}`,
  secrets: ['codes'],
  success: [{ status: 201, meaning: 'Made' }],
  response: z.object({
    codes: z.array(z.string()).nullable().meta({ description: 'Ten of them; null in the repeat of a request' }),
  }),
  errors: ['STEP_UP_REQUIRED', 'ENVIRONMENT_MISMATCH', 'STATE_CONFLICT'],
});

export const resetFactors = defineOperation({
  group: 'Staff',
  people: true,
  stepUp: 'always',
  scope: 'admin:staff',
  hands: 'neutral',
  method: 'post',
  path: '/api/v1/admin/staff/{staffId}/factors/reset',
  operationId: 'resetFactors',
  summary: "Remove all of a person's second factors",
  description: `For somebody who has lost them. The person's sessions end, and the next sign-in is by the password alone. For seven days, or until a third person confirms, the person counts as whoever did this where two pairs of hands are asked for. ${PERSONS_ONLY}`,
  params: z.strictObject({ staffId: uuid.meta({ description: 'Id of the person' }) }),
  success: [{ status: 200, meaning: 'Removed' }],
  response: z.object({
    staffId: uuid.meta({ description: 'The person' }),
    passkeysRemoved: z.int().meta({ description: 'How many passkeys were removed' }),
    authenticatorRemoved: z.boolean().meta({ description: 'Whether there was an authenticator app' }),
  }),
  errors: ['STEP_UP_REQUIRED', 'SECOND_FACTOR_REQUIRED', 'ENVIRONMENT_MISMATCH', 'NOT_FOUND', 'STATE_CONFLICT'],
});
