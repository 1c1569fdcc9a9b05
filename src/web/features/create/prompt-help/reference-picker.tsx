import { Tooltip } from '@base-ui/react/tooltip';
import { type Ref, type RefObject, useEffect, useEffectEvent, useId, useImperativeHandle, useState } from 'react';
import { ReferenceThumbnail } from '#web/forms/fields/reference-thumbnail.tsx';
import { useReferenceDetails } from '#web/api/queries/media.ts';
import { serviceMediaSrc } from '#web/api/reference-info.ts';
import { referenceName } from '#web/media/format-media.ts';
import { cx } from '#web/ui/cx.ts';
import { floatingProps } from '#web/ui/overlays/popover.tsx';
import { findTypedMention, type NamedReference } from '#web/forms/values/reference-mentions.ts';
import { replaceText, type TextBox } from './replace-text.ts';

export interface ReferencePickerHandle {
  /** Opens at the caret without writing anything before a reference is chosen. */
  open: () => void;
}

interface ReferencePickerProps {
  ref: Ref<ReferencePickerHandle>;
  box: RefObject<TextBox | null>;
  references: readonly NamedReference[];
}

/** The text that the name of a reference replaces: an `@` with what follows, or nothing at the caret. */
interface MentionSpan {
  start: number;
  end: number;
  query: string;
}

/** Opens at the `@` that is typed in the text box, and writes the name of the chosen reference in its place. */
export function ReferencePicker({ ref, box, references }: ReferencePickerProps) {
  const id = useId();
  const [typed, setTyped] = useState<MentionSpan | null>(null);
  const [active, setActive] = useState(0);
  const options = typed ? references.filter(({ mention }) => mention.toLowerCase().includes(typed.query)) : [];
  const open = typed !== null && (options.length > 0 || references.length === 0);
  const current = options[Math.min(active, options.length - 1)];

  const close = () => setTyped(null);
  const update = useEffectEvent(() => {
    const element = box.current;
    if (!element) return;
    const mention = element.selectionStart === null ? null : findTypedMention(element.value, element.selectionStart);
    setTyped(mention && { ...mention, end: mention.start + 1 + mention.query.length });
    setActive(0);
  });
  const choose = (reference: NamedReference | undefined) => {
    const element = box.current;
    if (!element || !typed || !reference) return;
    const { start, end } = typed;
    const before = /[\p{L}\p{N}_@]$/u.test(element.value.slice(0, start)) ? ' ' : '';
    const after = /^\s/.test(element.value.slice(end)) ? '' : ' ';
    close();
    element.focus();
    replaceText(element, before + reference.mention + after, start, end);
  };
  useImperativeHandle(ref, () => ({
    open() {
      const element = box.current;
      if (!element) return;
      element.focus();
      setTyped({ start: element.selectionStart ?? 0, end: element.selectionEnd ?? 0, query: '' });
      setActive(0);
    },
  }));
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!open || event.isComposing) return;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (event.key === 'Escape') close();
    else if (current && step !== undefined) setActive((at) => (at + step + options.length) % options.length);
    else if (current && (event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) choose(current);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const listeners: Record<string, (event: Event) => void> = {
      input: () => update(),
      keydown: (event) => onKeyDown(event as KeyboardEvent),
      pointerdown: () => setTyped(null),
      blur: () => setTyped(null),
    };
    for (const [type, listener] of Object.entries(listeners)) element.addEventListener(type, listener);
    return () => {
      for (const [type, listener] of Object.entries(listeners)) element.removeEventListener(type, listener);
    };
  }, [box]);

  const activeId = open && current ? `${id}-${options.indexOf(current)}` : null;
  useEffect(() => {
    const element = box.current;
    if (!element || activeId === null) return undefined;
    const attributes = { 'aria-autocomplete': 'list', 'aria-controls': id, 'aria-activedescendant': activeId };
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
    return () => {
      for (const name of Object.keys(attributes)) element.removeAttribute(name);
    };
  }, [activeId, box, id]);

  return (
    <>
      <p className="sr-only" aria-live="polite">
        {open ? describeOptions(options.length) : ''}
      </p>
      {/* A panel without a role that leaves the focus in the text box. */}
      <Tooltip.Root open={open} onOpenChange={(_, details) => details.cancel()}>
        <Tooltip.Portal>
          <Tooltip.Positioner {...floatingProps} anchor={box} side="bottom" align="start">
            <Tooltip.Popup className="floating w-72 max-w-[calc(100vw-1rem)] p-1">
              {open && options.length === 0 ? (
                <p className="px-2 py-1.5 text-sm text-ink-2">Add a reference below first. Then name it here with @.</p>
              ) : null}
              {open && options.length > 0 ? (
                <div
                  id={id}
                  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a native list can't be moved through while the text box keeps the focus
                  role="listbox"
                  aria-label="References"
                  className="max-h-64 overflow-y-auto"
                >
                  {options.map((reference, at) => (
                    <ReferenceOption
                      key={reference.mention}
                      id={`${id}-${at}`}
                      reference={reference}
                      selected={reference === current}
                      onChoose={() => choose(reference)}
                    />
                  ))}
                </div>
              ) : null}
            </Tooltip.Popup>
          </Tooltip.Positioner>
        </Tooltip.Portal>
      </Tooltip.Root>
    </>
  );
}

const describeOptions = (count: number): string =>
  count === 0
    ? 'Add a reference first.'
    : `${count === 1 ? '1 reference' : `${count} references`}. Use the arrow keys, then Enter.`;

interface ReferenceOptionProps {
  id: string;
  reference: NamedReference;
  selected: boolean;
  onChoose: () => void;
}

function ReferenceOption({ id, reference: { mention, url, media }, selected, onChoose }: ReferenceOptionProps) {
  const name = referenceName(url, useReferenceDetails(url), serviceMediaSrc(url) !== null);
  return (
    <button
      id={id}
      type="button"
      tabIndex={-1}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an option element is for native lists only
      role="option"
      aria-selected={selected}
      // Keeps the focus in the text box.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className={cx(
        'flex w-full items-center gap-2.5 rounded-sm p-1 text-left hover:bg-hover pointer-coarse:min-h-11',
        selected && 'bg-hover',
      )}
    >
      <ReferenceThumbnail url={url} media={media} className="size-10 flex-none rounded-sm" />
      <span className="min-w-0">
        <span className="block text-sm font-medium">{mention}</span>
        <span dir="auto" className="block truncate text-xs text-ink-3">
          {name}
        </span>
      </span>
    </button>
  );
}
