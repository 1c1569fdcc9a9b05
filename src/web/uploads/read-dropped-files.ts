/** Not meant by whoever drops a folder. */
const HIDDEN_NAMES = /^(?:\.|Thumbs\.db$|desktop\.ini$)/i;

/** What was dropped, as long as the event lasts: folders can't be asked for afterwards. */
export function droppedEntries({ items }: DataTransfer): (FileSystemEntry | File)[] {
  return [...items].flatMap((item) => {
    if (item.kind !== 'file') return [];
    return item.webkitGetAsEntry() ?? item.getAsFile() ?? [];
  });
}

/** The files among them, and in folders those within. What can't be read is left out. */
export async function readDroppedFiles(entries: readonly (FileSystemEntry | File)[]): Promise<File[]> {
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
