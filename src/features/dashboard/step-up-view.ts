/** Asking for a second factor, with the form that it is for kept in the page. */
import type { PageView } from '../../pages/define-page.ts';
import { type Html, html } from '../../pages/html.ts';
import type { SecretField } from './typed-secrets.ts';

/** What the form of a factor has; the form that it is for stands beside, hidden. */
export const FACTOR = { method: '_method', answer: '_answer' } as const;

export interface StepUp {
  /** The factors that the person has. */
  methods: readonly string[];
  /** What the form has sent that is to go on. */
  values: Readonly<Record<string, readonly string[]>>;
  /** Of these what was typed is not drawn: they are typed again. */
  secrets: readonly SecretField[];
  address: string;
  fault: string | undefined;
  accountHref: string;
}

export function drawStepUp({ methods, values, secrets, address, fault, accountHref }: StepUp): PageView {
  if (methods.length === 0) {
    const title = 'Set up a second factor';
    const body = html`<section class="card"><p>This needs a second factor, and you have none yet. Add a passkey or an authenticator app to your account, then send the form again.</p><p><a class="button button-main" href="${accountHref}">To your account</a></p></section>`;
    return { title, body };
  }
  const title = 'Confirm that it is you';
  const kept = Object.entries(values).flatMap(([name, texts]) =>
    name === FACTOR.method || name === FACTOR.answer || secrets.some((one) => one.name === name)
      ? []
      : texts.map((text) => html`<input type="hidden" name="${name}" value="${text}">`),
  );
  const forms = drawFactorForms({ address, kept, again: secrets, fault, question: 'step-up', methods });
  const typed =
    secrets.length === 0 ? 'What you typed is kept.' : 'What you typed is kept, but for secrets: type those once more.';
  const body = html`<section class="card"><p class="muted">What you are about to do needs a second factor of the last ten minutes. ${typed}</p>${forms}</section>`;
  return { title, body, scripts: methods.includes('passkey') ? ['passkey'] : [] };
}

export interface FactorForms {
  address: string;
  /** The hidden fields of both. */
  kept: readonly Html[];
  /** What is typed into both once more. */
  again?: readonly SecretField[];
  fault: string | undefined;
  /** What the passkey is asked for. */
  question: 'step-up' | 'factor';
  methods: readonly string[];
}

export function drawFactorForms({ address, kept, again = [], fault, question, methods }: FactorForms): Html {
  const wrong = fault !== undefined && html` aria-invalid="true"`;
  const alert = fault !== undefined && html`<div class="notice notice-bad" role="alert"><p>${fault}</p></div>`;
  const secretsOf = (form: string) =>
    again.map(
      ({ name, label }) =>
        html`<div class="field"><label for="${form}-${name}">${label}</label><input id="${form}-${name}" name="${name}" type="password" value="" autocomplete="off" required></div>`,
    );
  const passkey =
    methods.includes('passkey') &&
    html`<form class="form only-script" method="post" action="${address}" data-passkey="${question}">${kept}<input type="hidden" name="${FACTOR.method}" value="passkey"><input type="hidden" name="${FACTOR.answer}" value=""><p class="fault" role="alert" hidden></p>${secretsOf('passkey')}<div class="form-end"><button class="button button-main" type="submit">Use a passkey</button></div></form>`;
  const label = codeLabel(question, methods);
  const code =
    methods.some((method) => method !== 'passkey') &&
    html`<form class="form" method="post" action="${address}">${kept}<input type="hidden" name="${FACTOR.method}" value="code">${secretsOf('code')}<div class="field"><label for="factor-code">${label}</label><input id="factor-code" name="${FACTOR.answer}" type="text" value="" autocomplete="one-time-code" required${wrong}></div><div class="form-end"><button class="button" type="submit">Go on</button></div></form>`;
  return html`${alert}<div class="stack factors">${passkey}${code}</div>`;
}

/** A recovery code stands in for a factor at the sign-in; a step-up takes none. */
function codeLabel(question: FactorForms['question'], methods: readonly string[]): string {
  if (!methods.includes('totp')) return 'Recovery code';
  return question === 'step-up' ? 'Code of your authenticator app' : 'Code of your authenticator app, or a recovery code';
}
