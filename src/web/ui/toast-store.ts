export type ToastTone = 'neutral' | 'good' | 'bad';

export interface ToastContent {
  title: string;
  detail?: string;
  tone?: ToastTone;
  action?: { label: string; onPress: () => void };
  /** How long it stays; null: until it is dismissed, as errors do. */
  durationMs?: number | null;
}

interface Toast extends ToastContent {
  id: string;
}

interface Toaster {
  show: (toast: Toast) => void;
  dismiss: (id: string) => void;
}

let waiting: Toast[] = [];
let toaster: Toaster = {
  show: (toast) => void waiting.push(toast),
  dismiss: (id) => void (waiting = waiting.filter((toast) => toast.id !== id)),
};
let lastId = 0;

/** Shows a message over the page; an error stays until it is dismissed. @returns its id */
export function showToast(content: ToastContent): string {
  lastId += 1;
  const id = `toast-${lastId}`;
  toaster.show({ ...content, id });
  return id;
}

export function dismissToast(id: string): void {
  toaster.dismiss(id);
}

/** Passes on the messages so far and from now on; the part of the page that shows them loads late. */
export function connectToaster(next: Toaster): void {
  toaster = next;
  for (const toast of waiting.splice(0)) next.show(toast);
}
