/** What the service writes to people about. Source: docs/specification/mail.md#kinds. */

/** What each kind's text is filled with. The texts are the files of these names in `../texts`. */
export interface MailValues {
  /** Somebody is asked to join the tenant's people. */
  invite: { tenant: string; role: string; link: string; until: string };
  /** Somebody was given a link to choose a new password. */
  new_password: { tenant: string; link: string; until: string };
  /** A sign-in from a browser that was not seen before. The link ends all sessions. */
  new_device: { tenant: string; at: string; ip: string; agent: string; link: string };
  /** A member's email address was changed; to the old address and to the new one. */
  email_changed: { tenant: string; at: string };
  payout_account_changed: { tenant: string; at: string; lastFour: string };
  payout_paid: { tenant: string; amount: string; at: string; unsubscribe: string };
  payout_failed: { tenant: string; amount: string; at: string; unsubscribe: string };
}

export type MailKind = keyof MailValues;

/** Mail by its kind, and whose it is. */
export type Mail = {
  [Kind in MailKind]: {
    kind: Kind;
    values: MailValues[Kind];
    /** The address. */
    to: string;
    /** Of the person or the member, as an `actorRef`: an erasure finds it by this. */
    recipient: string;
  };
}[MailKind];

/** What a mail says beside what the service fills in by itself. */
type Told<Kind extends MailKind> = Omit<MailValues[Kind], 'tenant' | 'at' | 'unsubscribe'>;

type Filled<Kinds extends MailKind> = { [Kind in Kinds]: { kind: Kind; values: Told<Kind> } }[Kinds];

/** Mail to one of the tenant's people. */
export type MailToPerson = Filled<'invite' | 'new_password' | 'new_device'> & { staffId: string; to: string };

/** Mail to a member, to the address that the service knows. */
export type MailToMember = Filled<'email_changed' | 'payout_account_changed' | 'payout_paid' | 'payout_failed'> & {
  memberId: string;
  /** An address of the member's of before, to which it goes too. */
  alsoTo?: string;
};

/** What a member may refuse; all other mail is about the security of the account. */
export function isRefusable(kind: MailKind): boolean {
  return kind === 'payout_paid' || kind === 'payout_failed';
}
