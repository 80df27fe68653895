/** The own account: name, password, second factors and sessions. It is of the tenant, so the page is of LIVE. */
import { AppError } from '../../../errors.ts';
import { definePage } from '../../../pages/define-page.ts';
import {
  addPasskey,
  askForPasskey,
  beginAuthenticator,
  confirmAuthenticator,
  getOwnFactors,
  makeRecoveryCodes,
  removeAuthenticator,
  removePasskey,
  renamePasskey,
} from '../../staff/factors/factors-operations.ts';
import {
  changeOwnPassword,
  endOwnSession,
  endOwnSessions,
  getOwnAccount,
  listOwnSessions,
  updateOwnAccount,
} from '../../staff/staff-operations.ts';
import { homeOf, notMeDone, SIGN_IN } from '../addresses.ts';
import { drawAccount } from './account-view.ts';
import { drawAuthenticator, drawNewPasskey, drawRecoveryCodes } from './factor-steps-view.ts';

export const accountPage = definePage({
  path: '/account',
  title: 'Your account',
  needs: [getOwnAccount, getOwnFactors, listOwnSessions],
  async get(page) {
    if (page.environment !== 'LIVE') return { redirect: `${homeOf(page.tenant.slug, 'LIVE')}/account` };
    const [person, factors, sessions] = await Promise.all([
      page.invoke(getOwnAccount),
      page.invoke(getOwnFactors),
      page.invoke(listOwnSessions, { query: { limit: '25', cursor: page.query['cursor'] } }),
    ]);
    return drawAccount(page, { person, factors, sessions });
  },
  actions: {
    rename: {
      needs: [updateOwnAccount],
      async run(page, form) {
        await page.invoke(updateOwnAccount, { body: { name: form.text('name') } });
        return { to: page.here(), said: 'Your name is changed.' };
      },
    },
    password: {
      needs: [changeOwnPassword],
      async run(page, form) {
        const body = { password: form.raw('password'), newPassword: form.raw('newPassword') };
        const { ended } = await page.invoke(changeOwnPassword, { body });
        const others = ended === 0 ? '' : ended === 1 ? ' One other session is ended.' : ` ${ended} other sessions are ended.`;
        return { to: page.here(), said: `Your password is changed.${others}` };
      },
    },
    askForPasskey: {
      needs: [askForPasskey],
      async run(page) {
        const { publicKey } = await page.invoke(askForPasskey);
        return { shownOnce: drawNewPasskey(page, publicKey) };
      },
    },
    addPasskey: {
      needs: [addPasskey],
      async run(page, form) {
        const body = { name: form.text('name'), response: answerOf(form.raw('response')) };
        await page.invoke(addPasskey, { body });
        return { to: page.here(), said: 'The passkey is added. You can sign in with it.' };
      },
    },
    renamePasskey: {
      needs: [renamePasskey],
      async run(page, form) {
        const params = { passkeyId: form.raw('passkeyId') };
        await page.invoke(renamePasskey, { params, body: { name: form.text('name') } });
        return { to: page.here(), said: 'The passkey has its new name.' };
      },
    },
    removePasskey: {
      needs: [removePasskey],
      async run(page, form) {
        await page.invoke(removePasskey, { params: { passkeyId: form.raw('passkeyId') } });
        return { to: page.here(), said: 'The passkey is removed.' };
      },
    },
    beginAuthenticator: {
      needs: [beginAuthenticator],
      async run(page) {
        return { shownOnce: drawAuthenticator(page, await page.invoke(beginAuthenticator)) };
      },
    },
    confirmAuthenticator: {
      needs: [confirmAuthenticator],
      async run(page, form) {
        try {
          await page.invoke(confirmAuthenticator, { body: { code: form.text('code') } });
        } catch (thrown) {
          // The app has its secret already: another code is asked for, and the secret stands as a text.
          if (!(thrown instanceof AppError) || thrown.status >= 500) throw thrown;
          if (thrown.code === 'STEP_UP_REQUIRED' || thrown.code === 'STATE_CONFLICT') throw thrown;
          return { shownOnce: drawAuthenticator(page, { secret: form.text('secret') ?? '', fault: thrown.message }) };
        }
        return { to: page.here(), said: 'The app is set up. From now on signing in asks for its code.' };
      },
    },
    removeAuthenticator: {
      needs: [removeAuthenticator],
      async run(page) {
        await page.invoke(removeAuthenticator);
        return { to: page.here(), said: 'The authenticator app is removed.' };
      },
    },
    recoveryCodes: {
      needs: [makeRecoveryCodes],
      async run(page) {
        const { codes } = await page.invoke(makeRecoveryCodes);
        return { shownOnce: drawRecoveryCodes(page, codes) };
      },
    },
    endSession: {
      needs: [endOwnSession],
      async run(page, form) {
        const { ended } = await page.invoke(endOwnSession, { params: { sessionId: form.raw('sessionId') } });
        return { to: page.here(), said: ended === 0 ? 'That session had ended already.' : 'The session is ended.' };
      },
    },
    endOthers: {
      needs: [endOwnSessions],
      async run(page) {
        const { ended } = await page.invoke(endOwnSessions, { body: { which: 'others' } });
        return { to: page.here(), said: ended === 1 ? 'One session is ended.' : `${ended} sessions are ended.` };
      },
    },
    endAll: {
      needs: [endOwnSessions],
      async run(page) {
        await page.invoke(endOwnSessions, { body: { which: 'all' } });
        return { to: SIGN_IN };
      },
    },
    notMe: {
      needs: [endOwnSessions],
      async run(page) {
        const { link } = await page.invoke(endOwnSessions, { body: { which: 'not_me' } });
        return { to: notMeDone(link?.split('/').at(-1)) };
      },
    },
  },
});

/** What the browser's passkey answered. The operation says what is wrong with it. */
function answerOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
