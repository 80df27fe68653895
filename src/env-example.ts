/** `.env.example`, made from the schemas of the settings so that it cannot fall behind. */
import type { z } from 'zod';
import { configSchema } from './config.ts';
import { PASSWORD_FILES } from './config-files.ts';

/** The settings of the service, then those of its features. */
export function renderEnvExample(featureEnv: Readonly<Record<string, z.ZodType>>): string {
  const lines = [
    '# Settings of the service. Made by: npm run -s cli -- config example > .env.example',
    '# Every setting is optional unless it says required. Commented lines show the default.',
    '# Any setting NAME may stand in a file instead, one line, that NAME_FILE names: API_KEY_PEPPER_FILE=/run/secrets/api_key_pepper',
  ];
  for (const [name, schema] of Object.entries({ ...configSchema.shape, ...featureEnv })) {
    const parsed = schema.safeParse(undefined);
    const fallback = parsed.success && !Array.isArray(parsed.data) ? parsed.data : undefined;
    lines.push('', `# ${schema.description}`, `#${name}=${fallback ?? ''}`);
    const passwordFile = Object.keys(PASSWORD_FILES).find((variable) => PASSWORD_FILES[variable] === name);
    if (passwordFile) lines.push('', `# File with the password of ${name}, which then has none`, `#${passwordFile}=`);
  }
  return `${lines.join('\n')}\n`;
}
