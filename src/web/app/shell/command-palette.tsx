import { useEffect, useId, useState, type KeyboardEvent } from 'react';
import { useRouter } from '@tanstack/react-router';
import { CornerDownLeft, ImagePlay, Search, SquareTerminal } from 'lucide-react';
import { cx } from '#web/ui/cx.ts';
import { Kbd } from '#web/ui/kbd.tsx';
import { useModal } from '#web/ui/use-modal.ts';
import { readCommands, type Command } from '#web/ui/commands.ts';
import { releaseTyped } from './overlay.ts';
import { findCommands } from './find-commands.ts';
import { usePaletteCommands, usePromptCommands } from './use-palette-commands.ts';
import { useQuery } from '@tanstack/react-query';
import { isMissingFeature } from '#web/api/api-errors.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { mediaSearchQuery } from '#web/api/queries/media.ts';
import { ReferenceThumbnail } from '#web/forms/fields/reference-thumbnail.tsx';

const MAX_RESULTS = 60;

const SEARCH_LABELS = {
  idle: 'Type to search everything, or paste a generation id.',
  searching: 'Searching the library…',
  failed: 'The library could not be searched. Everything else is listed.',
  done: null,
} as const satisfies Record<MediaSearchState, string | null>;

const countLabel = (count: number) => (count === 1 ? '1 result' : `${count} results`);

/** Groups keep the order of their first result. */
const groupTogether = (commands: readonly Command[]): Command[] =>
  [...Map.groupBy(commands, ({ group }) => group).values()].flat();

/**
 * Finds pages, tasks, models, workflows, media and actions by a few letters. A pasted generation id opens that
 * generation; any other text can become a prompt.
 */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  const id = useId();
  const [commands] = useState(() => readCommands().filter((command) => !command.hiddenInPalette));
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const dialog = useModal(true, onClose);
  // After the effect of the dialog, which moves the focus into the text box.
  useEffect(() => releaseTyped(setText), []);
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
  const media = useMediaCommands(text);
  const further = usePaletteCommands();
  const asPrompt = usePromptCommands(text);
  // Without a text, the list stays short: pages and the commands of this one.
  const found = findCommands(text.trim() === '' ? commands : [...commands, ...further], text);
  const results = groupTogether([...openPasted, ...found, ...media.commands, ...asPrompt].slice(0, MAX_RESULTS));
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
          aria-label="Search pages, tools, media and actions"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={currentId}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          placeholder="Search pages, tools, media…"
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
            <div key={`${command.group} ${command.id ?? command.label}`} role="presentation">
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
                  'flex w-full items-center gap-3 rounded-sm px-2 text-left pointer-coarse:h-11',
                  command.thumbnail ? 'h-11' : 'h-9',
                  selected && 'bg-hover',
                )}
              >
                {command.thumbnail ?? <Icon aria-hidden="true" className="size-4 flex-none text-ink-3" />}
                <span dir="auto" className="min-w-0 flex-1 truncate">
                  {command.label}
                </span>
                {command.keys ? <Kbd keys={command.keys} className="pointer-coarse:hidden" /> : null}
                {selected ? <CornerDownLeft aria-hidden="true" className="size-3.5 flex-none text-ink-3" /> : null}
              </button>
            </div>
          );
        })}
        {results.length === 0 && media.state !== 'searching' ? (
          <p className="px-2 py-6 text-center text-ink-3">Nothing matches “{text.trim()}”.</p>
        ) : null}
      </div>
      <p aria-live="polite" className="min-h-8 border-t border-line px-4 py-1.5 text-xs text-ink-3">
        {SEARCH_LABELS[media.state] ?? countLabel(results.length)}
      </p>
    </dialog>
  );
}

const DEBOUNCE_MS = 200;
const MIN_LETTERS = 2;

type MediaSearchState = 'idle' | 'searching' | 'failed' | 'done';

/** Finds media of the library by their prompt or file name, a moment after the last letter. */
function useMediaCommands(text: string): { commands: Command[]; state: MediaSearchState } {
  const router = useRouter();
  const typed = text.trim();
  const q = useDebounced(typed);
  const wanted = useCan('work.read') && typed.length >= MIN_LETTERS;
  const search = useQuery({ ...mediaSearchQuery(q), enabled: wanted && q.length >= MIN_LETTERS });
  if (!wanted || isMissingFeature(search.error)) return { commands: [], state: 'idle' };
  const commands = (search.data ?? []).map((item): Command => ({
    group: 'Library',
    id: item.id,
    label: item.generation?.prompt ?? item.filename ?? 'Untitled',
    thumbnail: (
      <ReferenceThumbnail
        url={item.url}
        media={item.type}
        derivatives={item.derivatives}
        className="size-8 flex-none rounded-sm"
      />
    ),
    run: () => void router.navigate({ to: '/library', search: { item: item.id } }),
  }));
  if (search.isError) return { commands, state: 'failed' };
  return { commands, state: q !== typed || search.isFetching ? 'searching' : 'done' };
}

function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return debounced;
}
