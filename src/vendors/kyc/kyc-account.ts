/** A tenant's account at the KYC vendor. */

/** What a call to the vendor needs. */
export interface KycAccount {
  appToken: string;
  secretKey: string;
  levelName: string;
  ttlInSecs: number;
  /** Null: the vendor's own address. */
  baseUrl: string | null;
}
