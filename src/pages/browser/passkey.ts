/**
 * Passkeys: a form with `data-passkey` asks the browser before it is sent, and the browser's answer goes into its field
 * `_answer` as JSON. `data-passkey="register"` makes a new one; its question stands in `data-question`.
 */
interface Asked {
  publicKey: PublicKeyCredentialCreationOptionsJSON | PublicKeyCredentialRequestOptionsJSON;
}

document.addEventListener(
  'submit',
  (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset['passkey'] === undefined || form.dataset['answered'] === 'yes') return;
    event.preventDefault();
    event.stopImmediatePropagation();
    void answerWith(form);
  },
  { capture: true },
);

async function answerWith(form: HTMLFormElement): Promise<void> {
  const told = form.querySelector<HTMLElement>('[role="alert"]');
  if (told) told.hidden = true;
  try {
    const credential = await ask(form.dataset['passkey'] ?? '', await optionsOf(form));
    const field = form.querySelector<HTMLInputElement>('[name="_answer"]');
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
async function optionsOf(form: HTMLFormElement): Promise<Asked> {
  const drawn = form.dataset['question'];
  if (drawn !== undefined) return { publicKey: JSON.parse(drawn) as Asked['publicKey'] };
  const said = new URLSearchParams({ for: form.dataset['passkey'] ?? '' });
  const beside = document.querySelector<HTMLInputElement>(form.dataset['with'] ?? '#none');
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
