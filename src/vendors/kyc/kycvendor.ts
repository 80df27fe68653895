/** The KYC vendor's API: applicants, SDK tokens, reviews. Source: docs/specification/verification.md#vendor-calls. */
import type { Logger } from 'pino';
import { z } from 'zod';
import type { OutgoingClient } from '../../outgoing/outgoing-client.ts';
import { applicantShape, stepsShape, toFindings } from './findings-shape.ts';
import type { KycAccount } from './kyc-account.ts';
import type { Applicant, KycVendor } from './kyc-vendor.ts';
import { reviewShape } from './review-shape.ts';
import { createVendorCalls, unusableAnswer, type VendorAnswer } from './vendor-calls.ts';

const applicantAnswer = z.object({ id: z.string().min(1).max(255), externalUserId: z.string().nullish() });
const tokenAnswer = z.object({ token: z.string().min(1) });
const APPLICANTS = '/resources/applicants';

export function createKycvendor(deps: { outgoing: OutgoingClient; logger: Logger }): KycVendor<KycAccount> {
  const calls = createVendorCalls(deps);

  return {
    async ensureApplicant(account, applicant) {
      const ask = calls.begin(account);
      const { externalUserId } = applicant;
      const created = await ask({
        name: 'createApplicant',
        method: 'POST',
        path: `${APPLICANTS}?levelName=${encoded(account.levelName)}`,
        payload: applicantBody(applicant),
        // There is one of this id: made by an earlier call whose answer was lost, or by a start at the same time.
        alsoFine: [409],
      });
      if (created.status !== 409) return parsed('createApplicant', applicantAnswer, created).id;
      const found = await ask({
        name: 'adoptApplicant',
        method: 'GET',
        path: `${APPLICANTS}/-;externalUserId=${encoded(externalUserId)}/one`,
      });
      const present = parsed('adoptApplicant', applicantAnswer, found);
      if (present.externalUserId !== externalUserId) throw unusableAnswer('adoptApplicant');
      return present.id;
    },

    async createSdkToken(account, externalUserId) {
      const { levelName, ttlInSecs } = account;
      const askedAt = Date.now();
      const answer = await calls.begin(account)({
        name: 'createSdkToken',
        method: 'POST',
        path: '/resources/accessTokens/sdk',
        payload: { userId: externalUserId, levelName, ttlInSecs },
      });
      const { token } = parsed('createSdkToken', tokenAnswer, answer);
      return { token, expiresAt: new Date(askedAt + ttlInSecs * 1000) };
    },

    async readReview(account, applicantId) {
      const path = `${APPLICANTS}/${encoded(applicantId)}/status`;
      const answer = await calls.begin(account)({ name: 'readReview', method: 'GET', path, alsoFine: [404] });
      return answer.status === 404 ? undefined : parsed('readReview', reviewShape, answer);
    },

    async readFindings(account, applicantId) {
      const ask = calls.begin(account);
      const path = `${APPLICANTS}/${encoded(applicantId)}`;
      const read = (name: string, what: string) => ask({ name, method: 'GET', path: `${path}/${what}`, alsoFine: [404] });
      const [one, steps] = await Promise.all([
        read('readApplicant', 'one'),
        read('readDocumentVerdicts', 'requiredIdDocsStatus'),
      ]);
      if (one.status === 404) return undefined;
      const applicant = parsed('readApplicant', applicantShape, one);
      return toFindings(applicant, steps.status === 404 ? {} : parsed('readDocumentVerdicts', stepsShape, steps));
    },

    async resetApplicant(account, applicantId) {
      const path = `${APPLICANTS}/${encoded(applicantId)}/reset`;
      const answer = await calls.begin(account)({ name: 'resetApplicant', method: 'POST', path, alsoFine: [404] });
      return answer.status !== 404;
    },
  };
}

/** With the one sign that a URL's query escapes beyond encodeURIComponent: the path is signed as it is sent. */
function encoded(part: string): string {
  return encodeURIComponent(part).replaceAll("'", '%27');
}

/** Only what the profile has: a field that is empty or ill-formed fails the call. */
function applicantBody({ externalUserId, email, ...known }: Applicant): object {
  const fixedInfo = {
    ...(known.givenName === null ? {} : { firstName: known.givenName }),
    ...(known.surname === null ? {} : { lastName: known.surname }),
    ...(known.dateOfBirth === null ? {} : { dob: known.dateOfBirth }),
    ...(known.countryCode === null ? {} : { country: known.countryCode }),
  };
  return { externalUserId, email, ...(Object.keys(fixedInfo).length === 0 ? {} : { fixedInfo }) };
}

function parsed<Schema extends z.ZodType>(name: string, schema: Schema, { text }: VendorAnswer): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    // Without the parser's own words: they quote what may be a token or a name.
    throw unusableAnswer(name);
  }
}
