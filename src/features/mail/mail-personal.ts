import type { Personal } from '../../house/personal.ts';
import { forgetMailTo, forgetRefusal } from './mail-queries.ts';

/** What waits to be sent to a member is not sent any more, and nothing is sent that could be refused. */
export const mailPersonal: Personal = {
  erase: [
    (scope, { memberId }) => forgetMailTo(scope, { recipient: `member:${memberId}` }),
    (scope, { memberId }) => forgetRefusal(scope, { memberId }),
  ],
};
