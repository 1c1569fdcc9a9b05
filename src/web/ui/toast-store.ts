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

/** Shows at most four messages at once. @returns its id */
export function showToast(content: ToastContent): number {
  lastId += 1;
  const toast = { ...content, id: lastId };
  toastStore.set((toasts) => [...toasts.slice(-3), toast]);
  return toast.id;
}

export function dismissToast(id: number): void {
  toastStore.set((toasts) => toasts.filter((toast) => toast.id !== id));
}
