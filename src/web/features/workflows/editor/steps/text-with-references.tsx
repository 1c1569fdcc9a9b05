import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { cx } from '#web/ui/cx.ts';
import { useFieldGroup } from '#web/ui/controls/field.tsx';
import { PLACEHOLDER, toPlaceholder } from '../expressions.ts';
import { type Reference, readReference } from '../step-references.ts';
import { chipClass } from './reference-chips.tsx';

interface TextWithReferencesProps {
  value: string;
  multiline: boolean;
  references: readonly Reference[];
  onChange: (value: string) => void;
  /** Receives a function that inserts a reference at the cursor. */
  insertRef: React.RefObject<((reference: Reference) => void) | null>;
}

/** No `input` or `textarea` can hold chips. */
const TEXTBOX = 'textbox';

/** A text whose `{{ expressions }}` are chips with the names of what they insert. */
export function TextWithReferences({ value, multiline, references, onChange, insertRef }: TextWithReferencesProps) {
  const box = useRef<HTMLDivElement>(null);
  const cursor = useRef<Range>(null);
  const labelOf = (placeholder: string) => readReference(placeholder, references)?.label ?? 'Expression';
  const createChip = (placeholder: string) => {
    const chip = document.createElement('span');
    chip.contentEditable = 'false';
    chip.className = cx(chipClass, 'mx-px');
    chip.dataset['placeholder'] = placeholder;
    chip.textContent = labelOf(placeholder);
    return chip;
  };
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    if (readText(element) !== value) {
      const chips = (value.match(PLACEHOLDER) ?? []).map(createChip);
      // The browser shows a line break at the end only before another character.
      const end = value.endsWith('\n') ? ['\n'] : [];
      element.replaceChildren(
        ...value.split(PLACEHOLDER).flatMap((text, at) => [text, ...chips.slice(at, at + 1)]),
        ...end,
      );
    }
    for (const chip of element.querySelectorAll<HTMLElement>('[data-placeholder]')) {
      const label = labelOf(chip.dataset['placeholder'] ?? '');
      if (chip.textContent !== label) chip.textContent = label;
    }
  });
  const insert = useEffectEvent((reference: Reference) => {
    const element = box.current;
    if (!element) return;
    const range = cursor.current ?? document.createRange();
    if (!element.contains(range.startContainer)) {
      range.selectNodeContents(element);
      range.collapse(false);
    }
    range.deleteContents();
    range.insertNode(createChip(toPlaceholder(reference.expression)));
    range.collapse(false);
    onChange(readText(element));
    // The menu gives the focus back to its button first.
    requestAnimationFrame(() => {
      element.focus();
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(range);
    });
  });
  useLayoutEffect(() => {
    insertRef.current = insert;
  }, [insertRef]);
  const handle = useEffectEvent((event: Event) => {
    const element = box.current;
    if (!element) return;
    if (event.type === 'input') onChange(readText(element));
    if (event instanceof KeyboardEvent && event.key === 'Enter' && !multiline) event.preventDefault();
    const selection = event.type === 'blur' ? getSelection() : null;
    if (selection?.anchorNode && element.contains(selection.anchorNode))
      cursor.current = selection.getRangeAt(0).cloneRange();
  });
  useEffect(() => {
    const listening = new AbortController();
    for (const type of ['input', 'keydown', 'blur'])
      box.current?.addEventListener(type, (event) => handle(event), listening);
    return () => listening.abort();
  }, []);
  return (
    <div
      ref={box}
      contentEditable="plaintext-only"
      suppressContentEditableWarning
      dir="auto"
      {...useFieldGroup()}
      role={TEXTBOX}
      tabIndex={0}
      aria-multiline={multiline}
      className={cx('control whitespace-pre-wrap wrap-anywhere', multiline && 'min-h-20')}
    />
  );
}

function readText(element: HTMLElement): string {
  const texts = [...element.childNodes].map((node) => {
    if (!(node instanceof HTMLElement)) return node.textContent ?? '';
    return node.dataset['placeholder'] ?? (node.tagName === 'BR' ? '\n' : readText(node));
  });
  return texts.join('').replace(/\n$/, '');
}
