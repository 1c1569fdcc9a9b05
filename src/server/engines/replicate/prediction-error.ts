import { EngineError } from '../engine.ts';
import { contentRefusedError } from '../upstream-errors.ts';
import type { Prediction } from './prediction.ts';

/** The codes of a model's own filter; the numbers of four digits are of Replicate itself and documented. */
const CONTENT_FILTER = /\bE005\b|\bNSFW\b|flagged as sensitive/i;
const OUT_OF_MEMORY = /\bE1001\b|out of memory/i;
/** Unknown, not started in time, broken off: none of them is because of the input. */
const REPLICATE_ERRORS = /\bE(1000|6716|8367|8765|9243|9825)\b|prediction interrupted/i;

/** What became of a prediction that ended without success, for the person. @param clean makes its words fit for them */
export function predictionError(prediction: Prediction, clean: (text: string) => string): EngineError {
  const { error } = prediction;
  const said = clean(typeof error === 'string' ? error : error ? JSON.stringify(error) : '');
  const cause = new Error(`Prediction ${prediction.id} is ${prediction.status}: ${said}`);
  if (prediction.status !== 'failed') return stoppedError(prediction, cause);
  if (CONTENT_FILTER.test(said)) return contentRefusedError(said, cause);
  if (OUT_OF_MEMORY.test(said)) {
    return new EngineError('engine_failed', 'The model ran out of memory. Try a smaller size or fewer references.', {
      cause,
    });
  }
  const why = said === '' ? 'without saying why.' : `and says: ${/[.!?…]$/.test(said) ? said : `${said}.`}`;
  return new EngineError('engine_failed', `The model failed ${why}`, { retryable: REPLICATE_ERRORS.test(said), cause });
}

function stoppedError({ status, deadline, completed_at }: Prediction, cause: Error): EngineError {
  const late = deadline && completed_at && Date.parse(completed_at) >= Date.parse(deadline);
  if (status === 'aborted' || late) {
    return new EngineError('timeout', 'The model did not finish in the time it had.', { retryable: true, cause });
  }
  return new EngineError('engine_failed', 'The work was stopped at Replicate before it ended.', {
    retryable: true,
    cause,
  });
}
