/** Asking for a second factor, with the form that it is for kept in the page. */
import type { PageView } from '../../pages/define-page.ts';
import { type Html, html } from '../../pages/html.ts';
import type { FactorProof } from './people.ts';

/** What the form of a factor has; the form that it is for stands beside, hidden. */
export const FACTOR = { method: '_factor', answer: '_answer' } as const;

export interface StepUp {
  methods: readonly FactorProof['method'][];
  /** What the form has sent that is to go on. */
  values: Readonly<Record<string, readonly string[]>>;
  address: string;
  fault: string | undefined;
  accountHref: string;
}

export function drawStepUp({ methods, values, address, fault, accountHref }: StepUp): PageView {
  const title = 'Confirm that it is you';
  if (methods.length === 0) {
    const body = html`<section class="card"><p>This needs a second factor, and you have none yet. Set up a passkey or an authenticator app first.</p><p><a class="button button-main" href="${accountHref}">To your account</a></p></section>`;
    return { title, body };
  }
  const kept = Object.entries(values).flatMap(([name, texts]) =>
    name === FACTOR.method || name === FACTOR.answer
      ? []
      : texts.map((text) => html`<input type="hidden" name="${name}" value="${text}">`),
  );
  const alert = fault !== undefined && html`<div class="notice notice-bad" role="alert"><p>${fault}</p></div>`;
  const body = html`<section class="card"><p class="muted">What you are about to do needs a second factor of the last ten minutes. What you typed is kept.</p>${alert}${methods.includes('passkey') && byPasskey(address, kept)}${methods.some((method) => method !== 'passkey') && byCode(address, kept, fault)}</section>`;
  return { title, body, scripts: methods.includes('passkey') ? ['passkey'] : [] };
}

function byPasskey(address: string, kept: readonly Html[]): Html {
  return html`<form class="form only-script" method="post" action="${address}" data-passkey="step-up">${kept}<input type="hidden" name="${FACTOR.method}" value="passkey"><input type="hidden" name="${FACTOR.answer}" value=""><p class="fault" role="alert" hidden></p><div class="form-end"><button class="button button-main" type="submit">Use a passkey</button></div></form>`;
}

function byCode(address: string, kept: readonly Html[], fault: string | undefined): Html {
  const wrong = fault !== undefined && html` aria-invalid="true"`;
  return html`<form class="form" method="post" action="${address}">${kept}<input type="hidden" name="${FACTOR.method}" value="totp"><div class="field"><label for="factor-code">Code of your authenticator app, or a recovery code</label><input id="factor-code" name="${FACTOR.answer}" type="text" value="" autocomplete="one-time-code" inputmode="text" required${wrong}></div><div class="form-end"><button class="button" type="submit">Go on</button></div></form>`;
}
