import { showToast } from './toast-store.ts';

/** Shows what failed, with the message of the error. */
export const showError = (title: string, error: unknown): void =>
  void showToast({ title, detail: error instanceof Error ? error.message : undefined, tone: 'bad' });

/** Returns an `onError` handler. */
export const toastError = (title: string) => (error: unknown) => showError(title, error);
