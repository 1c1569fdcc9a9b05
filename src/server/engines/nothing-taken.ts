import { AnswerLost, UpstreamBusy } from './upstream.ts';

/** What goes before the submit itself, such as an upload: when its answer is lost, the upstream has taken no job yet. */
export async function nothingTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof AnswerLost ? new UpstreamBusy(error.message, { cause: error }) : error;
  }
}
