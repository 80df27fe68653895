/** Why a process cannot start, in one line that names what to mend (docs/specification/reliability.md#f-13). */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bootErrorLines } from '../../src/boot-errors.ts';
import { type Config, ConfigError, loadConfig } from '../../src/config.ts';
import { refuseUnwritableData } from '../../src/data-dir.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'boot-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const fault = (fields: Partial<NodeJS.ErrnoException> & { address?: string }): Error =>
  Object.assign(new Error('as Node says it'), fields);

describe('a fault of the system', () => {
  test.each([
    [{ code: 'EACCES', syscall: 'listen' }, 'port: may not be opened by this user, as most below 1024; set PORT to another'],
    [{ code: 'EADDRINUSE', syscall: 'listen' }, 'port: already in use; set PORT to another'],
    [
      { code: 'EADDRNOTAVAIL', syscall: 'listen', address: '192.0.2.1' },
      'address: this machine has no 192.0.2.1; set HOST to one that it has',
    ],
    [{ code: 'EACCES', syscall: 'open', path: '/srv/x' }, 'files: /srv/x cannot be used by this user (EACCES)'],
    [{ code: 'EROFS', syscall: 'mkdir', path: '/srv/x' }, 'files: /srv/x cannot be used by this user (EROFS)'],
  ])('%j', (fields, line) => {
    expect(bootErrorLines(fault(fields), undefined)).toEqual([line]);
  });

  test('as the machine itself reports it', async () => {
    const error = await new Promise((resolve) => createServer().once('error', resolve).listen(0, '192.0.2.1'));
    expect(bootErrorLines(error, undefined)).toEqual(['address: this machine has no 192.0.2.1; set HOST to one that it has']);
  });
});

test('several faults have a line each', () => {
  expect(bootErrorLines(new Error('one\ntwo'), undefined)).toEqual(['one', 'two']);
});

describe('DATA_DIR', () => {
  const config = (changed: Partial<Config>): Config => ({ ...hosted, ...changed });
  const hosted = loadConfig({
    DATABASE_URL: 'postgres://db/service',
    API_KEY_PEPPER: Buffer.alloc(32, 1).toString('base64'),
    DATA_KEYS: `k1:${Buffer.alloc(32, 2).toString('base64')}`,
  });

  function linesOf(run: () => unknown): string[] {
    try {
      run();
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      return bootErrorLines(error, undefined);
    }
    return [];
  }

  test('below a file is refused, for documents and for the embedded database, with a line that names it', () => {
    const file = path.join(directory, 'file');
    writeFileSync(file, '');
    expect(linesOf(() => refuseUnwritableData(config({ DATA_DIR: file })))).toEqual([
      `configuration: DATA_DIR: ${file}/objects cannot be written by this user (ENOTDIR); documents are kept there unless OBJECT_STORAGE=s3`,
    ]);
    expect(linesOf(() => refuseUnwritableData(config({ DATA_DIR: file, OBJECT_STORAGE: 's3', embedded: true })))).toEqual([
      `configuration: DATA_DIR: ${file} cannot be written by this user (ENOTDIR); the embedded database and its secrets are kept there`,
    ]);
    expect(linesOf(() => loadConfig({ DATA_DIR: file }))).toEqual([
      `configuration: DATA_DIR: ${file}/secrets.json cannot be read or written by this user (EEXIST)`,
    ]);
  });

  test('of documents in a bucket is not looked at', () => {
    const nowhere = config({ DATA_DIR: '/proc/nowhere', OBJECT_STORAGE: 's3' });
    expect(linesOf(() => refuseUnwritableData(nowhere))).toEqual([]);
  });

  test('that can be written, or made, is left as it was', () => {
    for (const DATA_DIR of [directory, path.join(directory, 'a', 'b')]) {
      expect(linesOf(() => refuseUnwritableData(config({ DATA_DIR, embedded: true })))).toEqual([]);
    }
    mkdirSync(path.join(directory, 'objects'));
    expect(linesOf(() => refuseUnwritableData(config({ DATA_DIR: directory })))).toEqual([]);
    expect(readdirSync(directory, { recursive: true })).toEqual(['objects']);
  });

  test.skipIf(process.platform !== 'linux')('of a file system that takes no files is refused', () => {
    expect(linesOf(() => refuseUnwritableData(config({ DATA_DIR: '/proc/nowhere' })))).toEqual([
      expect.stringMatching(/^configuration: DATA_DIR: \/proc\/nowhere\/objects cannot be written by this user \(\w+\);/),
    ]);
  });
});
