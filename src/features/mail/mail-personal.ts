import type { Personal } from '../../house/personal.ts';
import { forgetMailTo } from './mail-queries.ts';

/** What waits to be sent to a member is not sent any more. */
export const mailPersonal: Personal = {
  erase: [(scope, { memberId }) => forgetMailTo(scope, { recipient: `member:${memberId}` })],
};
