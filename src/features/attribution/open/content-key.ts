/** What a lead's receipt says, as a digest: a capture that says nothing new has no receipt of its own. */
import { createHash } from 'node:crypto';
import type { NewReceipt } from './receipt.ts';

/** Over whom the candidates lead to and how each ended; neither times nor settings, which alone are no news. */
export function contentKeyOf({ candidates }: Pick<NewReceipt, 'candidates'>): Buffer {
  const said = candidates.map(({ source, reference, memberId, lost }) => JSON.stringify([source, reference, memberId, lost]));
  return createHash('sha256').update(JSON.stringify(said.toSorted())).digest();
}
