/** What takes files that are dropped or pasted beside any field. */
export interface DropTarget {
  /** The label of the field that would take each of these files, by MIME type; null where none would. */
  labelsFor: (mime_types: readonly string[]) => (string | null)[];
  /** Takes the files that fit a field. Returns the others. */
  addFiles: (files: readonly File[]) => File[];
}

let registeredTarget: DropTarget | null = null;

export const currentDropTarget = (): DropTarget | null => registeredTarget;

/** Sets the target while a form is on the page. Returns how to remove it. */
export function registerDropTarget(next: DropTarget): () => void {
  registeredTarget = next;
  return () => {
    if (registeredTarget === next) registeredTarget = null;
  };
}
