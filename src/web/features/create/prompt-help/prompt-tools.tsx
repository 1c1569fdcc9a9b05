import { AtSign, Move, Palette } from 'lucide-react';
import type { TaskId } from '#contract/ids.ts';
import { type RefObject, useState, useSyncExternalStore, useEffect, useEffectEvent, useRef } from 'react';
import { type PromptTarget, useTaskForm } from '#web/forms/form-context.ts';
import { useImprovement, recentPromptsQuery } from '#web/api/queries/presets.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { ImprovePrompt } from './improve-prompt.tsx';
import { PresetsButton } from './presets-button.tsx';
import { MovementPicker, StylePicker } from './prompt-pickers.tsx';
import {
  canNameReferences,
  findUnknownMentions,
  listNamedReferences,
  removeMentions,
  renameMentions,
} from '#web/forms/values/reference-mentions.ts';
import { ReferencePicker, type ReferencePickerHandle } from './reference-picker.tsx';
import { replaceText, type TextBox } from './replace-text.ts';
import type { InputForm } from '#web/forms/values/input-form.ts';
import { leadingFrameUrl } from '#web/forms/models/match-ratio.ts';
import { useQueryClient } from '@tanstack/react-query';
import { showToast } from '#web/ui/overlays/toast-store.ts';

/** Tasks whose prompts the service improves. */
const IMPROVED_TASKS: readonly TaskId[] = ['image.create', 'image.edit', 'video.create', 'video.edit'];

const PARTS = [
  ['movements', 'Movement', Move],
  ['styles', 'Styles', Palette],
] as const;
type Part = (typeof PARTS)[number][0];

interface PromptToolsProps {
  /** The name of the text field. */
  field: string;
  box: RefObject<HTMLTextAreaElement | null>;
  target: PromptTarget;
}

/** Survives a change of the model. null: movements are shown for a picture that starts a clip. */
let shown: Part | 'none' | null = null;
const saveShown = (next: Part | 'none') => (shown = next);

/** Presets, movements, styles and names of references, below the prompt. */
export function PromptTools({ field, box, target }: PromptToolsProps) {
  const { form, signedIn } = useTaskForm();
  const values = useSyncExternalStore(form.subscribe, form.values);
  const [chosen, setChosen] = useState(shown);
  const canImprove = useImprovement() !== null && signedIn && IMPROVED_TASKS.includes(target.task);
  const picker = useRef<ReferencePickerHandle>(null);
  const message = usePromptRecall(box, signedIn);
  useRenamedMentions(form, field);
  const value = values[field];
  const prompt = typeof value === 'string' ? value : '';
  const references = listNamedReferences(form.contract, values);
  const unknown = findUnknownMentions(prompt, references);

  const setPrompt = (text: string) => (box.current ? replaceText(box.current, text) : form.setValue(field, text));
  const parts = target.task === 'video.create' ? PARTS : PARTS.slice(1);
  const open = chosen ?? (leadingFrameUrl(form.contract, values) === null ? 'none' : 'movements');
  const toggle = (part: Part) => setChosen(saveShown(open === part ? 'none' : part));
  return (
    <>
      <div className="-mx-1.5 flex min-h-8 flex-wrap items-center gap-1">
        {signedIn ? <PresetsButton {...target} form={form} field={field} /> : null}
        {parts.map(([part, label, Icon]) => (
          <Button
            key={part}
            size="sm"
            variant="ghost"
            icon={<Icon aria-hidden="true" className="size-4" />}
            aria-expanded={open === part}
            onClick={() => toggle(part)}
          >
            {label}
          </Button>
        ))}
        {canNameReferences(form.contract) ? (
          <Button
            size="sm"
            variant="ghost"
            icon={<AtSign aria-hidden="true" className="size-4" />}
            onClick={() => picker.current?.open()}
            data-tooltip="Name a reference in the prompt (type @)"
          >
            Reference
          </Button>
        ) : null}
        {canImprove ? (
          <ImprovePrompt key={`${target.task} ${target.model}`} box={box} prompt={prompt} target={target} />
        ) : null}
        <span className="sr-only" aria-live="polite">
          {message}
        </span>
      </div>
      {open === 'styles' ? <StylePicker prompt={prompt} onChange={setPrompt} /> : null}
      {parts === PARTS && open === 'movements' ? <MovementPicker prompt={prompt} onChange={setPrompt} /> : null}
      {unknown.length > 0 ? (
        <output className="flex flex-wrap items-center gap-x-2 text-sm text-amber-text">
          {unknown.join(', ')} {unknown.length === 1 ? 'names' : 'name'} no reference of this form.
          <Button size="sm" variant="ghost" onClick={() => setPrompt(removeMentions(prompt, unknown))}>
            Remove from the prompt
          </Button>
        </output>
      ) : null}
      <ReferencePicker ref={picker} box={box} references={references} />
    </>
  );
}

/** Keeps the names of references in the prompt true while references are moved or removed. */
function useRenamedMentions(form: InputForm, field: string): void {
  useEffect(() => {
    const read = () => ({
      prompt: form.values()[field],
      references: listNamedReferences(form.contract, form.values()),
    });
    let before = read();
    return form.subscribe(() => {
      const { prompt, references } = read();
      const [earlier, isSamePrompt] = [before.references, prompt === before.prompt];
      before = { prompt, references };
      // Undo and presets replace the prompt together with its references.
      if (!isSamePrompt || typeof prompt !== 'string') return;
      const renamed = renameMentions(prompt, earlier, references);
      if (renamed !== prompt) form.setValue(field, renamed);
    });
  }, [form, field]);
}

/**
 * Recalls one's own recent prompts: Up in an empty box takes the latest, again an older one; Down goes back.
 * @returns what a screen reader is told
 */
function usePromptRecall(box: RefObject<TextBox | null>, enabled: boolean): string {
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
    } catch {
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
