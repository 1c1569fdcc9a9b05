import { DrizzleQueryError } from 'drizzle-orm';

/** Fields of database errors that contain values of a row. */
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
 * Converts an error and its causes for the log, without query parameters: they contain prompts and hashes of keys.
 * @param error returned unchanged if it is not an error
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

/** Returns the stack without the message, which may have several lines. */
function stackFrames({ stack = '', message }: Error): string {
  const at = message === '' ? -1 : stack.indexOf(message);
  const frames = at === -1 ? stack.slice(stack.indexOf('\n') + 1) : stack.slice(at + message.length);
  return frames.trim();
}
