import { DrizzleQueryError } from 'drizzle-orm';

/** Of an error of the database, what holds the values of a row. */
const REDACTED_FIELDS = new Set([
  'params',
  'query',
  'parameters',
  'detail',
  'where',
  'internalQuery',
  'cause',
  'errors',
]);
const MAX_CAUSES = 5;

interface SerializedError {
  type: string;
  message: string;
  stack: string;
  cause?: unknown;
  errors?: unknown[];
}

/**
 * An error as the log has it, with what caused it. What a query was given is left out: prompts and hashes of keys are among it.
 * @param error anything; what is no error is returned as it is
 */
export function serializeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const about = Object.fromEntries(Object.entries(error).filter(([name]) => !REDACTED_FIELDS.has(name)));
  const logged: SerializedError = {
    ...about,
    type: error.constructor.name,
    message: safeErrorMessage(error),
    stack: stackFrames(error),
  };
  if (depth === MAX_CAUSES) return logged;
  if (error.cause !== undefined) logged.cause = serializeError(error.cause, depth + 1);
  if (error instanceof AggregateError) logged.errors = error.errors.map((each) => serializeError(each, depth + 1));
  return logged;
}

const safeErrorMessage = (error: Error) =>
  error instanceof DrizzleQueryError ? `Failed query: ${error.query}` : error.message;

/** Where it was thrown; the stack begins with the message, which may have several lines. */
function stackFrames({ stack = '', message }: Error): string {
  const at = message === '' ? -1 : stack.indexOf(message);
  const frames = at === -1 ? stack.slice(stack.indexOf('\n') + 1) : stack.slice(at + message.length);
  return frames.trim();
}
