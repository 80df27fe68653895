/**
 * Members who want no mail about payouts: by the link in each such mail, which needs no sign-in and is good for nothing
 * else. Source: docs/specification/mail.md#refusing.
 */
import { createHmac, createSecretKey, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Frames } from '../../db/frame.ts';
import type { Scope } from '../../db/scope.ts';
import type { OwnAddress } from '../../own-address.ts';
import { readMemberFacts, readTenantFacts, storeRefusal } from './mail-queries.ts';

export interface Refusals {
  /** The address of the page on which the member refuses. */
  linkFor(scope: Scope, memberId: string): string;
  /** Whose mail it is about, and whether it is refused already; undefined of a link that is none of ours. */
  look(token: string): Promise<{ tenantName: string; refused: boolean } | undefined>;
  /** From now on there is none. Again it changes nothing. False of a link that is none of ours. */
  refuse(token: string): Promise<boolean>;
}

const FORM = /^([LS])([0-9a-f]{32})([0-9a-f]{32})([A-Za-z0-9_-]{43})$/;

export function createRefusals({
  frames,
  pepper,
  ownAddress,
}: {
  frames: Frames;
  pepper: Buffer;
  ownAddress: OwnAddress;
}): Refusals {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', pepper, '', 'mail-refusals', 32)));
  const sign = (whose: string): Buffer => createHmac('sha256', key).update(whose).digest();

  function read(token: string): { scope: Scope; memberId: string } | undefined {
    const [, environment = '', tenant = '', member = '', mac = ''] = FORM.exec(token) ?? [];
    if (mac === '' || !timingSafeEqual(sign(environment + tenant + member), Buffer.from(mac, 'base64url'))) return undefined;
    const scope = { tenantId: uuidOf(tenant), environment: environment === 'L' ? 'LIVE' : 'SANDBOX' } as const;
    return { scope, memberId: uuidOf(member) };
  }

  return {
    linkFor({ tenantId, environment }, memberId) {
      const whose = `${environment === 'LIVE' ? 'L' : 'S'}${tenantId.replaceAll('-', '')}${memberId.replaceAll('-', '')}`;
      return `${ownAddress.url()}/unsubscribe/${whose}${sign(whose).toString('base64url')}`;
    },

    async look(token) {
      const whose = read(token);
      if (!whose) return undefined;
      return frames.read(whose.scope, async (db) => {
        const { tenant } = await readTenantFacts(db, whose.scope);
        const member = await readMemberFacts(db, whose.scope, whose.memberId);
        return { tenantName: tenant, refused: member === undefined || member.erased || member.refused };
      });
    },

    async refuse(token) {
      const whose = read(token);
      if (!whose) return false;
      await frames.write(whose.scope, (db) => storeRefusal(db, whose.scope, whose.memberId));
      return true;
    },
  };
}

function uuidOf(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
