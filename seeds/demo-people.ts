/** What staff of the demo tenant works on: verifications that wait, members who can be paid, and one who cannot. */
import type { Composition } from '../src/compose.ts';
import { createKycUpload, recordKycDocument } from '../src/features/kyc/documents/documents-operations.ts';
import { startKyc } from '../src/features/kyc/records/kyc-operations.ts';
import { approveKyc } from '../src/features/kyc/review/kyc-decisions-operations.ts';
import { createPayoutAccount } from '../src/features/payouts/accounts/payout-accounts-operations.ts';
import { updateProfile } from '../src/features/profile/profile-operations.ts';
import type { InvokedBy } from '../src/http/invoke.ts';
import { drawCard, drawFace, type Holder } from './demo-specimens.ts';

interface DemoPerson {
  email: string;
  surname: string;
  dateOfBirth: string;
  idNumber: string;
  /** What stands on the card, where it is other than what the member states. */
  onCard?: Partial<Holder>;
  isApproved: boolean;
  accountNumber?: string;
}

const PEOPLE: readonly DemoPerson[] = [
  {
    email: 'ada@demo.example',
    surname: 'Root',
    dateOfBirth: '1975-04-12',
    idNumber: 'L01X00T47',
    isApproved: true,
    accountNumber: '000123456789',
  },
  {
    email: 'ben@demo.example',
    surname: 'Branch',
    dateOfBirth: '1981-09-30',
    idNumber: 'L22R11B30',
    isApproved: true,
    accountNumber: '000222222227',
  },
  {
    email: 'cleo@demo.example',
    surname: 'Limb',
    dateOfBirth: '1990-02-03',
    idNumber: 'L90C33L02',
    onCard: { dateOfBirth: '1990-03-02' },
    isApproved: false,
    accountNumber: '000333333335',
  },
  { email: 'dan@demo.example', surname: 'Leaf', dateOfBirth: '1996-11-21', idNumber: 'L96D44L21', isApproved: false },
];

/** Dates and numbers of nobody; the documents are marked as specimens. */
export async function seedPeople(
  { invoke, storage }: Pick<Composition, 'invoke' | 'storage'>,
  by: InvokedBy,
  idByEmail: ReadonlyMap<string, string>,
): Promise<void> {
  for (const person of PEOPLE) {
    const userId = idByEmail.get(person.email);
    if (userId === undefined) throw new Error(`the demo has no member ${person.email}`);
    const { surname, dateOfBirth, idNumber, accountNumber } = person;
    const givenName = person.email.slice(0, 1).toUpperCase() + person.email.slice(1, person.email.indexOf('@'));
    const params = { userId };
    const address = {
      countryCode: 'USA',
      addressLine1: '1 Orchard Street',
      city: 'Springfield',
      state: 'IL',
      postalCode: '62701',
    };
    const body = { givenName, surname, dateOfBirth, idNumber, countryCode: 'USA', address };
    await invoke(updateProfile, { params, body }, by);
    const holder: Holder = { givenName, surname, dateOfBirth, idNumber, country: 'USA', ...person.onCard };
    const kycId = await submit({ invoke, storage }, by, userId, holder);
    if (person.isApproved) await invoke(approveKyc, { params: { kycId } }, by);
    if (accountNumber === undefined) continue;
    const bankAccount = { accountHolderName: `${givenName} ${surname}`, routingNumber: '110000000', accountNumber };
    await invoke(createPayoutAccount, { params, body: { methodType: 'us_bank_transfer', currency: 'USD', bankAccount } }, by);
  }
}

/** Sends in what a verification asks for; returns its id. */
async function submit(
  { invoke, storage }: Pick<Composition, 'invoke' | 'storage'>,
  by: InvokedBy,
  userId: string,
  holder: Holder,
): Promise<string> {
  const params = { userId };
  const { body: start } = await invoke(startKyc, { params }, by);
  const papers = [
    {
      documentType: 'government_id_front',
      fileName: 'card-front.pdf',
      mimeType: 'application/pdf',
      content: await drawCard(holder, 'front'),
    },
    {
      documentType: 'government_id_back',
      fileName: 'card-back.pdf',
      mimeType: 'application/pdf',
      content: await drawCard(holder, 'back'),
    },
    { documentType: 'selfie', fileName: 'selfie.png', mimeType: 'image/png', content: drawFace() },
  ];
  for (const { content, ...file } of papers) {
    const { body: upload } = await invoke(createKycUpload, { params, body: file }, by);
    if (!upload) throw new Error('an upload waits for somebody');
    await storage.write(upload.filePath, content, file.mimeType);
    await invoke(recordKycDocument, { params, body: { ...file, fileSize: content.length, filePath: upload.filePath } }, by);
  }
  if (!start) throw new Error('a verification waits for somebody');
  return start.kycRecordId;
}
