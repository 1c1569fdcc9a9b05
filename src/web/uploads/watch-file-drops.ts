import { getKey } from '#web/api/session/session.ts';
import type { FileDrag } from './drop-overlay.tsx';
import { currentDropTarget } from './drop-target.ts';
import { pastedFiles } from './pasted-files.ts';
import { enqueueUploads } from './upload-store.ts';
import { formatList } from '#web/ui/formats.ts';

/** Not meant by whoever drops a folder. */
const HIDDEN_NAMES = /^(?:\.|Thumbs\.db$|desktop\.ini$)/i;

/** What was dropped, as long as the event lasts: folders can't be asked for afterwards. */
function droppedEntries({ items }: DataTransfer): (FileSystemEntry | File)[] {
  return [...items].flatMap((item) => {
    if (item.kind !== 'file') return [];
    return item.webkitGetAsEntry() ?? item.getAsFile() ?? [];
  });
}

/** The files among them, and in folders those within. What can't be read is left out. */
async function readDroppedFiles(entries: readonly (FileSystemEntry | File)[]): Promise<File[]> {
  const found = await Promise.all(entries.map((entry) => readEntryFiles(entry, true).catch(() => [])));
  return found.flat();
}

async function readEntryFiles(entry: FileSystemEntry | File, named: boolean): Promise<File[]> {
  if (entry instanceof File) return [entry];
  if (!named && HIDDEN_NAMES.test(entry.name)) return [];
  if (isFileEntry(entry)) return [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))];
  if (!isDirectoryEntry(entry)) return [];
  const reader = entry.createReader();
  const inside: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break;
    inside.push(...some);
  }
  const found = await Promise.all(inside.map((each) => readEntryFiles(each, false).catch(() => [])));
  return found.flat();
}

const isFileEntry = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isDirectoryEntry = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** While files are dragged over the window, it is told so several times a second. */
const DRAG_END_MS = 700;
const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;

function toFileDrag({ dataTransfer, target }: DragEvent): FileDrag {
  const taken = getKey() !== null;
  const count = dataTransfer?.items.length || null;
  // Whatever takes files by itself says so in `data-drop`.
  const zone = target instanceof Element ? target.closest<HTMLElement>('[data-drop]')?.dataset['drop'] : undefined;
  const words = `${count === 1 ? 'It goes' : 'They go'} ${zone ?? dropDestination(dataTransfer)}.`;
  return { count, is_accepted: taken, message: taken ? words : 'Sign in first, then drop your files.' };
}

/** Where files go that are dropped beside every field: "into “First frame”", "to your uploads". */
function dropDestination(dataTransfer: DataTransfer | null): string {
  const files = [...(dataTransfer?.items ?? [])].filter(({ kind }) => kind === 'file');
  const labels = currentDropTarget()?.labelsFor(files.map(({ type }) => type)) ?? [];
  const fields = [...new Set(labels)].filter((label) => label !== null).map((label) => `“${label}”`);
  if (fields.length === 0) return 'to your uploads';
  return `into ${formatList(fields)}${labels.includes(null) ? ' and to your uploads' : ''}`;
}

/** Gives files to the form on the page, and to the uploads what no field of it takes. */
function routeFiles(files: readonly File[]): void {
  const others = currentDropTarget()?.addFiles(files) ?? files;
  if (others.length > 0) enqueueUploads(others, null);
}

/**
 * Takes files that are dropped or pasted anywhere and that nothing else on the page has taken.
 * @param onDrag hears what is dragged over the window; null once it is gone
 * @returns how to stop
 */
export function watchFileDrops(onDrag: (drag: FileDrag | null) => void): () => void {
  const control = new AbortController();
  const listen = { signal: control.signal };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = () => {
    clearTimeout(timer);
    onDrag(null);
  };
  const onDragOver = (event: DragEvent) => {
    if (!hasFiles(event) || !event.dataTransfer) return;
    if (!event.defaultPrevented) event.dataTransfer.dropEffect = getKey() === null ? 'none' : 'copy';
    // Else the browser leaves the page for the file.
    event.preventDefault();
    onDrag(toFileDrag(event));
    clearTimeout(timer);
    timer = setTimeout(over, DRAG_END_MS);
  };
  const onDrop = (event: DragEvent) => {
    if (!hasFiles(event) || !event.dataTransfer || event.defaultPrevented) return;
    event.preventDefault();
    if (getKey() === null) return;
    void readDroppedFiles(droppedEntries(event.dataTransfer)).then(routeFiles);
  };
  const onPaste = (event: ClipboardEvent) => {
    if (event.defaultPrevented || getKey() === null) return;
    const files = pastedFiles(event);
    if (files.length === 0) return;
    event.preventDefault();
    routeFiles(files);
  };
  window.addEventListener('dragover', onDragOver, listen);
  window.addEventListener('dragleave', (event) => event.relatedTarget === null && over(), listen);
  // Before anything on the page takes it, and tells nobody.
  window.addEventListener('drop', over, { ...listen, capture: true });
  window.addEventListener('drop', onDrop, listen);
  window.addEventListener('paste', onPaste, listen);
  return () => {
    control.abort();
    over();
  };
}
