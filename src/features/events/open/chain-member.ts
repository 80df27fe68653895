/** A member of the chain that a sale is credited to, as of the sale. */
import type { UplineMember } from '../../commissions/open/walk-upline.ts';

/** With what decides which plan pays, and no rate. */
export interface ChainMember extends UplineMember {
  group: string;
  /** Whether anything was ever agreed with it. */
  hasOverride?: true;
}
