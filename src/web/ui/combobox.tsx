import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { cx } from './cx.ts';
import { useFieldControl } from './field.tsx';
import { positionFloating } from './position-floating.ts';

export interface ComboboxProps {
  value: string;
  onChange: (text: string) => void;
  /** Called with the text that was chosen from the list, confirmed with Enter, or left in the field. */
  onCommit?: (text: string) => void;
  /** Suggestions. Any other text can be entered too. */
  options: readonly string[];
  onFocus?: () => void;
  maxLength?: number;
  placeholder?: string;
}

/** A text field with suggestions. Arrows move through them, Enter takes one, Escape closes them. */
export function Combobox({ value, onChange, onCommit, options, onFocus, maxLength, placeholder }: ComboboxProps) {
  const field = useFieldControl();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [wanted, setWanted] = useState(false);
  const [active, setActive] = useState(-1);
  const open = wanted && options.length > 0;
  const at = Math.min(active, options.length - 1);

  useEffect(() => {
    const panel = list.current;
    if (!open || !panel || !input.current) return;
    panel.showPopover();
    const place = () => {
      if (!input.current) return;
      panel.style.width = `${input.current.offsetWidth}px`;
      positionFloating(input.current, panel);
    };
    const observer = new ResizeObserver(place);
    observer.observe(panel);
    window.addEventListener('resize', place);
    window.addEventListener('scroll', place, { capture: true, passive: true });
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', place);
      window.removeEventListener('scroll', place, { capture: true });
      panel.hidePopover();
    };
  }, [open]);
  useEffect(() => {
    if (open && at >= 0) list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [open, at]);

  const close = () => {
    setWanted(false);
    setActive(-1);
  };
  const choose = (text: string) => {
    onChange(text);
    onCommit?.(text);
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive(open ? (at + step + options.length + (at < 0 && step < 0 ? 1 : 0)) % options.length : 0);
      setWanted(true);
    } else if (event.key === 'Enter') {
      const option = open ? options[at] : undefined;
      if (option === undefined && !onCommit) return;
      event.preventDefault();
      choose(option ?? value);
    } else if (event.key === 'Escape' && open) {
      // Closes only the list, not the dialog around it.
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  };
  return (
    <>
      <input
        type="text"
        dir="auto"
        {...field}
        ref={input}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-activedescendant={open && at >= 0 ? `${id}-${at}` : undefined}
        autoComplete="off"
        className="control"
        value={value}
        maxLength={maxLength}
        placeholder={placeholder}
        onFocus={onFocus}
        onClick={() => setWanted(true)}
        onChange={(event) => {
          onChange(event.target.value);
          setWanted(true);
          setActive(-1);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          close();
          onCommit?.(value);
        }}
      />
      <div
        ref={list}
        id={id}
        popover="manual"
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- native lists take no text, or show none on some phones
        role="listbox"
        aria-label="Suggestions"
        className="floating max-h-60 overflow-y-auto p-1"
      >
        {open
          ? options.map((option, index) => (
              <button
                key={option}
                type="button"
                tabIndex={-1}
                id={`${id}-${index}`}
                // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an option element is for native lists only
                role="option"
                aria-selected={index === at}
                // Keeps the focus in the field.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(option)}
                className={cx(
                  'flex min-h-8 w-full cursor-default items-center rounded-sm px-2 text-left text-sm wrap-anywhere select-none hover:bg-hover pointer-coarse:min-h-11',
                  index === at && 'bg-hover',
                )}
              >
                {option}
              </button>
            ))
          : null}
      </div>
    </>
  );
}
