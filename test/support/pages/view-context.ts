/** What a view is drawn with in a test of it alone: no service, no browser. */
import { mayDo } from '../../../src/features/dashboard/page-context.ts';
import type { PageContext } from '../../../src/pages/define-page.ts';
import { formatsOf } from '../../../src/pages/format.ts';
import { html } from '../../../src/pages/html.ts';
import { drawForm } from '../../../src/pages/parts/form.ts';

/** The context of an owner of the tenant `acme` in LIVE; `more` replaces parts, `rights` are those of another role. */
export function viewContext({
  rights = ['*', 'admin:staff'],
  ...more
}: Partial<PageContext> & { rights?: readonly string[] } = {}): PageContext {
  const home = '/dashboard/acme/live';
  const search = (path: string, query: Readonly<Record<string, string | number | undefined>> = {}): string => {
    const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
    return text === '' ? path : `${path}?${text}`;
  };
  const refuse = async (): Promise<never> => {
    throw new Error('a view asks for nothing');
  };
  return {
    params: {},
    query: {},
    environment: 'LIVE',
    person: { id: 'p-1', name: 'Ada Lovelace', email: 'ada@test.example', role: 'owner', hasFactor: true, hasFreshFactor: false },
    tenant: { id: 't-1', slug: 'acme', name: 'Acme', currency: 'EUR', timeZone: 'Europe/Berlin' },
    ownOrigin: 'https://commissions.example',
    now: new Date('2026-11-22T08:19:00Z'),
    format: formatsOf('en-GB', 'Europe/Berlin'),
    part: undefined,
    at: (path, query) => search(path === '/' ? home : home + path, query),
    here: (query) => search(home, query),
    reachable: (address) => address,
    opens: () => true,
    can: (...needs) => mayDo(rights, needs),
    invoke: refuse,
    invokeIfAllowed: refuse,
    invokeUpload: refuse,
    invokeFile: refuse,
    form: (action, { hidden = {}, key = '', ...look }) =>
      html`${drawForm({ ...look, id: key === '' ? action : `${action}-${key}`, address: home, hidden: { ...hidden, _do: action }, sent: undefined })}`,
    ...more,
  };
}
