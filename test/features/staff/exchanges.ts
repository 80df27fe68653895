/** Exchanges of people's operations that the access matrix does not make. */

import { resetFactors } from '../../../src/features/staff/factors/factors-operations.ts';
import { inviteStaff } from '../../../src/features/staff/staff-operations.ts';
import { apiClient } from '../../support/app/api-client.ts';
import { invokeAs, plantPerson, plantSignedIn } from '../../support/app/test-people.ts';
import { type ExchangeRow, invokedAnswer } from '../../support/exchanges/record.ts';

const invited = { email: 'finn@shop.example', role: 'finance' } as const;

export const staffExchanges: ExchangeRow[] = [
  {
    operationId: 'inviteStaff',
    gets: 202,
    request: () => ({ body: invited }),
    async send({ app }) {
      const { tenantId, liveKey } = await app.newTenant();
      await apiClient(app, liveKey).patch('/api/v1/admin/settings', { payments: { dualControl: true } });
      const owner = await plantSignedIn(app, tenantId);
      return invokedAnswer(invokeAs(app, owner, inviteStaff, { body: invited }));
    },
  },
  {
    operationId: 'resetFactors',
    gets: 'SECOND_FACTOR_REQUIRED',
    request: () => ({ path: { staffId: '01a1fa9c-0000-7000-8000-000000000009' } }),
    async send({ app }) {
      const { tenantId } = await app.newTenant();
      const owner = await plantSignedIn(app, tenantId, { factor: false });
      const other = await plantPerson(app, tenantId);
      return invokedAnswer(invokeAs(app, owner, resetFactors, { params: { staffId: other.staffId } }));
    },
  },
];
