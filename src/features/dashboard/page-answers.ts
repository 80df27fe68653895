/** How pages become answers: the frame around them, the errors in words, and the way back of a form. */
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { type Constraints, fromDatabaseError } from '../../db/constraints.ts';
import { AppError, type FieldFault } from '../../errors.ts';
import type { InvokedFile } from '../../http/invoke.ts';
import { savedAs } from '../../http/operation.ts';
import { requestIdOf } from '../../http/request-log.ts';
import { levelOf } from '../../log-level.ts';
import type { Assets } from '../../pages/asset-files.ts';
import { type Drawn, type Html, html } from '../../pages/html.ts';
import { drawAlone } from '../../pages/page.ts';
import { setPageHeaders } from '../../pages/policy.ts';
import { themeOf } from './page-cookies.ts';

export interface Answers {
  send(res: Response, status: number, document: Html): void;
  sendJson(res: Response, data: unknown): void;
  /** To be saved, never shown in the place of a page. */
  sendFile(res: Response, file: InvokedFile): void;
  /** Where to go on with GET. */
  goTo(res: Response, address: string): void;
  /** What was thrown, as the API would name it; notes it for the request's line in the log. */
  known(thrown: unknown, res: Response): AppError;
  /** A page outside the frame that says what went wrong. */
  sendFault(req: Request, res: Response, error: AppError, back?: Drawn): void;
  sendAlone(
    req: Request,
    res: Response,
    status: number,
    what: { title: string; lead?: Drawn; body: Drawn; scripts?: readonly string[] },
  ): void;
}

export function createAnswers(deps: { assets: Assets; policy: string; logger: Logger; constraints: Constraints }): Answers {
  const { assets, policy, logger, constraints } = deps;

  function send(res: Response, status: number, document: Html): void {
    setPageHeaders(res, policy);
    res.status(status).type('html').send(document.text);
  }

  const answers: Answers = {
    send,

    sendJson(res, data) {
      setPageHeaders(res, policy);
      res.type('application/json').send(JSON.stringify(data));
    },

    sendFile(res, { name, type, bytes }) {
      setPageHeaders(res, policy);
      res.set(savedAs(name)).type(type).send(bytes);
    },

    goTo(res, address) {
      setPageHeaders(res, policy);
      res.status(303).setHeader('Location', address);
      res.end();
    },

    known(thrown, res) {
      const requestId = requestIdOf(res);
      const found = thrown instanceof AppError ? thrown : fromDatabaseError(thrown, constraints);
      const error = found ?? new AppError('INTERNAL_ERROR', 'Unexpected server error', { details: { requestId }, cause: thrown });
      if (error.status >= 500 && error.status !== 503) logger[levelOf(error)]({ err: thrown, requestId }, 'a page failed');
      res.locals['errorCode'] = error.code;
      return error;
    },

    sendFault(req, res, error, back) {
      if (error.retryAfterSeconds !== undefined) res.setHeader('Retry-After', String(error.retryAfterSeconds));
      const { title, lead } = wordsOf(error);
      const about = faultBody(error, res);
      answers.sendAlone(req, res, error.status, {
        title,
        lead,
        body: html`${about}<p>${back ?? html`<a class="button" href="/dashboard">To the dashboard</a>`}</p>`,
      });
    },

    sendAlone(req, res, status, { scripts, ...what }) {
      send(res, status, drawAlone({ assets, theme: themeOf(req), ...(scripts && { scripts }) }, what));
    },
  };
  return answers;
}

/** Whatever is thrown becomes a page. */
export function handling(
  { answers }: { answers: Answers },
  handler: (req: Request, res: Response) => Promise<void>,
): RequestHandler {
  return async (req, res) => {
    try {
      await handler(req, res);
    } catch (thrown) {
      if (res.headersSent) throw thrown;
      answers.sendFault(req, res, answers.known(thrown, res));
    }
  };
}

/** What the page of an error says. */
export function wordsOf(error: AppError): { title: string; lead: string } {
  if (error.status === 404)
    return { title: 'Nothing is here', lead: 'There is no such page or thing in this tenant and environment.' };
  if (error.status === 403) return { title: 'You may not do this', lead: error.message };
  if (error.status === 429) return { title: 'Too many requests', lead: error.message };
  if (error.status === 503)
    return { title: 'Not available just now', lead: 'The service cannot answer now. Nothing was lost; try again in a moment.' };
  if (error.status >= 500) return { title: 'Something went wrong', lead: 'The fault is ours, and it is in our log.' };
  return { title: 'This cannot be shown', lead: error.message };
}

/** The id by which the log knows the request. */
export function faultBody(error: AppError, res: Response): Html {
  const faults = fieldsOf(error);
  return html`${faults.length > 0 && html`<ul>${faults.map(({ field, message }) => html`<li><code>${field}</code> ${message}</li>`)}</ul>`}<p class="muted">Request <code>${requestIdOf(res)}</code></p>`;
}

export function fieldsOf(error: AppError): FieldFault[] {
  const fields = error.details?.['fields'];
  return Array.isArray(fields) ? (fields as FieldFault[]) : [];
}
