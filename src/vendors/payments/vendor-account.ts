/** A tenant's account at the payment vendor. */

/** What a call to the vendor needs. */
export interface VendorAccount {
  secretKey: string;
  platformCountry: string | null;
  capabilities: readonly string[];
  /** Null: the vendor's own address. */
  baseUrl: string | null;
}
