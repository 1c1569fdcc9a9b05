import { Check } from 'lucide-react';
import { cx } from '#web/ui/cx.ts';
import { findMovement, MOVEMENTS, toggleMovement } from './movements.ts';
import { PROMPT_STYLES } from './prompt-styles.ts';
import thumbnails from './style-thumbnails.webp';
import { addStyle, hasStyle, removeStyle } from './toggle-style.ts';

interface PickerProps {
  prompt: string;
  onChange: (prompt: string) => void;
}

/** Each movement writes its sentence into the prompt, in place of another one. */
export function MovementPicker({ prompt, onChange }: PickerProps) {
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
export function StylePicker({ prompt, onChange }: PickerProps) {
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
