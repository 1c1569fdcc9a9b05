/** A workflow that cannot be used. The message is a sentence for the administrator who pasted it. */
export class WorkflowError extends Error {
  override readonly name = 'WorkflowError';
}
