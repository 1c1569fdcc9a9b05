import { type FocusEvent, useRef } from 'react';

type TextField = HTMLInputElement | HTMLTextAreaElement;

const isTextField = (target: EventTarget): target is TextField =>
  (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) &&
  !target.matches('[type=search], [data-search], [readonly]');

/** Follows which text fields of a dialog hold text that was typed since they were first focused. */
export function useTypedText() {
  const initial = useRef(new Map<TextField, string>());
  return {
    onFocus: ({ target }: FocusEvent) => {
      if (isTextField(target) && !initial.current.has(target)) initial.current.set(target, target.value);
    },
    hasTypedText: () =>
      [...initial.current].some(
        ([field, before]) =>
          field.isConnected && (field.validity.badInput || (field.value !== before && field.value.trim() !== '')),
      ),
  };
}
