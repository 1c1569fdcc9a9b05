export type ToastTone = 'neutral' | 'good' | 'bad';

export interface ToastContent {
  /** What happened, a few words. */
  title: string;
  /** What was kept and what to do. */
  detail?: string;
  tone?: ToastTone;
  action?: { label: string; onPress: () => void };
  /** How long it stays; errors stay until they are dismissed. */
  duration_ms?: number;
}

export interface Toast extends ToastContent {
  id: number;
}

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function publish(next: readonly Toast[]) {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a short message at the edge of the window; at most four at once. Returns its id. */
export function showToast(content: ToastContent): number {
  lastId += 1;
  publish([...toasts.slice(-3), { ...content, id: lastId }]);
  return lastId;
}

/** Takes a message away; unknown ids are ignored. */
export function dismissToast(id: number): void {
  publish(toasts.filter((toast) => toast.id !== id));
}

/** For useSyncExternalStore. */
export const toastStore = {
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: () => toasts,
};
