/** Why work is aborted when this process shuts down. */
export class ShutdownError extends Error {
  constructor() {
    super('The service is shutting down.');
    this.name = 'ShutdownError';
  }
}

/** Returns whether an error, or the abort that it caused, comes from the shutdown of this process. */
export const isShutdownError = (error: unknown): boolean =>
  error instanceof ShutdownError || (error instanceof Error && error.cause instanceof ShutdownError);
