import { getSession } from '#web/api/session/session.ts';
import type { FileDrag } from './drop-overlay.tsx';
import { currentDropTarget } from './drop-target.ts';
import { enqueueUploads } from './enqueue-uploads.ts';
import { draggedKind } from '#web/media/media-drop.ts';
import { toLocalDay } from '#web/ui/controls/days.ts';
import { formatList } from '#web/ui/formats.ts';

/** Hidden and system files in a folder are not uploaded. */
const HIDDEN_NAMES = /^(?:\.|Thumbs\.db$|desktop\.ini$)/i;

/** Call during the event: browsers clear the entries afterwards. */
function droppedEntries({ items }: DataTransfer): (FileSystemEntry | File)[] {
  return [...items].flatMap((item) => {
    if (item.kind !== 'file') return [];
    return item.webkitGetAsEntry() ?? item.getAsFile() ?? [];
  });
}

async function readDroppedFiles(entries: readonly (FileSystemEntry | File)[]): Promise<File[]> {
  const files = await Promise.all(entries.map((entry) => readEntryFiles(entry, true).catch(() => [])));
  return files.flat();
}

async function readEntryFiles(entry: FileSystemEntry | File, isTopLevel: boolean): Promise<File[]> {
  if (entry instanceof File) return [entry];
  if (!isTopLevel && HIDDEN_NAMES.test(entry.name)) return [];
  if (isFileEntry(entry)) return [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))];
  if (!isDirectoryEntry(entry)) return [];
  const reader = entry.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (batch.length === 0) break;
    entries.push(...batch);
  }
  const files = await Promise.all(entries.map((child) => readEntryFiles(child, false).catch(() => [])));
  return files.flat();
}

const isFileEntry = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isDirectoryEntry = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

const EDITABLE_TARGETS =
  'input:not([type=checkbox],[type=radio],[type=range],[type=button]), textarea, [contenteditable]';

/** Systems give this name to an image that was never a file. */
const UNNAMED_IMAGE = /^image\.(\w+)$/;

const padTwo = (part: number) => String(part).padStart(2, '0');

/** None if text is pasted into a field: the clipboard may contain an image of that text. */
function pastedFiles({ clipboardData, target }: ClipboardEvent, now = new Date()): File[] {
  if (!clipboardData || clipboardData.files.length === 0) return [];
  const isTextTarget = target instanceof Element && target.closest(EDITABLE_TARGETS) !== null;
  if (isTextTarget && clipboardData.types.includes('text/plain')) return [];
  return [...clipboardData.files].map((file) => nameUnnamedFile(file, now));
}

export function nameUnnamedFile(file: File, now: Date): File {
  const kind = UNNAMED_IMAGE.exec(file.name)?.[1];
  if (kind === undefined) return file;
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(padTwo).join('.');
  return new File([file], `Pasted ${toLocalDay(now)} at ${time}.${kind}`, {
    type: file.type,
    lastModified: file.lastModified,
  });
}

/** Browsers fire `dragover` several times a second while files are over the window. */
const DRAG_END_MS = 700;
/** While the permissions are unknown, the service decides. */
const canUpload = (): boolean => {
  const session = getSession();
  return session !== null && session.permissions?.includes('uploads.create') !== false;
};
/** A drag of the app's own media can carry a file as well, which must not be uploaded again. */
const hasFiles = ({ dataTransfer }: DragEvent) =>
  dataTransfer?.types.includes('Files') === true && draggedKind(dataTransfer) === null;

function toFileDrag({ dataTransfer, target }: DragEvent): FileDrag {
  const isAccepted = canUpload();
  const rejection = getSession() ? 'Your role can’t upload files.' : 'Sign in, then drop your files again.';
  const count = dataTransfer?.items.length || null;
  // Fields that accept drops themselves describe the destination in `data-drop`.
  const zone = target instanceof Element ? target.closest<HTMLElement>('[data-drop]')?.dataset['drop'] : undefined;
  const message = `${count === 1 ? 'It goes' : 'They go'} ${zone ?? dropDestination(dataTransfer)}.`;
  return { count, isAccepted, message: isAccepted ? message : rejection };
}

function dropDestination(dataTransfer: DataTransfer | null): string {
  const files = [...(dataTransfer?.items ?? [])].filter(({ kind }) => kind === 'file');
  const labels = currentDropTarget()?.labelsFor(files.map(({ type }) => type)) ?? [];
  const fields = [...new Set(labels)].filter((label) => label !== null).map((label) => `“${label}”`);
  if (fields.length === 0) return 'to your uploads';
  return `into ${formatList(fields)}${labels.includes(null) ? ' and to your uploads' : ''}`;
}

function routeFiles(files: readonly File[]): void {
  const others = currentDropTarget()?.addFiles(files) ?? files;
  if (others.length > 0) enqueueUploads(others, null);
}

/** Uploads files that are dropped or pasted anywhere. @param onDrag is called with null when a drag ends */
export function watchFileDrops(onDrag: (drag: FileDrag | null) => void): () => void {
  const control = new AbortController();
  const listen = { signal: control.signal };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const endDrag = () => {
    clearTimeout(timer);
    onDrag(null);
  };
  const onDragOver = (event: DragEvent) => {
    if (!hasFiles(event) || !event.dataTransfer) return;
    if (!event.defaultPrevented) event.dataTransfer.dropEffect = canUpload() ? 'copy' : 'none';
    // Otherwise the browser replaces the page by the file.
    event.preventDefault();
    onDrag(toFileDrag(event));
    clearTimeout(timer);
    timer = setTimeout(endDrag, DRAG_END_MS);
  };
  const onDrop = (event: DragEvent) => {
    if (!hasFiles(event) || !event.dataTransfer || event.defaultPrevented) return;
    event.preventDefault();
    if (!canUpload()) return;
    void readDroppedFiles(droppedEntries(event.dataTransfer)).then(routeFiles);
  };
  const onPaste = (event: ClipboardEvent) => {
    if (event.defaultPrevented || !canUpload()) return;
    const files = pastedFiles(event);
    if (files.length === 0) return;
    event.preventDefault();
    routeFiles(files);
  };
  window.addEventListener('dragover', onDragOver, listen);
  window.addEventListener('dragleave', (event) => event.relatedTarget === null && endDrag(), listen);
  // Captured, because handlers on the page may stop the event.
  window.addEventListener('drop', endDrag, { ...listen, capture: true });
  window.addEventListener('drop', onDrop, listen);
  window.addEventListener('paste', onPaste, listen);
  return () => {
    control.abort();
    endDrag();
  };
}
