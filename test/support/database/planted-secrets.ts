/** What a feature's planted.ts may export as `plantSecrets`: secrets that are written and must be found nowhere. */
import type { ApiClient, MemberBody } from '../app/api-client.ts';
import type { TestApp, TestTenant } from '../app/test-app.ts';
import { gatherFromFeatures } from '../gather.ts';

export interface SecretsGround {
  app: TestApp;
  tenant: TestTenant;
  client: ApiClient;
  member: MemberBody;
  /** A text that may be found. */
  visible: string;
}

export interface PlantedSecrets {
  secrets: Record<string, string | Buffer>;
  /** The tables where they stand sealed or digested, and must be in the dump. */
  tables: string[];
  /** Of vendors: these must not be in an answer either. */
  vendorSecrets?: Record<string, string>;
  /** Answers to requests that held them. */
  answers?: string[];
  /** What those answers must say, to show that they are what is meant. */
  answered?: string[];
}

export type PlantSecrets = (ground: SecretsGround) => Promise<PlantedSecrets>;

export async function plantSecrets(ground: SecretsGround): Promise<PlantedSecrets[]> {
  const planted: PlantedSecrets[] = [];
  for (const { name, value } of await gatherFromFeatures('planted.ts')) {
    if (name === 'plantSecrets') planted.push(await (value as PlantSecrets)(ground));
  }
  return planted;
}
