import { ResponseLostError, UpstreamBusyError } from './upstream.ts';

/** What goes before the submit itself, such as an upload: when its answer is lost, the upstream has taken no job yet. */
export async function beforeSubmit<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ResponseLostError ? new UpstreamBusyError(error.message, { cause: error }) : error;
  }
}
