import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { dismissToast, showToast } from '#web/ui/toast-store.ts';

export interface Comparison {
  /** The file that was chosen first. */
  selected: string | null;
  choose: (media_id: string) => void;
}

/** Compares two results: the first choice asks for a second one, which opens both. */
export function useComparison(): Comparison {
  const navigate = useNavigate();
  const [selected, setSelected] = useState<string | null>(null);
  const toast = useRef<string>(undefined);
  const choose = (media_id: string) => {
    if (toast.current !== undefined) dismissToast(toast.current);
    if (selected === null) {
      setSelected(media_id);
      const cancel = { label: 'Cancel', onPress: () => setSelected(null) };
      toast.current = showToast({ title: 'Pick a second result to compare', action: cancel });
      return;
    }
    setSelected(null);
    if (selected === media_id) return;
    void navigate({
      to: '/library',
      search: { compare: `${selected},${media_id}` },
      state: { closesBack: true },
    });
  };
  return { selected, choose };
}
