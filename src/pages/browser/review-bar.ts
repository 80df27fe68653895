/** What waits to be sent, with the seconds that are left and a button to undo; and what could not be done. */
import type { Decision, Waits } from './review-decisions.ts';

interface Failure {
  decision: Decision;
  message: string;
  dropped: readonly Decision[];
  known: boolean;
  /** Leads to its record. */
  href: string;
}

export interface WaitingBar {
  show(waiting: readonly Waits[]): void;
  /** Says something to who sees the page and to who hears it. */
  tell(text: string): void;
  /** It was taken back; `href` leads to its record where another one is open. */
  undone(decision: Decision, href: string | undefined): void;
  /** What was refused, or, where it is not `known`, what may have been done or not. */
  fail(failure: Failure): void;
}

/** It stands behind the page's content and stays as records come and go. */
export function createWaitingBar(undo: () => void): WaitingBar {
  const bar = document.createElement('section');
  bar.className = 'review-bar';
  bar.setAttribute('aria-label', 'Decisions that wait');
  const faults = document.createElement('div');
  faults.setAttribute('role', 'alert');
  const said = document.createElement('p');
  said.className = 'review-said';
  said.setAttribute('role', 'status');
  const list = document.createElement('ul');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button';
  button.append('Undo ', keyed('u'));
  button.hidden = true;
  button.addEventListener('click', undo);
  const row = document.createElement('div');
  row.className = 'review-bar-row';
  row.append(said, list, button);
  bar.append(faults, row);
  document.querySelector('#main')?.after(bar);

  return {
    show(waiting) {
      button.hidden = waiting.every(({ isSending }) => isSending);
      list.replaceChildren(
        ...waiting.map(({ decision, seconds, isSending }) => {
          const item = document.createElement('li');
          const words = document.createElement('bdi');
          words.textContent = decision.words;
          const due = seconds > 0 ? ` in ${seconds} s` : ' waits for the one before it';
          item.append(words, isSending ? ' is being sent' : due);
          return item;
        }),
      );
    },

    tell(text) {
      said.textContent = text;
    },

    undone(decision, href) {
      said.replaceChildren(`Taken back: ${decision.words}. `, ...(href === undefined ? [] : [linkTo(href)]));
    },

    fail({ decision, message, dropped, known, href }) {
      const notice = document.createElement('div');
      notice.className = 'notice notice-bad';
      const text = document.createElement('p');
      const others = dropped.length > 0 ? ` Not sent either: ${dropped.map(({ words }) => words).join(', ')}.` : '';
      const outcome = known ? 'was not done' : 'may have been done or not: that is not known';
      text.append(`${decision.words} ${outcome}. ${message}${others} `, linkTo(href));
      const close = document.createElement('button');
      close.type = 'button';
      close.className = 'button';
      close.textContent = 'Close';
      close.addEventListener('click', () => notice.remove());
      notice.append(text, close);
      faults.append(notice);
    },
  };
}

/** Followed as any other link to a record. */
function linkTo(href: string): HTMLAnchorElement {
  const link = document.createElement('a');
  link.href = href;
  link.dataset['record'] = '';
  link.textContent = 'Open the record';
  return link;
}

function keyed(key: string): HTMLElement {
  const name = document.createElement('kbd');
  name.textContent = key;
  return name;
}
