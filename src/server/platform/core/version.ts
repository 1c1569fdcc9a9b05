import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../package.json'), 'utf8')) as {
  version: string;
};

/** The version of the program, such as `0.1.0`. The API has its own. Decision: Versions */
export const VERSION = version;
