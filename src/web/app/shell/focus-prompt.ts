import type { useRouter } from '@tanstack/react-router';
import { createPageLink } from '#web/api/create-page-link.ts';
import type { TaskId } from '#contract/ids.ts';
import { showToast } from '#web/ui/overlays/toast-store.ts';

type Router = ReturnType<typeof useRouter>;

const WAIT_MS = 10_000;
const PROMPT = 'main textarea[name=prompt], main input[name=query]';

/** Resolves with the text field of Create once it is there; null if the page was left or never showed one. */
async function awaitPrompt(): Promise<HTMLTextAreaElement | null> {
  const untilMs = Date.now() + WAIT_MS;
  while (Date.now() < untilMs) {
    const box = document.querySelector<HTMLTextAreaElement>(PROMPT);
    if (box) return box;
    await new Promise((resolve) => requestAnimationFrame(resolve));
    if (!location.pathname.startsWith('/create')) return null;
  }
  return null;
}

/** Focuses the prompt, with the caret at its end. Opens Create where there is none. */
export async function focusPrompt(router: Router): Promise<void> {
  const shown = document.querySelector<HTMLTextAreaElement>(PROMPT);
  if (!shown) await router.navigate(createPageLink('image.create'));
  const box = shown ?? (await awaitPrompt());
  box?.focus();
  box?.setSelectionRange(box.value.length, box.value.length);
}

/** Opens the form of a task with a prompt. What it replaces can be undone. */
export async function writePrompt(router: Router, task: TaskId, prompt: string): Promise<void> {
  await router.navigate(createPageLink(task));
  const box = await awaitPrompt();
  if (!box) return;
  const before = box.value;
  const set = (text: string) => {
    box.setRangeText(text, 0, box.value.length, 'end');
    box.dispatchEvent(new Event('input', { bubbles: true }));
  };
  set(prompt);
  box.focus();
  if (before.trim() !== '' && before !== prompt)
    showToast({ title: 'Prompt replaced', action: { label: 'Undo', onPress: () => set(before) } });
}
