/** Not meant by whoever drops a folder. */
const HIDDEN = /^(?:\.|Thumbs\.db$|desktop\.ini$)/i;

/** What was dropped, as long as the event lasts: folders can't be asked for afterwards. */
export function entriesOf({ items }: DataTransfer): (FileSystemEntry | File)[] {
  return [...items].flatMap((item) => {
    if (item.kind !== 'file') return [];
    return item.webkitGetAsEntry() ?? item.getAsFile() ?? [];
  });
}

/** The files among them, and in folders those within. What can't be read is left out. */
export async function filesIn(entries: readonly (FileSystemEntry | File)[]): Promise<File[]> {
  const found = await Promise.all(entries.map((entry) => filesOf(entry, true).catch(() => [])));
  return found.flat();
}

async function filesOf(entry: FileSystemEntry | File, named: boolean): Promise<File[]> {
  if (entry instanceof File) return [entry];
  if (!named && HIDDEN.test(entry.name)) return [];
  if (isFile(entry)) return [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))];
  if (!isFolder(entry)) return [];
  const reader = entry.createReader();
  const inside: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break;
    inside.push(...some);
  }
  const found = await Promise.all(inside.map((each) => filesOf(each, false).catch(() => [])));
  return found.flat();
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
