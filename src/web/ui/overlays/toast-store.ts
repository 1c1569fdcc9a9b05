export type ToastTone = 'neutral' | 'good' | 'bad';

export interface ToastContent {
  title: string;
  detail?: string;
  tone?: ToastTone;
  action?: { label: string; onPress: () => void };
  /** How long it stays; null: until it is dismissed, as errors do. */
  durationMs?: number | null;
}

type Show = (content: ToastContent) => void;

const waiting: ToastContent[] = [];
let show: Show = (content) => void waiting.push(content);

/** Shows a message over the page; an error stays until it is dismissed. */
export const showToast: Show = (content) => show(content);

/** Passes on the messages so far and from now on; the part of the page that shows them loads late. */
export function connectToaster(next: Show): void {
  show = next;
  for (const content of waiting.splice(0)) next(content);
}
