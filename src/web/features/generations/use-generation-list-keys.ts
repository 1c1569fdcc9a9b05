import { useNavigate } from '@tanstack/react-router';
import type { RefObject } from 'react';
import type { Generation } from '#contract/resources/generation.ts';
import { useCommands } from '#web/ui/commands.ts';
import type { GenerationActions } from './use-generation-actions.ts';
import type { useListCursor } from '#web/ui/use-list-cursor.ts';

interface GenerationListKeysOptions {
  rows: readonly Generation[];
  cursor: ReturnType<typeof useListCursor>;
  openId: string | undefined;
  actions: GenerationActions;
  searchBox: RefObject<HTMLInputElement | null>;
}

const group = 'Generations';

/** The list by keyboard: rows, open, cancel, try again, filter, close. */
export function useGenerationListKeys({ rows, cursor, openId, actions, searchBox }: GenerationListKeysOptions): void {
  const navigate = useNavigate();
  const wanted = rows.find(({ id }) => id === cursor.cursorId) ?? rows.find(({ id }) => id === openId);
  const close = () => {
    if (openId === undefined) return;
    void navigate({ to: '/generations', search: (search) => search, resetScroll: false });
    cursor.moveTo(openId, { follow: false });
  };
  useCommands([
    { group, label: 'Next row', keys: 'j', hiddenInPalette: true, run: () => cursor.step(1) },
    { group, label: 'Row before', keys: 'k', hiddenInPalette: true, run: () => cursor.step(-1) },
    {
      group,
      label: 'Open the row',
      keys: 'enter',
      hiddenInPalette: true,
      run: () => wanted && actions.open(wanted.id),
    },
    { group, label: 'Cancel it', keys: 'c', hiddenInPalette: true, run: () => wanted && void actions.cancel(wanted) },
    { group, label: 'Try it again', keys: 'r', hiddenInPalette: true, run: () => wanted && void actions.retry(wanted) },
    { group, label: 'Search and filter', keys: 'f', run: () => searchBox.current?.focus() },
    { group, label: 'Close the open one', keys: 'escape', hiddenInPalette: true, run: close },
  ]);
}
