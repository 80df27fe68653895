import { type Route, route } from '../../../http/route.ts';
import type { BankField } from './payout-method-rows.ts';
import { listPayoutMethods, type PayoutMethodAnswer, validateBankDetailsOperation } from './payout-methods-operations.ts';
import type { OfferedMethods, PayoutMethodsService } from './payout-methods-service.ts';

export function payoutMethodsRoutes(methods: PayoutMethodsService): Route[] {
  return [
    route(
      listPayoutMethods,
      ({ query, scope }) => methods.listMethods(scope, query.country),
      (offered) => ({ status: 200, body: { country: offered.country, methods: methodBodies(offered) } }),
    ),
    route(
      validateBankDetailsOperation,
      ({ params, body, ...context }) => methods.validateDetails(context, params.methodId, body),
      ({ faults, details }) => {
        const valid = faults.length === 0;
        return { status: 200, body: { valid, errors: faults, normalised: valid ? { ...details } : null } };
      },
    ),
  ];
}

function methodBodies({ methods, provider, enabled }: OfferedMethods): PayoutMethodAnswer[] {
  return methods.map(({ id, name, currency, fields }) => ({
    id,
    name,
    category: 'bank_transfer',
    provider,
    currency,
    enabled,
    fields: fields.map(fieldBody),
  }));
}

function fieldBody({ key, label, placeholder, form, pattern, minLength, maxLength }: BankField) {
  const helpText = form.charAt(0).toUpperCase() + form.slice(1);
  return {
    key,
    label,
    type: 'text' as const,
    placeholder,
    helpText,
    validation: { required: true, minLength, maxLength, pattern },
    options: [],
  };
}
