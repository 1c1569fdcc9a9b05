export interface DropTarget {
  /** For each MIME type, the label of the field that accepts it, or null. */
  labelsFor: (mime_types: readonly string[]) => (string | null)[];
  /** Adds the files that fit a field. Returns the others. */
  addFiles: (files: readonly File[]) => File[];
}

let registeredTarget: DropTarget | null = null;

export const currentDropTarget = (): DropTarget | null => registeredTarget;

/** Sets the target while a form is on the page. Returns a function that removes it. */
export function registerDropTarget(next: DropTarget): () => void {
  registeredTarget = next;
  return () => {
    if (registeredTarget === next) registeredTarget = null;
  };
}
