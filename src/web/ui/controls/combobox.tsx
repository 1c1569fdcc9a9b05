import { Autocomplete } from '@base-ui/react/autocomplete';
import type { BaseUIEvent } from '@base-ui/react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useFieldControl, useFieldGroup } from './field.tsx';
import { floatingProps } from '#web/ui/overlays/popover.tsx';
import { useLatest } from '#web/ui/hooks/use-latest.ts';

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

/** Takes the first option where Enter comes before Base UI has highlighted it, as with fast typing. */
export const onEarlyEnter = (take: () => void) => (event: BaseUIEvent<KeyboardEvent<HTMLInputElement>>) => {
  const { key, nativeEvent, currentTarget } = event;
  if (key !== 'Enter' || nativeEvent.isComposing || currentTarget.hasAttribute('aria-activedescendant')) return;
  event.preventBaseUIHandler();
  event.preventDefault();
  take();
};

/** Classes of an option of a list under a text box. */
export const optionClass =
  'flex w-full cursor-default items-center rounded-sm px-2 text-left select-none hover:bg-hover data-highlighted:bg-hover';

/** A text field with suggestions. Arrows move through them, Enter takes one, Escape closes them. */
export function Combobox({ value, onChange, onCommit, options, onFocus, maxLength, placeholder }: ComboboxProps) {
  const field = useFieldControl();
  const isFocused = useRef(false);
  const latest = useLatest({ value, onCommit });
  // What is around the field may close before it is left.
  useEffect(
    () => () => {
      if (isFocused.current) latest.current.onCommit?.(latest.current.value);
    },
    [latest],
  );
  // The open list hides the label from screen readers, and only a reference still names the field then.
  const { 'aria-labelledby': labelId } = useFieldGroup();
  return (
    <Autocomplete.Root
      items={options}
      mode="none"
      openOnInputClick
      value={value}
      onValueChange={(text, details) => {
        if (details.reason === 'escape-key') {
          // It keeps the text, and closes what is around the field once the list is closed.
          details.cancel();
          details.allowPropagation();
          return;
        }
        onChange(text);
        if (details.reason === 'item-press') onCommit?.(text);
      }}
    >
      <Autocomplete.Input
        dir="auto"
        {...field}
        aria-labelledby={labelId}
        className="control"
        maxLength={maxLength}
        placeholder={placeholder}
        onFocus={() => {
          isFocused.current = true;
          onFocus?.();
        }}
        onBlur={() => {
          isFocused.current = false;
          onCommit?.(value);
        }}
        onKeyDown={(event) => {
          const isChoosing = event.currentTarget.hasAttribute('aria-activedescendant');
          if (event.key !== 'Enter' || event.nativeEvent.isComposing || isChoosing || !onCommit) return;
          event.preventDefault();
          onCommit(value);
        }}
      />
      {options.length > 0 ? (
        <Autocomplete.Portal>
          <Autocomplete.Positioner {...floatingProps} align="start">
            <Autocomplete.Popup className="floating max-h-[min(15rem,var(--available-height))] w-(--anchor-width) overflow-y-auto p-1">
              <Autocomplete.List aria-label="Suggestions">
                {(option: string) => (
                  <Autocomplete.Item
                    key={option}
                    value={option}
                    className={`${optionClass} min-h-8 text-sm wrap-anywhere pointer-coarse:min-h-11`}
                  >
                    {option}
                  </Autocomplete.Item>
                )}
              </Autocomplete.List>
            </Autocomplete.Popup>
          </Autocomplete.Positioner>
        </Autocomplete.Portal>
      ) : null}
    </Autocomplete.Root>
  );
}
