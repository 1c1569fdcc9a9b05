import type { Medium } from '../uploads/find-media.ts';

/** What a browser may show in place: it runs nothing of it. SVG and documents are never stored, and never inline. */
const INLINE = /^(?:image\/(?:png|jpeg|webp|gif|avif)|video\/|audio\/)/;

/** Content-Disposition of a medium, with the name it has as a file. */
export function disposition(
  medium: Pick<Medium, 'id' | 'filename' | 'mime_type' | 'storage_key'>,
  download: boolean,
): string {
  const kind = !download && INLINE.test(medium.mime_type) ? 'inline' : 'attachment';
  const name = medium.filename ?? `emulsion-${medium.id}${extensionOf(medium.storage_key)}`;
  const plain = name.replaceAll(/[^\x20-\x7e]|["%\\]/g, '_');
  return `${kind}; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded(name)}`}`;
}

const extensionOf = (storage_key: string): string => /\.[a-z0-9]+$/.exec(storage_key)?.[0] ?? '';

const encoded = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
