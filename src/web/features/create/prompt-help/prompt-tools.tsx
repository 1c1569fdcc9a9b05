import { AtSign, Palette } from 'lucide-react';
import type { TaskId } from '#contract/ids.ts';
import { type RefObject, useState, useSyncExternalStore } from 'react';
import { type PromptTarget, useTaskForm } from '#web/forms/form-context.ts';
import { useImprovement } from '#web/api/queries/presets.ts';
import { Button } from '#web/ui/button.tsx';
import { ImprovePrompt } from './improve-prompt.tsx';
import { PresetsButton } from './presets-button.tsx';
import {
  canNameReferences,
  findUnknownMentions,
  listNamedReferences,
  removeMentions,
} from '#web/forms/reference-mentions.ts';
import { ReferencePicker } from './reference-picker.tsx';
import { replaceText } from './replace-text.ts';
import { StylePicker } from './style-picker.tsx';
import { usePromptRecall } from './use-prompt-recall.ts';
import { useRenamedMentions } from './use-renamed-mentions.ts';

/** Tasks whose prompts the service improves. */
const IMPROVED_TASKS: readonly TaskId[] = ['image.create', 'image.edit', 'video.create', 'video.edit'];

interface PromptToolsProps {
  /** The name of the text field. */
  field: string;
  box: RefObject<HTMLTextAreaElement | null>;
  target: PromptTarget;
}

/** Stays as it is when the form changes to another model. */
let shows_styles = false;

/** Presets, styles and names of references, below the prompt. */
export function PromptTools({ field, box, target }: PromptToolsProps) {
  const { form, signed_in } = useTaskForm();
  const values = useSyncExternalStore(form.subscribe, form.values);
  const [stylesOpen, setStylesOpen] = useState(shows_styles);
  const can_improve = useImprovement() !== null && signed_in && IMPROVED_TASKS.includes(target.task);
  const message = usePromptRecall(box, signed_in);
  useRenamedMentions(form, field);
  const value = values[field];
  const prompt = typeof value === 'string' ? value : '';
  const references = listNamedReferences(form.contract, values);
  const unknown = findUnknownMentions(prompt, references);

  const setPrompt = (text: string) => (box.current ? replaceText(box.current, text) : form.setValue(field, text));
  const toggleStyles = () => {
    shows_styles = !stylesOpen;
    setStylesOpen(shows_styles);
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
        {signed_in ? <PresetsButton {...target} form={form} field={field} /> : null}
        <Button
          size="sm"
          variant="ghost"
          icon={<Palette aria-hidden="true" className="size-4" />}
          aria-expanded={stylesOpen}
          onClick={toggleStyles}
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
        {can_improve ? (
          <ImprovePrompt key={`${target.task} ${target.model}`} box={box} prompt={prompt} target={target} />
        ) : null}
        <span className="sr-only" aria-live="polite">
          {message}
        </span>
      </div>
      {stylesOpen ? <StylePicker prompt={prompt} onChange={setPrompt} /> : null}
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
