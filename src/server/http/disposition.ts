import { extensionOf, removeUnseen, withoutExtension } from '../file-names.ts';
import type { Medium } from '../uploads/find-media.ts';

/** What a browser may show in place: it runs nothing of it. SVG and documents are never stored, and never inline. */
const INLINE = /^(?:image\/(?:png|jpeg|webp|gif|avif)|video\/|audio\/)/;

/**
 * Content-Disposition of a medium, with the name it has as a file. Its extension is that of the stored type: a picture that
 * was uploaded as `invoice.html` must not open as a page once it is on a disk.
 */
export function disposition(
  medium: Pick<Medium, 'id' | 'filename' | 'mime_type' | 'storage_key'>,
  download: boolean,
): string {
  const kind = !download && INLINE.test(medium.mime_type) ? 'inline' : 'attachment';
  const stem = withoutExtension(removeUnseen(medium.filename ?? '')).replace(/[. ]+$/, '');
  const name = `${stem || `emulsion-${medium.id}`}${extensionOf(medium.storage_key)}`;
  const plain = name.replaceAll(/[^\x20-\x7e]|["%\\]/g, '_');
  return `${kind}; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded(name)}`}`;
}

const encoded = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
