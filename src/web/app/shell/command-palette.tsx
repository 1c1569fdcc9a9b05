import { useEffect, useId, useState, type KeyboardEvent } from 'react';
import { useRouter } from '@tanstack/react-router';
import { CornerDownLeft, ImagePlay, Search, SquareTerminal } from 'lucide-react';
import { cx } from '#web/ui/cx.ts';
import { Kbd } from '#web/ui/kbd.tsx';
import { useModal } from '#web/ui/use-modal.ts';
import { readCommands, type Command } from '#web/ui/commands.ts';
import { findCommands } from './find-commands.ts';

/** Finds a page or a command by a few letters. A pasted generation id opens that generation. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  const id = useId();
  const [commands] = useState(() => readCommands().filter((command) => !command.hiddenInPalette));
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const dialog = useModal(true, onClose);
  const pasted = /^gen_[0-9a-z]{26}$/.exec(text.trim())?.[0];
  const openPasted: Command[] = pasted
    ? [
        {
          group: 'Generations',
          label: `Open ${pasted}`,
          icon: ImagePlay,
          run: () => void router.navigate({ href: `/generations/${pasted}` }),
        },
      ]
    : [];
  const results = [...openPasted, ...findCommands(commands, text)];
  const current = results[Math.min(at, results.length - 1)];

  const currentId = current ? `${id}-${results.indexOf(current)}` : undefined;
  useEffect(() => {
    if (currentId) document.getElementById(currentId)?.scrollIntoView({ block: 'nearest' });
  }, [currentId]);

  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    // Runs after the dialog has closed and restored the focus, so that the command may move it.
    queueMicrotask(command.run);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: results.length - 1 };
    const step = steps[event.key];
    if (event.key === 'Enter') run(current);
    else if (step === undefined || results.length === 0) return;
    else setAt((step + results.length) % results.length);
    event.preventDefault();
  };

  return (
    <dialog
      ref={dialog}
      aria-label="Jump to"
      className="modal mt-[12dvh] w-[36rem] max-w-[calc(100vw-1.5rem)] rounded-lg"
    >
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search aria-hidden="true" className="size-4.5 flex-none text-ink-3" />
        <input
          type="text"
          role="combobox"
          aria-label="Jump to a page or action"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={currentId}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          placeholder="Page, action or generation id"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
          className="h-13 min-w-0 flex-1 bg-transparent text-md outline-none"
        />
        <Kbd keys="escape" className="pointer-coarse:hidden" />
      </div>
      <div
        id={`${id}-list`}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a native list can't be moved through while the text box keeps the focus
        role="listbox"
        aria-label="Results"
        className="max-h-[min(24rem,56dvh)] scroll-py-2 overflow-y-auto p-2"
      >
        {results.map((command, index) => {
          const Icon = command.icon ?? SquareTerminal;
          const first = command.group !== results[index - 1]?.group;
          const selected = command === current;
          return (
            <div key={`${command.group} ${command.label}`} role="presentation">
              {first ? (
                <div role="presentation" className="px-2 pt-2 pb-1 text-xs font-medium text-ink-3">
                  {command.group}
                </div>
              ) : null}
              <button
                id={`${id}-${index}`}
                type="button"
                // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as above
                role="option"
                aria-selected={selected}
                tabIndex={-1}
                onPointerMove={() => setAt(index)}
                onClick={() => run(command)}
                className={cx(
                  'flex h-9 w-full items-center gap-3 rounded-sm px-2 text-left pointer-coarse:h-11',
                  selected && 'bg-hover',
                )}
              >
                <Icon aria-hidden="true" className="size-4 flex-none text-ink-3" />
                <span className="min-w-0 flex-1 truncate">{command.label}</span>
                {command.keys ? <Kbd keys={command.keys} className="pointer-coarse:hidden" /> : null}
                {selected ? <CornerDownLeft aria-hidden="true" className="size-3.5 flex-none text-ink-3" /> : null}
              </button>
            </div>
          );
        })}
        {results.length === 0 ? (
          <p className="px-2 py-6 text-center text-ink-3">Nothing matches “{text.trim()}”.</p>
        ) : null}
      </div>
    </dialog>
  );
}
