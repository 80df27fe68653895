/** Decisions of a reviewer that wait: when they are sent, in which order, and what is taken back. Source: docs/specification/pages.md#reviews. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createDecisions, type Decision, type Sent, UNDO_MS } from '../../src/pages/browser/review-decisions.ts';
import { outcomeOf } from '../../src/pages/browser/review-outcome.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A desk, and everything that happened at it in words. */
function openDesk() {
  const log: string[] = [];
  const shown: string[][] = [];
  const decisions = createDecisions({
    changed: (waiting) => void shown.push(waiting.map(({ decision, seconds }) => `${decision.words} ${seconds}`)),
    sent: ({ words }) => void log.push(`done ${words}`),
    failed: ({ words }, message, dropped, known) =>
      void log.push(`${known ? 'failed' : 'unknown'} ${words}: ${message}${dropped.map((one) => `, not ${one.words}`).join('')}`),
  });
  const decide = (words: string, answer: () => Promise<Sent> = done, about = 'record', record = words): Decision => {
    const decision: Decision = {
      record,
      about,
      words,
      send() {
        log.push(`sent ${words}`);
        return answer();
      },
    };
    decisions.make(decision);
    return decision;
  };
  return { decisions, decide, log, shown };
}

const done = async (): Promise<Sent> => ({ kind: 'done' });
const refused = async (): Promise<Sent> => ({ kind: 'refused', message: 'It is decided.' });
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

describe('undo', () => {
  test('nothing is sent before ten seconds are over, and then once', async () => {
    const { decide, log } = openDesk();
    decide('one');
    await pass(UNDO_MS - 1);
    expect(log).toEqual([]);
    await pass(251);
    expect(log).toEqual(['sent one', 'done one']);
    await pass(60_000);
    expect(log).toEqual(['sent one', 'done one']);
  });

  test('what is taken back is never sent', async () => {
    const { decisions, decide, log } = openDesk();
    const decision = decide('one');
    await pass(UNDO_MS - 1);
    expect(decisions.undo()).toBe(decision);
    expect(decisions.undo()).toBeUndefined();
    expect(decisions.waiting()).toEqual([]);
    await pass(60_000);
    expect(log).toEqual([]);
  });

  test('the last one is taken back first, and the others are sent in their own time', async () => {
    const { decisions, decide, log } = openDesk();
    decide('one');
    await pass(4_000);
    decide('two');
    expect(decisions.undo()?.words).toBe('two');
    await pass(UNDO_MS - 4_000 + 250);
    expect(log).toEqual(['sent one', 'done one']);
  });

  test('what is on its way cannot be taken back', async () => {
    const { decisions, decide, log } = openDesk();
    let answer: (sent: Sent) => void = () => undefined;
    decide('one', () => new Promise((resolve) => (answer = resolve)));
    await pass(UNDO_MS + 250);
    expect(log).toEqual(['sent one']);
    expect(decisions.undo()).toBeUndefined();
    expect(decisions.waiting().map(({ seconds }) => seconds)).toEqual([0]);
    answer({ kind: 'done' });
    await pass(0);
    expect(decisions.waiting()).toEqual([]);
  });
});

describe('order', () => {
  test('each waits for the answer to the one before, and can be taken back until then', async () => {
    const { decisions, decide, log } = openDesk();
    let answer: (sent: Sent) => void = () => undefined;
    decide('one', () => new Promise((resolve) => (answer = resolve)));
    decide('two');
    decide('three');
    await pass(UNDO_MS + 30_000);
    expect(log).toEqual(['sent one']);
    expect(decisions.waiting().map(({ seconds, isSending }) => [seconds, isSending])).toEqual([
      [0, true],
      [0, false],
      [0, false],
    ]);
    expect(decisions.undo()?.words).toBe('three');
    answer({ kind: 'done' });
    await pass(250);
    expect(log).toEqual(['sent one', 'done one', 'sent two', 'done two']);
  });

  test('the last word on the same thing counts, and has ten seconds of its own', async () => {
    const { decisions, decide, log } = openDesk();
    decide('accept', done, 'paper', 'one');
    await pass(6_000);
    decide('refuse', done, 'paper', 'one');
    decide('approve', done, 'record', 'one');
    expect(decisions.waiting()).toHaveLength(2);
    await pass(6_000);
    expect(log).toEqual([]);
    await pass(5_000);
    expect(log).toEqual(['sent refuse', 'done refuse', 'sent approve', 'done approve']);
  });

  test('the same document of two records is two things', () => {
    const { decisions, decide } = openDesk();
    decide('approve one', done, 'record', 'one');
    decide('approve two', done, 'record', 'two');
    expect(decisions.waiting()).toHaveLength(2);
    expect(decisions.isDecided('one')).toBe(true);
    decisions.undo();
    expect(decisions.isDecided('two')).toBe(false);
  });

  test('a document that waits does not decide its record', () => {
    const { decisions, decide } = openDesk();
    decide('accept', done, 'paper', 'one');
    expect(decisions.isDecided('one')).toBe(false);
  });
});

describe('errors', () => {
  test('a refusal is told, and what follows it on the same record is not sent', async () => {
    const { decide, log } = openDesk();
    decide('accept', refused, 'paper', 'one');
    decide('approve', done, 'record', 'one');
    decide('other');
    await pass(UNDO_MS + 1_000);
    expect(log).toEqual(['sent accept', 'failed accept: It is decided., not approve', 'sent other', 'done other']);
  });

  test('whoever does not answer is asked again with pauses, and is given up on', async () => {
    const { decide, log } = openDesk();
    const answers: Sent[] = [{ kind: 'away' }, { kind: 'done' }];
    decide('one', async () => answers.shift() ?? { kind: 'away' });
    decide('two', () => Promise.reject(new TypeError('network')));
    await pass(UNDO_MS + 250);
    expect(log).toEqual(['sent one']);
    await pass(1_250);
    expect(log.slice(0, 4)).toEqual(['sent one', 'sent one', 'done one', 'sent two']);
    await pass(7_500);
    expect(log.filter((line) => line === 'sent two')).toHaveLength(4);
    expect(log.at(-1)).toMatch(/^unknown two: The service did not answer\./);
  });
});

describe('what a form was answered', () => {
  const json = 'application/json; charset=utf-8';
  interface Way {
    redirected?: boolean;
    type?: string;
    path?: string;
    retryAfter?: string;
  }
  test.each<[string, number, Way, string]>([
    ['the short answer', 200, { redirected: true, type: json }, 'done'],
    ['the page with what is wrong', 409, {}, 'refused'],
    ['no right', 403, {}, 'refused'],
    ['the sign-in', 200, { redirected: true, path: '/dashboard/sign-in?to=x' }, 'signed-out'],
    ['an error of ours', 500, {}, 'away'],
    ['one who is still at it', 409, { retryAfter: '1' }, 'away'],
    ['too many', 429, {}, 'away'],
    ['what was done and cannot be shown', 404, { redirected: true }, 'away'],
    ['what was done, and another page', 200, { redirected: true }, 'away'],
  ])('%s', (_name, status, { redirected = false, type = 'text/html', path = '/dashboard/acme', retryAfter = '' }, outcome) => {
    const headers = new Headers({ 'content-type': type, ...(retryAfter !== '' && { 'retry-after': retryAfter }) });
    const url = `https://service.example${path}`;
    expect(outcomeOf({ ok: status < 300, status, redirected, url, headers })).toBe(outcome);
  });
});

test('the seconds that are left are told, each once', async () => {
  const { decide, shown } = openDesk();
  decide('one');
  await pass(3_000);
  expect(shown).toEqual([['one 10'], ['one 9'], ['one 8'], ['one 7']]);
});
