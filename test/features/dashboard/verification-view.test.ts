/** What a reviewer compares and must know first, drawn without a service. Source: docs/specification/pages.md#reviews. */
import { describe, expect, test } from 'vitest';
import { waitedWords } from '../../../src/features/dashboard/verification/document-words.ts';
import { drawFindings } from '../../../src/features/dashboard/verification/findings-view.ts';
import { reasonOf } from '../../../src/features/dashboard/verification/reasons.ts';
import type { Findings, Review } from '../../../src/features/dashboard/verification/review-facts.ts';
import { drawWarnings } from '../../../src/features/dashboard/verification/warnings-view.ts';
import type { Html } from '../../../src/pages/html.ts';
import { namesFrom } from '../../../src/pages/parts/member-names.ts';
import { viewContext } from '../../support/pages/view-context.ts';

const page = viewContext({ rights: ['admin:kyc', 'members:read'] });
const MINE = { kind: 'staff', id: 'p-1', name: 'Ada Lovelace' } as const;
const OTHER = { kind: 'staff', id: 'p-2', name: 'Rita <b>' } as const;

const review = {
  id: 'k-1',
  userId: 'm-1',
  status: 'pending',
  provider: 'kycvendor',
  identityChanged: false,
  takenBy: null,
  takenUntil: null,
  flags: [],
  auditLogs: [],
  user: {
    givenName: 'Ida',
    surname: 'Moser',
    dateOfBirth: '1990-02-28',
    countryCode: 'AUT',
    idNumberLastFour: '6789',
    isActive: true,
  },
} as unknown as Review;

const words = (drawn: Html): string =>
  drawn.text
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
const warningsOf = (more: Partial<Review>, names = namesFrom(page, [])): string =>
  words(drawWarnings(page, { review: { ...review, ...more }, names }));

describe('stated and found', () => {
  test('before the vendor was asked what was stated stands there, with the end of the ID number', () => {
    const drawn = drawFindings(page, review, undefined);
    expect(words(drawn)).toContain('Given name Ida – Surname Moser – Born 1990-02-28 – Country AUT – ID number …6789 –');
    expect(drawn.text).toContain('data-href="/dashboard/acme/live?findings=yes"');
  });

  test('what is the same and what differs is said in words', () => {
    const findings: Findings = {
      source: 'kycvendor',
      fields: [
        { field: 'givenName', stated: 'Ida', found: 'IDA', matches: true },
        { field: 'surname', stated: 'Moser', found: '<b>Huber', matches: false },
        { field: 'dateOfBirth', stated: '1990-02-28', found: null, matches: null },
      ],
      documents: [{ documentType: 'PASSPORT', verdict: 'rejected', words: 'Too dark' }],
      words: 'Something is wrong',
      rejectLabels: ['BAD_FACE_MATCHING'],
    };
    const drawn = drawFindings(page, review, findings);
    expect(words(drawn)).toContain('Found by the vendor');
    expect(words(drawn)).toContain('Given name Ida IDA same Surname Moser &lt;b&gt;Huber differs Born 1990-02-28 – Country');
    expect(words(drawn)).toContain('Something is wrong passport rejected Too dark bad face matching');
    expect(drawn.text).not.toContain('data-href');
  });
});

describe('warnings', () => {
  test('of what others share, with the way to them', () => {
    const flags: Review['flags'] = [
      { kind: 'ID_NUMBER_SHARED', userIds: ['m-2'], more: true, accountId: null, found: null },
      { kind: 'ACCOUNT_SHARED', userIds: ['m-3'], more: false, accountId: 'a-1', found: null },
      { kind: 'NAME_MISMATCH', userIds: [], more: false, accountId: 'a-1', found: null },
    ];
    const known = [
      { id: 'm-2', name: '<i>Ben', email: 'ben@test.example' },
      { id: 'm-3', name: null, email: 'cleo@test.example' },
    ];
    const told = warningsOf({ flags }, namesFrom(page, known));
    expect(told).toContain('The same ID number is stated by &lt;i&gt;Ben and more.');
    expect(told).toContain('The same payout account is used by cleo@test.example .');
    expect(told).toContain('A payout account has another name.');
    const drawn = drawWarnings(page, { review: { ...review, flags }, names: namesFrom(page, known) });
    expect(drawn.text).toContain('href="/dashboard/acme/live/members/m-2"');
  });

  test('of who has the record, unless it is the reader', () => {
    expect(warningsOf({ takenBy: OTHER, takenUntil: '2026-11-22T08:30:00Z' })).toContain(
      'Rita &lt;b&gt; has taken this record until',
    );
    expect(warningsOf({ takenBy: MINE })).not.toContain('has taken this record');
  });

  test('of a person who has changed, of the vendor while it decides, and of a deactivated member', () => {
    expect(warningsOf({ identityChanged: true })).toContain('was changed since the verification was submitted');
    expect(warningsOf({})).toContain('The vendor decides on this verification.');
    expect(warningsOf({ provider: 'manual', user: { ...review.user, isActive: false } })).toBe('The member is deactivated.');
  });
});

test.each([
  ['approved', 'kycvendor', 'The vendor has approved this verification. Asking again takes the place of its decision.'],
  ['rejected', 'kycvendor', 'The vendor has rejected this verification. Asking again takes the place of its decision.'],
  ['approved', 'p-1', 'It was approved here, in the place of the vendor.'],
] as const)('of a verification at the vendor that is %s by %s is said who decided', (status, actorId, told) => {
  const entry = { id: 'l', details: {}, createdAt: '2026-11-22T08:30:00Z' };
  const auditLogs = [
    { ...entry, action: 'kyc_record.assigned', actorId: 'p-2' },
    { ...entry, action: `kyc_record.${status}`, actorId },
    { ...entry, action: 'kyc_record.rejected', actorId: 'p-3' },
  ];
  expect(warningsOf({ status, auditLogs })).toBe(told);
  expect(warningsOf({ status: 'resubmit_required', auditLogs })).toBe('');
  expect(warningsOf({ status, auditLogs, provider: 'manual' })).toBe('');
});

test.each([
  ['Expired', undefined, 'Expired'],
  [undefined, 'In colour', 'In colour'],
  ['Expired.', 'In colour', 'Expired. In colour'],
  [undefined, undefined, ''],
])('the reason of %s and %s is "%s"', (listed, own, reason) => {
  expect(reasonOf(listed, own)).toBe(reason);
});

test.each([
  [59, 'less than a minute'],
  [60, '1 minute'],
  [7_199, '1 hour'],
  [172_800, '2 days'],
])('%i seconds are %s', (seconds, told) => {
  expect(waitedWords(seconds)).toBe(told);
});
