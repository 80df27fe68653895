/** Prints how large the OpenAPI document is and how much of it is described: `npm run docs:figures`. */
import { type Figures, figuresOf } from '../src/http/document/figures.ts';
import { readDocument } from './read-document.ts';

const { undescribed, ...figures }: Figures = figuresOf(JSON.parse(await readDocument()));
for (const [name, figure] of Object.entries(figures)) process.stdout.write(`${name.padEnd(24)} ${figure}\n`);
process.stdout.write(`${'undescribed'.padEnd(24)} ${undescribed.length}\n`);
if (process.argv.includes('--list')) for (const way of undescribed) process.stdout.write(`${way}\n`);
