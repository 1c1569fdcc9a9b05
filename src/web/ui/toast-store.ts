import { createAtom } from '@tanstack/react-store';

export type ToastTone = 'neutral' | 'good' | 'bad';

export interface ToastContent {
  title: string;
  detail?: string;
  tone?: ToastTone;
  action?: { label: string; onPress: () => void };
  /** How long it stays; null: until it is dismissed, as errors do. */
  duration_ms?: number | null;
}

export interface Toast extends ToastContent {
  id: number;
}

export const toastStore = createAtom<readonly Toast[]>([]);
let lastId = 0;

const MAX_SHOWN = 4;

/** Whether it stays until it is dismissed. */
export const isLasting = ({ tone, duration_ms }: ToastContent): boolean =>
  duration_ms === null || (tone === 'bad' && duration_ms === undefined);

/** Shows four messages at once; more only if they are errors, which stay until they are dismissed. @returns its id */
export function showToast(content: ToastContent): number {
  lastId += 1;
  const toast = { ...content, id: lastId };
  toastStore.set((toasts) => {
    const passing = toasts.filter((each) => !isLasting(each));
    const dropped = new Set(passing.slice(0, Math.max(0, toasts.length + 1 - MAX_SHOWN)));
    return [...toasts.filter((each) => !dropped.has(each)), toast];
  });
  return toast.id;
}

export function dismissToast(id: number): void {
  toastStore.set((toasts) => toasts.filter((toast) => toast.id !== id));
}
