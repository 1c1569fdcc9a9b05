import { useEffectEvent, useLayoutEffect, useRef } from 'react';
import { cx } from '#web/ui/cx.ts';
import { useFieldGroup } from '#web/ui/field.tsx';
import { PLACEHOLDER, toPlaceholder } from '../expressions.ts';
import { type Reference, readReference } from '../references.ts';
import { chipClass } from './reference-menu.tsx';

interface TextWithReferencesProps {
  value: string;
  multiline: boolean;
  references: readonly Reference[];
  onChange: (value: string) => void;
  /** Receives a function that inserts a reference at the cursor. */
  insertRef: React.RefObject<((reference: Reference) => void) | null>;
}

/** No `input` or `textarea` can hold chips. */
const TEXTBOX = { role: 'textbox', tabIndex: 0 };

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
  const rememberCursor = () => {
    const selection = getSelection();
    if (selection?.anchorNode && box.current?.contains(selection.anchorNode))
      cursor.current = selection.getRangeAt(0).cloneRange();
  };
  return (
    <div
      ref={box}
      contentEditable="plaintext-only"
      suppressContentEditableWarning
      dir="auto"
      {...useFieldGroup()}
      {...TEXTBOX}
      aria-multiline={multiline}
      className={cx('control whitespace-pre-wrap wrap-anywhere', multiline && 'min-h-20')}
      onInput={(event) => onChange(readText(event.currentTarget))}
      onBlur={rememberCursor}
      onKeyDown={(event) => {
        if (!multiline && event.key === 'Enter') event.preventDefault();
      }}
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
