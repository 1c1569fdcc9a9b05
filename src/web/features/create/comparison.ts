import { createAtom, useSelector } from '@tanstack/react-store';
import { useNavigate } from '@tanstack/react-router';
import type { Asset } from '#contract/resources/generation.ts';

type ComparedFile = Pick<Asset, 'id' | 'type'>;

const firstFile = createAtom<ComparedFile | null>(null);

export const cancelComparison = (): void => firstFile.set(null);

/** Compares two results: the first choice asks for a second one, which opens both over Create. */
export function useComparison() {
  const navigate = useNavigate();
  const first = useSelector(firstFile);
  const choose = (file: ComparedFile) => {
    if (!first) return firstFile.set(file);
    cancelComparison();
    void navigate({
      to: '/create/{-$task}/{-$model}',
      params: (current) => current,
      search: { compare: `${first.id},${file.id}` },
      state: { closesBack: true },
      resetScroll: false,
    });
  };
  return {
    isPicking: first !== null,
    choose,
    /** Whether the file can be the second one. */
    canBeSecond: (file: ComparedFile) => first !== null && first.id !== file.id && first.type === file.type,
  };
}
