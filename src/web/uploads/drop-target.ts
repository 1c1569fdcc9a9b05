export interface DropTarget {
  /** For each MIME type, the label of the field that accepts it, or null. */
  labelsFor: (mimeTypes: readonly string[]) => (string | null)[];
  addFiles: (files: readonly File[]) => File[];
}

let registeredTarget: DropTarget | null = null;

export const currentDropTarget = (): DropTarget | null => registeredTarget;

export function registerDropTarget(next: DropTarget): () => void {
  registeredTarget = next;
  return () => {
    if (registeredTarget === next) registeredTarget = null;
  };
}
