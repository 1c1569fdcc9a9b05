export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  // The browser may not have read it before.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
