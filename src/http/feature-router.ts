/**
 * One Express router for the routes of a feature. In front of each keyed route stand the same steps as middleware,
 * in this order: the key (with X-Environment), its count against the limits, a place among the tenant's requests, the
 * bearer token, the scope, the body. What is asked of every caller, whatever way it comes, run-operation.ts asks behind
 * them. The place is left at the end, by the handler's or by an error's. They stand on the routes and never on the router:
 * an unknown path is 404 and an open one is open, whatever key came along.
 */
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import type { z } from 'zod';
import { AppError } from '../errors.ts';
import { openByteStream } from './byte-stream.ts';
import { callerOf, type KeyedSteps, leavePlace, rawBodyOf } from './keyed-steps.ts';
import { prefersCsv } from './list-as-csv.ts';
import type { OpenCall, Operation, Origin, ReceiverCall } from './operation.ts';
import { requestIdOf } from './request-log.ts';
import type { Route } from './route.ts';
import { type Asked, type OperationRunner, writes } from './run-operation.ts';
import { sendFile, sendPieces, sendWhole } from './send-answer.ts';
import { validateInput } from './validate-input.ts';
import { type BodyReader, readRawBody, refuseRepeatedParameters } from './wire-guard.ts';

export interface RouterKit {
  steps: KeyedSteps;
  runner: OperationRunner;
  bodyReader: BodyReader;
}

type RouteOf<Kind extends Route['kind']> = Extract<Route, { kind: Kind }>;

export function createFeatureRouter(routes: readonly Route[], kit: RouterKit): Router {
  const { steps } = kit;
  const router = newRouter();
  for (const route of routes) {
    if (route.kind === 'plain') {
      router[route.method](route.path, ...route.handlers);
      continue;
    }
    const { operation } = route;
    const path = operation.path.replace(/\{(\w+)\}/g, ':$1');
    const { apiKey, countRequest, bearerToken } = steps;
    const place = steps.takePlace(operation, route.kind === 'upload' ? 'upload' : 'request');
    const caller = [apiKey(operation), countRequest, place, bearerToken, steps.requireScope(operation)];
    if (route.kind === 'keyed') {
      const body = writes(operation) ? [steps.readBody(operation)] : [];
      router[operation.method](path, ...caller, ...body, leaving(keyed(route, kit)), leaveOnError);
    } else if (route.kind === 'upload') {
      router[operation.method](path, ...caller, leaving(upload(route, kit)), leaveOnError);
    } else {
      router[operation.method](path, route.kind === 'open' ? open(route, kit) : receiver(route));
    }
  }
  return router;
}

/** Paths are told apart to the letter. */
export function newRouter(): Router {
  return Router({ caseSensitive: true, strict: true });
}

function leaving(handler: (req: Request, res: Response) => Promise<void>): RequestHandler {
  return (req, res) => handler(req, res).finally(() => leavePlace(res));
}

const leaveOnError: ErrorRequestHandler = (error, _req, res, next) => {
  leavePlace(res);
  next(error);
};

function keyed(route: RouteOf<'keyed'>, { runner, steps }: RouterKit): (req: Request, res: Response) => Promise<void> {
  const { operation } = route;
  return async (req, res) => {
    if (operation.csv) {
      res.vary('Accept');
      const goOn = () => steps.stillMay(operation, req, res);
      if (prefersCsv(req)) return sendPieces(res, await runner.runCsv(route, askedOf(req, res), goOn), 'text/csv');
    }
    const answer = await runner.run(route, askedOf(req, res));
    if ('pieces' in answer) await sendPieces(res, answer, operation.produces);
    else if ('bytes' in answer) sendFile(res, answer, operation.produces);
    else sendWhole(res, answer);
  };
}

function upload(route: RouteOf<'upload'>, { runner }: RouterKit): (req: Request, res: Response) => Promise<void> {
  const { operation, maxBytes } = route;
  return async (req, res) => {
    const open = () => openByteStream(req, res, { type: operation.consumes, maxBytes });
    sendWhole(res, await runner.runUpload(route, askedOf(req, res), open));
  };
}

function askedOf(req: Request, res: Response): Asked {
  refuseRepeatedParameters(req.query);
  return {
    caller: callerOf(res),
    sent: { params: req.params, query: req.query, body: rawBodyOf(res) },
    url: req.originalUrl,
    idempotencyKey: req.get('idempotency-key'),
    origin: originOf(req),
  };
}

function open({ operation, handler, countRefusal }: RouteOf<'open'>, { bodyReader }: RouterKit): RequestHandler {
  return async (req, res) => {
    const raw = await bodyReader.read(req, res, operation.bodyLimit);
    const { body } = validateInput(operation, req, raw) as Pick<OpenCall<z.ZodType>, 'body'>;
    try {
      const result = await handler({
        body,
        tenantHeader: req.get('x-tenant-id'),
        requestId: requestIdOf(res),
        ip: req.ip ?? null,
        ranIn: ranIn(res),
      });
      sendUsual(res, operation, result);
    } catch (error) {
      if (error instanceof AppError && error.status === 401) await countRefusal(req, res);
      throw error;
    }
  };
}

function receiver({ operation, handler }: RouteOf<'receiver'>): RequestHandler {
  return async (req, res) => {
    const { query } = validateInput(withoutBody(operation), req, undefined) as Pick<ReceiverCall<z.ZodType>, 'query'>;
    const rawBody = await readRawBody(req, res);
    const result = await handler({
      query,
      rawBody,
      requestId: requestIdOf(res),
      header: (name) => req.get(name),
      ranIn: ranIn(res),
    });
    sendUsual(res, operation, result);
  };
}

/** Where `body` describes what comes as bytes, it does not validate. */
function withoutBody({ body: _described, ...operation }: Operation): Operation {
  return operation;
}

function ranIn(res: Response): (environment: string) => void {
  return (environment) => void res.setHeader('X-Environment', environment);
}

function sendUsual(res: Response, { response, success }: Operation, result: unknown): void {
  sendWhole(res, { status: success[0]?.status ?? 200, body: JSON.stringify(response.parse(result)) });
}

function originOf(req: Request): Origin {
  return { ip: req.ip ?? '', userAgent: req.get('user-agent') ?? null };
}
