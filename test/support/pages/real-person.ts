/** A person of the real staff service, signed in, with a browser: for pages that are of the person itself. */
import type { Environment } from '../../../src/db/scope.ts';
import type { Role } from '../../../src/features/staff/open/roles.ts';
import { setCookie } from '../../../src/features/staff/open/session-cookie.ts';
import type { TestApp, TestTenant } from '../app/test-app.ts';
import { plantSignedIn, type SignedIn } from '../app/test-people.ts';
import { type Browser, createBrowser } from './browser.ts';

export interface RealPerson {
  person: SignedIn;
  browser: Browser;
  home(environment?: Environment): string;
}

/** `factor`: whether there is a second factor; `fresh`: whether it was given just now. */
export async function realPerson(
  app: TestApp,
  tenant: TestTenant,
  options: { role?: Role; factor?: boolean; fresh?: boolean; name?: string } = {},
): Promise<RealPerson> {
  const person = await plantSignedIn(app, tenant.tenantId, options);
  const browser = createBrowser(app.baseUrl);
  browser.keep(setCookie(person.cookie, false));
  const [row] = await app.database.asSuperuser<{ slug: string }>('select slug from tenant where id = $1', [tenant.tenantId]);
  return { person, browser, home: (environment = 'LIVE') => `/dashboard/${row?.slug ?? ''}/${environment.toLowerCase()}` };
}
