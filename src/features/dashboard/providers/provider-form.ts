/** The fields of a sign-in provider, and what a form of them says. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { FormValues } from '../../../pages/form-values.ts';
import type { Field } from '../../../pages/parts/form.ts';
import type { getAuthProvider } from '../../auth/providers-operations.ts';

export type Provider = AnswerOf<typeof getAuthProvider>;

/** `provider` is the one that is changed; a new one has a name to be chosen. */
export function providerFields(provider: Provider | undefined): Field[] {
  const name: Field = {
    name: 'providerId',
    label: 'Name',
    required: true,
    maxLength: 64,
    placeholder: 'main',
    mono: true,
    autofocus: true,
    hint: 'What your servers call it when they exchange a token. It stays.',
  };
  return [
    ...(provider ? [] : [name]),
    {
      name: 'issuerUrl',
      label: 'Issuer',
      type: 'url',
      required: true,
      value: provider?.issuerUrl,
      placeholder: 'https://login.shop.example',
      hint: 'Exactly as its discovery document names it. It is asked when you save.',
    },
    {
      name: 'jwksUri',
      label: 'Address of its keys',
      type: 'url',
      value: provider?.jwksUri,
      hint: 'Empty: what its discovery document says.',
    },
    {
      name: 'allowedAudiences',
      label: 'Audiences',
      type: 'textarea',
      required: true,
      value: provider?.allowedAudiences.join('\n'),
      mono: true,
      placeholder: 'shop-app',
      hint: 'One a line. Every aud of a token must be one of them.',
    },
    {
      name: 'autoCreateUsers',
      label: 'Whoever comes for the first time becomes a member',
      type: 'checkbox',
      value: provider?.autoCreateUsers ?? true,
    },
    {
      name: 'trustEmail',
      label: 'Its email addresses count as verified where a token does not say',
      type: 'checkbox',
      value: provider?.trustEmail ?? false,
      hint: 'A person is then linked to the member who has the address.',
    },
    {
      name: 'acceptUnverifiedEmail',
      label: 'Unverified addresses are let in too',
      type: 'checkbox',
      value: provider?.acceptUnverifiedEmail ?? false,
      hint: 'Such a person becomes a member and is joined to nobody by the address.',
    },
  ];
}

export interface ProviderBody {
  issuerUrl: string | undefined;
  jwksUri: string | null;
  allowedAudiences: string[];
  autoCreateUsers: boolean;
  trustEmail: boolean;
  acceptUnverifiedEmail: boolean;
}

export function providerBody(form: FormValues): ProviderBody {
  const audiences = (form.text('allowedAudiences') ?? '').split('\n').map((line) => line.trim());
  return {
    issuerUrl: form.text('issuerUrl'),
    jwksUri: form.text('jwksUri') ?? null,
    allowedAudiences: audiences.filter((line) => line !== ''),
    autoCreateUsers: form.checked('autoCreateUsers'),
    trustEmail: form.checked('trustEmail'),
    acceptUnverifiedEmail: form.checked('acceptUnverifiedEmail'),
  };
}

/** What of it is other than the provider is; undefined when nothing is. */
export function changedOf(body: ProviderBody, provider: Provider): Partial<ProviderBody> | undefined {
  const changed = Object.entries(body).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(provider[name as keyof ProviderBody]),
  );
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}
