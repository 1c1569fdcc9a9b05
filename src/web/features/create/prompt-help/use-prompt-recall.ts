import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { recentPromptsQuery } from '#web/api/queries/presets.ts';
import { isMissingFeature } from '#web/api/api-errors.ts';
import { showToast } from '#web/ui/toast-store.ts';
import { replaceText, type TextBox } from './replace-text.ts';

/**
 * Recalls one's own recent prompts: Up in an empty box takes the latest, again an older one; Down goes back.
 * @returns what a screen reader is told
 */
export function usePromptRecall(box: RefObject<TextBox | null>, enabled: boolean): string {
  const client = useQueryClient();
  const recalled = useRef<{ at: number; text: string } | null>(null);
  const [message, setMessage] = useState('');

  const recall = async (element: TextBox, at: number) => {
    const before = element.value;
    try {
      const prompts = (await client.fetchQuery(recentPromptsQuery)).filter(({ task }) => task !== 'social.search');
      // Something was typed meanwhile.
      if (element.value !== before) return;
      const text = at < 0 ? '' : prompts[at]?.prompt;
      if (text === undefined) return setMessage(prompts.length === 0 ? 'No recent prompts.' : 'No older prompt.');
      recalled.current = at < 0 ? null : { at, text };
      replaceText(element, text);
      setMessage(at < 0 ? 'Empty' : `Recent prompt ${at + 1} of ${prompts.length}`);
    } catch (error) {
      if (isMissingFeature(error)) return;
      showToast({ title: 'Recent prompts could not be loaded', detail: 'Try again in a moment.', tone: 'bad' });
    }
  };
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const element = box.current;
    if (!enabled || !element || event.defaultPrevented || event.isComposing) return;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const current = recalled.current?.text === element.value ? recalled.current : null;
    const at = current?.at ?? -1;
    if (event.key === 'ArrowUp' && (current || element.value === '')) void recall(element, at + 1);
    else if (event.key === 'ArrowDown' && current) void recall(element, at - 1);
    else {
      // Moving the caret ends it: from then on, the arrows belong to the text.
      if (/^(Arrow|Home|End)/.test(event.key)) recalled.current = null;
      return;
    }
    event.preventDefault();
  });
  const preload = useEffectEvent(() => {
    if (enabled) void client.prefetchQuery(recentPromptsQuery);
  });
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const keydown = (event: Event) => onKeyDown(event as KeyboardEvent);
    const focus = () => preload();
    const pointerdown = () => (recalled.current = null);
    const listeners = { keydown, focus, pointerdown };
    for (const [type, listener] of Object.entries(listeners)) element.addEventListener(type, listener);
    return () => {
      for (const [type, listener] of Object.entries(listeners)) element.removeEventListener(type, listener);
    };
  }, [box]);
  return message;
}
