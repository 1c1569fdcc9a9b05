import { fileExtension, stripInvisibleCharacters, stripExtension } from '#server/core/file-names.ts';
import type { StoredMedia } from '#server/assets/find-stored-media.ts';

/** What a browser may show in place: it runs nothing of it. SVG and documents are never stored, and never inline. */
const INLINE_MIME_TYPES = /^(?:image\/(?:png|jpeg|webp|gif|avif)|video\/|audio\/)/;

/**
 * Content-Disposition of a medium, with the name it has as a file. Its extension is that of the stored type: a picture that
 * was uploaded as `invoice.html` must not open as a page once it is on a disk.
 */
export function contentDisposition(
  medium: Pick<StoredMedia, 'id' | 'filename' | 'mime_type' | 'storage_key'>,
  download: boolean,
): string {
  const kind = !download && INLINE_MIME_TYPES.test(medium.mime_type) ? 'inline' : 'attachment';
  const stem = stripExtension(stripInvisibleCharacters(medium.filename ?? '')).replace(/[. ]+$/, '');
  const name = `${stem || `emulsion-${medium.id}`}${fileExtension(medium.storage_key)}`;
  const plain = name.replaceAll(/[^\x20-\x7e]|["%\\]/g, '_');
  return `${kind}; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encodeExtendedValue(name)}`}`;
}

const encodeExtendedValue = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
