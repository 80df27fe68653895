/** docker-compose.yml without an engine: what `docker compose` makes of it, as far as the file uses it. */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

export interface Service {
  image?: string;
  build?: string | { context: string; dockerfile?: string };
  user?: string;
  entrypoint?: string[];
  command?: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  volumes?: string[];
  tmpfs?: string[];
  networks?: string[];
  ports?: string[];
  expose?: string[];
  profiles?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  healthcheck?: {
    test?: string[];
    disable?: boolean;
    interval?: string;
    timeout?: string;
    start_period?: string;
    retries?: number;
  };
  logging?: { driver: string; options: Record<string, string> };
  deploy?: { resources: Record<'limits' | 'reservations', { cpus?: string; memory?: string; pids?: number }> };
  depends_on?: Record<string, { condition: string }>;
  restart?: string;
  stop_grace_period?: string;
}

export interface ComposeFile {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  networks: Record<string, { internal?: boolean } | null>;
  secrets: Record<string, { file: string }>;
}

const root = path.join(import.meta.dirname, '../../..');
const text = readFileSync(path.join(root, 'docker-compose.yml'), 'utf8');

/** The comment at the head of the file. */
export const composeHead = text.slice(0, text.search(/^[^#\n]/m));
/** All behind it, without comments. */
export const composeBody = text.slice(composeHead.length).replace(/^\s*#.*$/gm, '');

/** The interpolation of the compose specification, as far as the file uses it: ${NAME:-default} and ${NAME:?message}. */
export function interpolate(source: string, env: Readonly<Record<string, string>>): string {
  return source.replace(/\$(\$|\{(\w+)(?:(:[-?])([^}]*))?\})?/g, (whole, _rest, name?: string, operator?: string, word = '') => {
    if (whole === '$$') return '$';
    if (name === undefined || operator === undefined) throw new Error(`${whole} is not \${NAME:-default} or \${NAME:?message}`);
    const value = env[name];
    if (value !== undefined && value !== '') return value;
    if (operator === ':?') throw new Error(`required variable ${name} is missing a value: ${word}`);
    return word;
  });
}

/** The variables that the file takes from the environment or from `.env`. */
export const composeVariables = [...composeBody.matchAll(/(?<!\$)\$\{(\w+)(:[-?])([^}]*)\}/g)].map(
  ([, name = '', operator = '', word = '']) => ({ name, operator, word }),
);

/** The file as `docker compose` reads it when the environment has `env`. */
export function readCompose(env: Readonly<Record<string, string>> = {}): ComposeFile {
  return parse(interpolate(composeBody, env), { merge: true, uniqueKeys: true, strict: true }) as ComposeFile;
}

/**
 * The environment of a container of `service`, for a process outside of one: its secrets, and no others, lie in
 * `folder`, as copies of the files of that name in `secretsFolder`.
 */
export function environmentOf(service: Service, secretsFolder: string, folder: string): Record<string, string> {
  mkdirSync(folder, { recursive: true });
  for (const secret of service.secrets ?? []) copyFileSync(path.join(secretsFolder, secret), path.join(folder, secret));
  const entries = Object.entries(service.environment ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, value.replace(/^\/run\/secrets\b/, folder)]));
}
