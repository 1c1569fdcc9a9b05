import { cx } from '#web/ui/cx.ts';

const isApple = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

const KEY_LABELS: Record<string, string> = {
  mod: isApple ? '⌘' : 'Ctrl',
  shift: isApple ? '⇧' : 'Shift',
  alt: isApple ? '⌥' : 'Alt',
  enter: '↵',
  escape: 'Esc',
  delete: 'Del',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
};

/** Shows keys: "mod+k" at once, "g c" one after the other. */
export function Kbd({ keys, className }: { keys: string; className?: string }) {
  return (
    <span className={cx('inline-flex items-center gap-1', className)}>
      {keys.split(/[ +]/).map((key, index) => (
        <kbd
          key={`${index}${key}`}
          className="inline-flex h-5 min-w-5 items-center justify-center rounded-xs border border-line-strong px-1 font-sans text-2xs font-medium text-ink-3"
        >
          {KEY_LABELS[key.toLowerCase()] ?? key.toUpperCase()}
        </kbd>
      ))}
    </span>
  );
}
