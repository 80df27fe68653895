/** The part of autocannon the bench uses; the package has no types of its own. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  namespace autocannon {
    interface Request {
      method?: string;
      path?: string;
      headers?: Record<string, string>;
      body?: string;
      /** Called before each sending; returns the request to send. */
      setupRequest?: (request: Request) => Request;
    }
    interface Client {
      setRequests(requests: Request[]): void;
    }
    interface Options {
      url: string;
      connections: number;
      duration: number;
      headers?: Record<string, string>;
      requests?: Request[];
      reconnectRate?: number;
      setupClient?: (client: Client) => void;
    }
    interface Result {
      duration: number;
      errors: number;
      timeouts: number;
      non2xx: number;
      '2xx': number;
      '3xx': number;
      statusCodeStats: Record<string, { count: number }>;
    }
    interface Run extends EventEmitter, PromiseLike<Result> {}
  }

  function autocannon(options: autocannon.Options): autocannon.Run;
  export = autocannon;
}
