import { AtSign, Check, Move, Palette } from 'lucide-react';
import type { TaskId } from '#contract/ids.ts';
import { type RefObject, useState, useSyncExternalStore, useEffect, useEffectEvent, useRef } from 'react';
import { type PromptTarget, useTaskForm } from '#web/forms/form-context.ts';
import { useImprovement, recentPromptsQuery } from '#web/api/queries/presets.ts';
import { Button } from '#web/ui/button.tsx';
import { ImprovePrompt } from './improve-prompt.tsx';
import { PresetsButton } from './presets-button.tsx';
import {
  canNameReferences,
  findUnknownMentions,
  listNamedReferences,
  removeMentions,
  renameMentions,
} from '#web/forms/reference-mentions.ts';
import { ReferencePicker } from './reference-picker.tsx';
import { replaceText, type TextBox } from './replace-text.ts';
import type { InputForm } from '#web/forms/input-form.ts';
import { cx } from '#web/ui/cx.ts';
import { leadingFrameUrl } from '#web/forms/match-ratio.ts';
import { findMovement, MOVEMENTS, toggleMovement } from './movements.ts';
import { PROMPT_STYLES } from './prompt-styles.ts';
import thumbnails from './style-thumbnails.webp';
import { addStyle, hasStyle, removeStyle } from './toggle-style.ts';
import { useQueryClient } from '@tanstack/react-query';
import { isMissingFeature } from '#web/api/api-errors.ts';
import { showToast } from '#web/ui/toast-store.ts';

/** Tasks whose prompts the service improves. */
const IMPROVED_TASKS: readonly TaskId[] = ['image.create', 'image.edit', 'video.create', 'video.edit'];

interface PromptToolsProps {
  /** The name of the text field. */
  field: string;
  box: RefObject<HTMLTextAreaElement | null>;
  target: PromptTarget;
}

/** Stays as it is when the form changes to another model. null: movements are shown for a picture that starts a clip. */
let shown: 'styles' | 'movements' | 'none' | null = null;

/** Presets, movements, styles and names of references, below the prompt. */
export function PromptTools({ field, box, target }: PromptToolsProps) {
  const { form, signedIn } = useTaskForm();
  const values = useSyncExternalStore(form.subscribe, form.values);
  const [chosen, setChosen] = useState(shown);
  const canImprove = useImprovement() !== null && signedIn && IMPROVED_TASKS.includes(target.task);
  const message = usePromptRecall(box, signedIn);
  useRenamedMentions(form, field);
  const value = values[field];
  const prompt = typeof value === 'string' ? value : '';
  const references = listNamedReferences(form.contract, values);
  const unknown = findUnknownMentions(prompt, references);

  const setPrompt = (text: string) => (box.current ? replaceText(box.current, text) : form.setValue(field, text));
  const hasMovements = target.task === 'video.create';
  const open = chosen ?? (leadingFrameUrl(form.contract, values) === null ? 'none' : 'movements');
  const toggle = (part: 'styles' | 'movements') => {
    shown = open === part ? 'none' : part;
    setChosen(shown);
  };
  const typeAt = () => {
    const element = box.current;
    if (!element) return;
    const [start, end] = [element.selectionStart, element.selectionEnd];
    element.focus();
    replaceText(element, /[\p{L}\p{N}_@]$/u.test(element.value.slice(0, start)) ? ' @' : '@', start, end);
  };
  return (
    <>
      <div className="-mx-1.5 flex min-h-8 flex-wrap items-center gap-1">
        {signedIn ? <PresetsButton {...target} form={form} field={field} /> : null}
        {hasMovements ? (
          <Button
            size="sm"
            variant="ghost"
            icon={<Move aria-hidden="true" className="size-4" />}
            aria-expanded={open === 'movements'}
            onClick={() => toggle('movements')}
          >
            Movement
          </Button>
        ) : null}
        <Button
          size="sm"
          variant="ghost"
          icon={<Palette aria-hidden="true" className="size-4" />}
          aria-expanded={open === 'styles'}
          onClick={() => toggle('styles')}
        >
          Styles
        </Button>
        {canNameReferences(form.contract) ? (
          <Button
            size="sm"
            variant="ghost"
            icon={<AtSign aria-hidden="true" className="size-4" />}
            onClick={typeAt}
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
      {hasMovements && open === 'movements' ? <MovementPicker prompt={prompt} onChange={setPrompt} /> : null}
      {unknown.length > 0 ? (
        <output className="flex flex-wrap items-center gap-x-2 text-sm text-amber-text">
          {unknown.join(', ')} {unknown.length === 1 ? 'names' : 'name'} no reference of this form.
          <Button size="sm" variant="ghost" onClick={() => setPrompt(removeMentions(prompt, unknown))}>
            Remove from the prompt
          </Button>
        </output>
      ) : null}
      <ReferencePicker box={box} references={references} />
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

/** Each movement writes its sentence into the prompt, in place of another one. */
function MovementPicker({ prompt, onChange }: { prompt: string; onChange: (prompt: string) => void }) {
  const current = findMovement(prompt);
  return (
    <ul aria-label="Movement" className="flex flex-wrap gap-1">
      {MOVEMENTS.map((movement) => (
        <li key={movement.label}>
          <button
            type="button"
            aria-pressed={movement === current}
            data-tooltip={movement.sentence}
            onClick={() => onChange(toggleMovement(prompt, movement))}
            className="h-7 rounded-full border border-line px-2.5 text-sm text-ink-2 transition-colors hover:border-line-strong hover:text-ink aria-pressed:border-amber aria-pressed:bg-amber-soft aria-pressed:text-ink pointer-coarse:h-11"
          >
            {movement.label}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Each style adds its words to the prompt, where they can be seen and changed, or removes them. */
function StylePicker({ prompt, onChange }: { prompt: string; onChange: (prompt: string) => void }) {
  return (
    <ul aria-label="Styles" className="grid grid-cols-[repeat(auto-fill,minmax(4.75rem,1fr))] gap-2">
      {PROMPT_STYLES.map(({ label, words }, at) => {
        const pressed = hasStyle(prompt, words);
        return (
          <li key={words}>
            <button
              type="button"
              aria-pressed={pressed}
              aria-label={label}
              data-tooltip={pressed ? `Remove “${words}”` : `Add “${words}”`}
              onClick={() => onChange(pressed ? removeStyle(prompt, words) : addStyle(prompt, words))}
              className="group/style flex w-full flex-col gap-1 rounded-md text-left"
            >
              <span
                style={{
                  backgroundImage: `url(${thumbnails})`,
                  backgroundSize: `${PROMPT_STYLES.length * 100}% 100%`,
                  backgroundPosition: `${(at / (PROMPT_STYLES.length - 1)) * 100}% 0`,
                }}
                className={cx(
                  'relative aspect-square w-full rounded-md border bg-sunken',
                  pressed
                    ? 'border-amber outline-2 -outline-offset-1 outline-amber'
                    : 'border-line group-hover/style:border-line-strong',
                )}
              >
                {pressed ? (
                  <span className="absolute top-1 right-1 flex size-5 items-center justify-center rounded-full bg-amber text-amber-ink">
                    <Check aria-hidden="true" className="size-3.5" />
                  </span>
                ) : null}
              </span>
              <span className={cx('truncate text-xs', pressed ? 'font-medium text-ink' : 'text-ink-2')}>{label}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
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
