import type { ValidationProblem } from '#server/core/validation-problems.ts';

/** Keys as the services in use make them; prose has no digits in its long words. */
const KEY = new RegExp(
  [
    'sk-(?=\\S*\\d)[\\w-]{16,}',
    'r8_\\w{16,}',
    'xai-\\w{16,}',
    'AIza[\\w-]{30,}',
    'AKIA[A-Z0-9]{12,}',
    'gh[pousr]_\\w{20,}',
    'hf_\\w{20,}',
    'mgs_(?:org|usr|pub)_\\w{16,}',
    '(?:Bearer|Key|Token|Basic) (?=\\S*\\d)[\\w.:+/=-]{12,}',
    '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:[0-9a-f]{24,}',
  ]
    .map((shape) => `(?<!\\w)${shape}`)
    .join('|'),
);
/** Names under which a literal can only be a secret. */
const SECRET_NAME = /^(authorization|cookie|(x-)?(api|auth|access)[-_]?(key|token)|api_key|token|secret|password)$/i;
const HINT =
  'holds what looks like a key: put it into an environment variable, and name that in “api_key_env” of the engine';

/** Where a secret stands in the file itself. It is not shown. */
export function findLiteralKeys(value: unknown, path: readonly string[] = []): ValidationProblem[] {
  if (typeof value === 'string') {
    const name = path.at(-1) ?? '';
    const is_secret = KEY.test(value) || (SECRET_NAME.test(name) && value !== '' && !value.includes('{{'));
    return is_secret ? [{ path: path.join('.'), message: HINT }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => findLiteralKeys(part, [...path, key]));
}
