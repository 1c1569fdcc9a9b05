import type { RefObject } from 'react';

interface FileInputProps {
  /** A button opens it by `click()`. */
  ref: RefObject<HTMLInputElement | null>;
  label?: string;
  accept?: string;
  multiple?: boolean;
  onChoose: (files: File[]) => void;
}

/** The browser's chooser of files, behind a button. */
export function FileInput({ ref, label, accept, multiple = false, onChoose }: FileInputProps) {
  return (
    <input
      ref={ref}
      type="file"
      hidden
      aria-label={label}
      accept={accept}
      multiple={multiple}
      onChange={({ currentTarget }) => {
        const files = [...(currentTarget.files ?? [])];
        // Choosing the same file again, after a change, has to fire again.
        currentTarget.value = '';
        if (files.length > 0) onChoose(files);
      }}
    />
  );
}
