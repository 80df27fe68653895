/** `.env.example`, made from the configuration schema so that it cannot fall behind. */
import { configSchema } from './config.ts';

export function renderEnvExample(): string {
  const lines = [
    '# Settings of the service. Made from src/config.ts by: npm run -s cli -- config example > .env.example',
    '# Every setting is optional unless it says required. Commented lines show the default.',
  ];
  for (const [name, schema] of Object.entries(configSchema.shape)) {
    const parsed = schema.safeParse(undefined);
    const fallback = parsed.success && !Array.isArray(parsed.data) ? parsed.data : undefined;
    lines.push('', `# ${schema.description}`, `#${name}=${fallback ?? ''}`);
  }
  return `${lines.join('\n')}\n`;
}
