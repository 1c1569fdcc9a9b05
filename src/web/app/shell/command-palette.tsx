import { Autocomplete } from '@base-ui/react/autocomplete';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { CornerDownLeft, ImagePlay, Search, SquareTerminal } from 'lucide-react';
import { cx } from '#web/ui/cx.ts';
import { Kbd } from '#web/ui/display/kbd.tsx';
import { onEarlyEnter, optionClass } from '#web/ui/controls/combobox.tsx';
import { Modal } from '#web/ui/overlays/modal.tsx';
import { readCommands, type Command } from '#web/ui/hooks/commands.ts';
import { useDebounced } from '#web/ui/hooks/use-debounced.ts';
import { releaseTyped } from './overlay.ts';
import { findCommands } from './find-commands.ts';
import { usePaletteCommands, usePromptCommands } from './use-palette-commands.ts';
import { useQuery } from '@tanstack/react-query';
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
const groupTogether = (commands: readonly Command[]) =>
  [...Map.groupBy(commands, ({ group }) => group)].map(([value, items]) => ({ value, items }));

/**
 * Finds pages, tasks, models, workflows, media and actions by a few letters. A pasted generation id opens that
 * generation; any other text can become a prompt.
 */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  return (
    <Modal
      onDismiss={onClose}
      aria-label="Jump to"
      className="mt-[12dvh] w-[36rem] max-w-[calc(100vw-1.5rem)] rounded-lg"
    >
      <CommandSearch onClose={onClose} />
    </Modal>
  );
}

function CommandSearch({ onClose }: { onClose: () => void }) {
  const router = useRouter();
  const [commands] = useState(() => readCommands().filter((command) => !command.hiddenInPalette));
  const [text, setText] = useState('');
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
  const results = [...openPasted, ...found, ...media.commands, ...asPrompt].slice(0, MAX_RESULTS);

  const run = (command: Command) => {
    onClose();
    // Runs after the dialog has closed and restored the focus, so that the command may move it.
    queueMicrotask(command.run);
  };

  return (
    <Autocomplete.Root
      open
      inline
      mode="none"
      autoHighlight="always"
      keepHighlight
      items={groupTogether(results)}
      itemToStringValue={({ label }: Command) => label}
      value={text}
      onValueChange={(next, { reason }) => reason === 'input-change' && setText(next)}
    >
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search aria-hidden="true" className="size-4.5 flex-none text-ink-3" />
        <Autocomplete.Input
          data-search=""
          aria-label="Search pages, tools, media and actions"
          spellCheck={false}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- what was typed meanwhile goes on here, without a frame between
          autoFocus
          placeholder="Search pages, tools, media…"
          onKeyDown={onEarlyEnter(() => results[0] && run(results[0]))}
          className="h-13 min-w-0 flex-1 bg-transparent text-md outline-none"
        />
        <Kbd keys="escape" className="pointer-coarse:hidden" />
      </div>
      <Autocomplete.List
        aria-label="Results"
        className="max-h-[min(24rem,56dvh)] scroll-py-2 overflow-y-auto p-2 outline-none"
      >
        {({ value, items }: { value: string; items: readonly Command[] }) => (
          <Autocomplete.Group key={value} items={items}>
            <Autocomplete.GroupLabel className="px-2 pt-2 pb-1 text-xs font-medium text-ink-3">
              {value}
            </Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(command: Command) => <Result key={command.id ?? command.label} command={command} onRun={run} />}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
      {results.length === 0 && media.state !== 'searching' ? (
        <p className="px-4 pt-4 pb-8 text-center text-ink-3">Nothing matches “{text.trim()}”.</p>
      ) : null}
      <p aria-live="polite" className="min-h-8 border-t border-line px-4 py-1.5 text-xs text-ink-3">
        {SEARCH_LABELS[media.state] ?? countLabel(results.length)}
      </p>
    </Autocomplete.Root>
  );
}

function Result({ command, onRun }: { command: Command; onRun: (command: Command) => void }) {
  const Icon = command.icon ?? SquareTerminal;
  return (
    <Autocomplete.Item
      value={command}
      onClick={() => onRun(command)}
      render={(props, { highlighted }) => <div {...props} aria-selected={highlighted} />}
      className={cx(
        optionClass,
        'group gap-3 hover:bg-transparent pointer-coarse:h-11',
        command.thumbnail ? 'h-11' : 'h-9',
      )}
    >
      {command.thumbnail ?? <Icon aria-hidden="true" className="size-4 flex-none text-ink-3" />}
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {command.label}
      </span>
      {command.keys ? <Kbd keys={command.keys} className="pointer-coarse:hidden" /> : null}
      <CornerDownLeft aria-hidden="true" className="size-3.5 flex-none text-ink-3 not-group-data-highlighted:hidden" />
    </Autocomplete.Item>
  );
}

const DEBOUNCE_MS = 200;
const MIN_LETTERS = 2;

type MediaSearchState = 'idle' | 'searching' | 'failed' | 'done';

/** Finds media of the library by their prompt or file name, a moment after the last letter. */
function useMediaCommands(text: string): { commands: Command[]; state: MediaSearchState } {
  const router = useRouter();
  const typed = text.trim();
  const q = useDebounced(typed, DEBOUNCE_MS);
  const wanted = useCan('work.read') && typed.length >= MIN_LETTERS;
  const search = useQuery({ ...mediaSearchQuery(q), enabled: wanted && q.length >= MIN_LETTERS });
  if (!wanted) return { commands: [], state: 'idle' };
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
