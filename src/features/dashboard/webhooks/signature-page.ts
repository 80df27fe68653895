/** A helper for receivers: does the signature of what arrived verify, and if not, why? The browser alone computes it. */
import { definePage, type PageContext, type PageView } from '../../../pages/define-page.ts';
import { html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { tabs } from './tabs.ts';

export const signaturePage = definePage({
  path: '/webhooks/signature',
  title: 'Check a signature',
  below: '/webhooks',
  needs: ['webhooks:read'],
  get: async (page) => drawSignature(page),
});

/** The inputs stand in no form and have no names, so nothing sends them, not even without a script. */
export function drawSignature(page: Pick<PageContext, 'at'>): PageView {
  const inputs = html`<div class="form signature" data-signature="">
<div class="field"><label for="signature-headers">Headers</label><textarea id="signature-headers" class="mono" rows="5" spellcheck="false" autocomplete="off" placeholder="webhook-id: 0199…" aria-describedby="signature-headers-hint"></textarea><p class="hint" id="signature-headers-hint">As they arrived, one a line or as JSON; others beside webhook-id, webhook-timestamp and webhook-signature do not matter.</p></div>
<div class="field"><label for="signature-body">Body</label><textarea id="signature-body" class="mono" rows="8" spellcheck="false" autocomplete="off" placeholder="{&quot;id&quot;:&quot;0199…" aria-describedby="signature-body-hint"></textarea><p class="hint" id="signature-body-hint">Byte for byte, before anything parsed it.</p></div>
<div class="field"><label for="signature-secret">Secret</label><input id="signature-secret" class="mono" type="text" spellcheck="false" autocomplete="off" placeholder="whsec_…" aria-describedby="signature-secret-hint"><p class="hint" id="signature-secret-hint">It stays in this tab, and is gone with it.</p></div>
<div class="form-end"><button class="button button-main" type="button" data-check="">Check it</button></div>
<div id="signature-said" role="status"></div></div>`;
  return {
    lead: 'This browser computes it: nothing of what is pasted here is sent anywhere.',
    crumbs: [{ label: 'Webhooks', href: page.at('/webhooks') }],
    crumb: 'Check a signature',
    scripts: ['signature'],
    body: html`${tabs(page, '/webhooks/signature')}${card({
      title: 'What arrived',
      body: html`<div class="only-script">${inputs}</div><noscript><p class="muted">The check is computed by a script of this page, and scripts are off.</p></noscript>`,
    })}${card({
      title: 'How it is signed',
      body: html`<div class="stack-small"><p>HMAC-SHA256 with the secret, whose part behind <code>whsec_</code> is base64, of the header <code>webhook-id</code>, a full stop, <code>webhook-timestamp</code>, a full stop and the body. The header <code>webhook-signature</code> has it in base64 behind <code>v1,</code>; during a rotation it has two, with a space between.</p><p>A receiver refuses what is older than five minutes by <code>webhook-timestamp</code>, and keeps <code>webhook-id</code> to take each event once.</p></div>`,
    })}`,
  };
}
