import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { isAbort } from '#web/api/api-errors.ts';
import { useImprovePrompt } from '#web/api/queries/presets.ts';
import type { PromptTarget } from '#web/forms/form-context.ts';
import { addReplacement, findReplacement, type PromptImprovement, type Replacement } from './prompt-improvement.ts';
import { replaceText, type TextBox } from './replace-text.ts';

interface ImprovementOptions {
  box: RefObject<TextBox | null>;
  prompt: string;
  target: PromptTarget;
}

/** Improves the prompt in a text box. Leaving the form cancels it. */
export function usePromptImprovement({ box, prompt, target: { task, model } }: ImprovementOptions) {
  const { mutateAsync } = useImprovePrompt();
  const [improvement, setImprovement] = useState<PromptImprovement>({ status: 'idle' });
  const [replacements, setReplacements] = useState<readonly Replacement[]>([]);
  const running = useRef<AbortController | null>(null);
  const replacement = findReplacement(replacements, prompt);

  const cancel = () => {
    running.current?.abort();
    running.current = null;
    setImprovement({ status: 'idle' });
  };
  const replace = (after: string) => {
    const element = box.current;
    if (!element) return;
    const before = element.value;
    setReplacements((replaced) => addReplacement(replaced, { before, after }));
    replaceText(element, after);
  };
  const start = async () => {
    const element = box.current;
    if (!element || running.current || element.value.trim() === '') return;
    const sent = element.value;
    const controller = new AbortController();
    running.current = controller;
    setImprovement({ status: 'busy' });
    try {
      const { prompt: after } = await mutateAsync({ task, model, prompt: sent, signal: controller.signal });
      if (running.current !== controller) return;
      // Nothing that was typed meanwhile is lost.
      if (element.value !== sent) return setImprovement({ status: 'ready', after });
      replace(after);
      setImprovement({ status: 'idle' });
    } catch (error) {
      if (running.current !== controller || isAbort(error)) return;
      const message = error instanceof Error ? error.message : 'Something went wrong. Try again.';
      setImprovement({ status: 'failed', message });
    } finally {
      if (running.current === controller) running.current = null;
    }
  };
  const use = (after: string) => {
    replace(after);
    setImprovement({ status: 'idle' });
    box.current?.focus();
  };
  const undo = () => {
    if (!replacement || !box.current) return;
    replaceText(box.current, replacement.before);
    box.current.focus();
  };

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const isUndo =
      event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    if (isUndo && replacement) undo();
    else if (event.key === 'Escape' && improvement.status === 'busy') cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const keydown = (event: Event) => onKeyDown(event as KeyboardEvent);
    element.addEventListener('keydown', keydown);
    return () => element.removeEventListener('keydown', keydown);
  }, [box]);
  const abort = useEffectEvent(() => {
    running.current?.abort();
    running.current = null;
  });
  useEffect(() => () => abort(), []);

  return {
    improvement,
    canUndo: replacement !== null,
    start,
    cancel,
    use,
    undo,
    dismiss: () => setImprovement({ status: 'idle' }),
  };
}
