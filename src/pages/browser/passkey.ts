/**
 * Passkeys: a form with `data-passkey`, or inside of what has it, asks the browser before it is sent. The browser's answer
 * goes into its field `_answer` as JSON, or into the one that `data-answer` names. `data-passkey="register"` makes a new
 * passkey; its question stands in `data-question`.
 */
interface Asked {
  publicKey: PublicKeyCredentialCreationOptionsJSON | PublicKeyCredentialRequestOptionsJSON;
}

document.addEventListener(
  'submit',
  (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset['answered'] === 'yes') return;
    const asking = form.closest<HTMLElement>('[data-passkey]');
    if (!asking) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    void answerWith(form, asking);
  },
  { capture: true },
);

async function answerWith(form: HTMLFormElement, asking: HTMLElement): Promise<void> {
  const told = asking.querySelector<HTMLElement>('[role="alert"]');
  if (told) told.hidden = true;
  try {
    const credential = await ask(asking.dataset['passkey'] ?? '', await optionsOf(asking));
    const field = form.querySelector<HTMLInputElement>(`[name="${asking.dataset['answer'] ?? '_answer'}"]`);
    if (!field || !(credential instanceof PublicKeyCredential)) throw new Error('There was no answer');
    field.value = JSON.stringify(credential.toJSON());
    form.dataset['answered'] = 'yes';
    form.requestSubmit();
  } catch (error) {
    if (told) {
      told.textContent = wordsOf(error);
      told.hidden = false;
    }
  }
}

/** Asked with the page itself, or fetched when the button is pressed. */
async function optionsOf(asking: HTMLElement): Promise<Asked> {
  const drawn = asking.dataset['question'];
  if (drawn !== undefined) return { publicKey: JSON.parse(drawn) as Asked['publicKey'] };
  const said = new URLSearchParams({ for: asking.dataset['passkey'] ?? '' });
  const beside = document.querySelector<HTMLInputElement>(asking.dataset['with'] ?? '#none');
  if (beside) said.set(beside.name, beside.value);
  const answer = await fetch('/dashboard/passkey-options', { method: 'POST', body: said });
  if (answer.status === 404) throw new Error('There is no passkey to ask for. Is the tenant right?');
  if (!answer.ok) throw new Error('The service did not answer. Try again.');
  return (await answer.json()) as Asked;
}

function ask(what: string, { publicKey }: Asked): Promise<Credential | null> {
  if (what === 'register') {
    return navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(publicKey as PublicKeyCredentialCreationOptionsJSON),
    });
  }
  return navigator.credentials.get({
    publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey as PublicKeyCredentialRequestOptionsJSON),
  });
}

function wordsOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'InvalidStateError') return 'This device has a passkey here already.';
  if (error instanceof DOMException && error.name === 'NotAllowedError')
    return 'The browser did not finish, or you said no. Try again.';
  return error instanceof Error ? error.message : 'That did not work. Try again.';
}

export {};
