/** What takes files that are dropped or pasted beside any field. */
export interface DropTarget {
  /** The label of the field that would take each of these files, by MIME type; null where none would. */
  labelsFor: (mime_types: readonly string[]) => (string | null)[];
  /** Takes the files that fit a field. Returns the others. */
  take: (files: readonly File[]) => File[];
}

let target: DropTarget | null = null;

export const dropTarget = (): DropTarget | null => target;

/** Sets the target while a form is on the page. Returns how to remove it. */
export function openDropTarget(next: DropTarget): () => void {
  target = next;
  return () => {
    if (target === next) target = null;
  };
}
