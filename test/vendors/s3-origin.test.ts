/** The origin that the policy of the pages names is the one of the addresses that are signed (docs/specification/pages.md#policy). */
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { openDocumentStore } from '../../src/open-storage.ts';
import { createS3Storage } from '../../src/vendors/storage/s3.ts';

const AWS = undefined;
const MINIO = 'https://minio.example';
const FRANKFURT = 'eu-central-1';

describe.each([false, true])('path style %s', (forcePathStyle) => {
  test.each([
    ['papers', FRANKFURT, AWS, 'https://papers.s3.eu-central-1.amazonaws.com'],
    ['papers', 'us-east-1', AWS, 'https://papers.s3.us-east-1.amazonaws.com'],
    ['papers', 'aws-global', AWS, 'https://papers.s3.amazonaws.com'],
    ['papers', 'us-gov-west-1', AWS, 'https://papers.s3.us-gov-west-1.amazonaws.com'],
    ['papers', 'cn-north-1', AWS, 'https://papers.s3.cn-north-1.amazonaws.com.cn'],
    ['my.papers', FRANKFURT, AWS, 'https://s3.eu-central-1.amazonaws.com'],
    ['Papers_x', FRANKFURT, AWS, 'https://s3.eu-central-1.amazonaws.com'],
    ['PAPERS', 'cn-north-1', AWS, 'https://s3.cn-north-1.amazonaws.com.cn'],
    ['papers', FRANKFURT, MINIO, 'https://papers.minio.example'],
    ['papers', FRANKFURT, `${MINIO}:443`, 'https://papers.minio.example'],
    ['papers', FRANKFURT, `${MINIO}:9000/`, 'https://papers.minio.example:9000'],
    ['papers', FRANKFURT, `${MINIO}/below`, 'https://papers.minio.example'],
    ['my.papers', FRANKFURT, MINIO, 'https://minio.example'],
    ['my.papers', FRANKFURT, 'http://minio.example', 'http://minio.example'],
    ['Papers_x', FRANKFURT, MINIO, 'https://minio.example'],
    ['papers', FRANKFURT, 'http://127.0.0.1:9000', 'http://127.0.0.1:9000'],
    ['papers', FRANKFURT, 'http://localhost:9000', 'http://papers.localhost:9000'],
  ])('%s in %s at %s', async (bucket, region, endpoint, virtualHost) => {
    const credentials = { accessKeyId: 'test', secretAccessKey: 'testing' };
    const storage = createS3Storage({ bucket, region, endpoint, credentials, forcePathStyle, encryption: undefined });
    const origin = await storage.signedOrigin();
    const signed = new URL(await storage.createDownloadUrl({ key: 'a/1.pdf', fileName: 'a.pdf', expiresInSeconds: 60 }));
    storage.close();
    expect(origin).toBe(signed.origin);
    expect(origin).toBe(forcePathStyle ? virtualHost.replace(`//${bucket}.`, '//') : virtualHost);
  });
});

test('a directory bucket is not asked for a session', async () => {
  const bucket = 'papers--use1-az4--x-s3';
  const more = { endpoint: undefined, credentials: undefined, forcePathStyle: false, encryption: undefined };
  const storage = createS3Storage({ bucket, region: 'us-east-1', ...more });
  expect(await storage.signedOrigin()).toBe(`https://${bucket}.s3express-use1-az4.us-east-1.amazonaws.com`);
  storage.close();
});

describe('the store of documents', () => {
  const store = async (env: Record<string, string>): Promise<string | undefined> => {
    const opened = await openDocumentStore(
      loadConfig({ DATABASE_URL: 'postgres://nobody@localhost/none', ...env }, { needSecrets: false }),
      () => 'http://ours.example',
    );
    opened.storage.close();
    return opened.origin;
  };

  test('on disk has no other origin than ours', async () => {
    expect(await store({ OBJECT_STORAGE: 'disk' })).toBeUndefined();
  });

  test("in a bucket has the bucket's, also while the machine has no credentials", async () => {
    const env = { OBJECT_STORAGE: 's3', S3_BUCKET: 'my.papers', S3_REGION: 'cn-north-1' };
    expect(await store(env)).toBe('https://s3.cn-north-1.amazonaws.com.cn');
  });

  test('for which nothing can be signed has none, and the service starts', async () => {
    expect(await store({ OBJECT_STORAGE: 's3', S3_BUCKET: 'a/b' })).toBeUndefined();
  });
});
