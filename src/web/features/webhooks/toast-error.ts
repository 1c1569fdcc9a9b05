import { showToast } from '#web/ui/overlays/toast-store.ts';

/** Returns an `onError` handler that shows a title and the error's message. */
export const toastError = (title: string) => (error: unknown) =>
  void showToast({ title, detail: error instanceof Error ? error.message : undefined, tone: 'bad' });
