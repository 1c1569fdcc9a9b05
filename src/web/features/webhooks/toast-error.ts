import { showToast } from '#web/ui/toast-store.ts';

/** For `onError` of what has no form of its own: says what was not done, and why. */
export const toastError = (title: string) => (error: unknown) =>
  void showToast({ title, detail: error instanceof Error ? error.message : undefined, tone: 'bad' });
