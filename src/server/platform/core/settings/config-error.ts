import type { VariableName } from './variables.ts';

/** An invalid setting; `message` is one sentence that names the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Returns the value of a variable; null if it is not set or empty. */
export type ReadText = (name: VariableName) => string | null;
