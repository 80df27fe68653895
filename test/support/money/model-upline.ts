/** Members in a line under each other, and purchases credited to the lowest. */
import type { ApiClient, MemberBody } from '../app/api-client.ts';

const TIERS: Record<string, string> = { O: 'ORDINARY', S: 'SENIOR', M: 'MANAGER', D: 'DIRECTOR' };

/** `O S m`: a chain from level 1 up; a small letter is created inactive. The first of the list is level 1. */
export async function newUpline(client: ApiClient, text: string, top: Partial<MemberBody> = {}): Promise<MemberBody[]> {
  const chain: MemberBody[] = [];
  let parentId = top.id;
  for (const letter of text.replaceAll(' ', '').split('').toReversed()) {
    const member = await client.newMember({
      membership_tier: TIERS[letter.toUpperCase()],
      is_active: letter === letter.toUpperCase(),
      ...(parentId === undefined ? {} : { parent_id: parentId }),
    });
    chain.unshift(member);
    parentId = member.id;
  }
  return chain;
}

export interface CommissionBody {
  id: string;
  user_id: string;
  level: number;
  paid_level: number;
  rate_bps: number;
  multiplier_milli: number;
  base_minor: number;
  amount_minor: number;
  currency: string;
  status: string;
  clears_at: string;
}

/** `1/L1:1000 3/L2:500`: distance, plan level, amount of each commission; fails on a beneficiary out of place. */
export function paidTo(chain: readonly MemberBody[], commissions: readonly CommissionBody[]): string {
  return commissions
    .map((line) => {
      const at = chain.findIndex((member) => member.id === line.user_id) + 1;
      if (at !== line.level) throw new Error(`level ${line.level} went to position ${at} of the chain`);
      return `${line.level}/L${line.paid_level}:${line.amount_minor}`;
    })
    .join(' ');
}
