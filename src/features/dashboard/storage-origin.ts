/** The origin that members' documents are loaded from. */
import type { Config } from '../../config.ts';

/** Undefined where it is the service's own. */
export function storageOriginOf(
  config: Pick<Config, 'OBJECT_STORAGE' | 'S3_BUCKET' | 'S3_ENDPOINT' | 'S3_REGION' | 'S3_FORCE_PATH_STYLE'>,
): string | undefined {
  if (config.OBJECT_STORAGE !== 's3') return undefined;
  const { S3_BUCKET: bucket = '', S3_ENDPOINT: endpoint, S3_REGION: region } = config;
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (config.S3_FORCE_PATH_STYLE !== 'true') url.hostname = `${bucket}.${url.hostname}`;
  return url.origin;
}
