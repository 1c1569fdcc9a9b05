import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mediaDragProps } from './media-drag.ts';
import { draggedKind, readDraggedMedia } from './media-drop.ts';

const ORIGIN = 'https://studio.example';
const PICTURE = { type: 'image', url: `${ORIGIN}/media/ast_1?sig=x` } as const;

function fakeTransfer() {
  const data = new Map<string, string>();
  const transfer = {
    get types() {
      return [...data.keys()];
    },
    clearData: () => data.clear(),
    setData: (type: string, value: string) => void data.set(type, value),
    getData: (type: string) => data.get(type) ?? '',
  };
  return transfer as unknown as DataTransfer;
}

function startDrag(transfer: DataTransfer): void {
  type Start = ReturnType<typeof mediaDragProps>['onDragStart'];
  mediaDragProps(PICTURE).onDragStart({ dataTransfer: transfer } as unknown as Parameters<Start>[0]);
}

beforeEach(() => {
  vi.stubGlobal('location', new URL(`${ORIGIN}/create`));
  vi.stubGlobal('window', { location: { href: `${ORIGIN}/create` }, addEventListener: () => undefined });
});
afterEach(() => vi.unstubAllGlobals());

describe('a drag of media', () => {
  it('carries the media for a field and the URL for other apps', () => {
    const transfer = fakeTransfer();
    startDrag(transfer);
    expect(draggedKind(transfer)).toBe('image');
    expect(readDraggedMedia(transfer)).toEqual(PICTURE);
    expect(transfer.getData('text/uri-list')).toBe(PICTURE.url);
  });

  it('rejects media of other servers and unreadable data', () => {
    const transfer = fakeTransfer();
    startDrag(transfer);
    transfer.setData('application/x-emulsion-image', JSON.stringify({ url: 'https://elsewhere.example/a.png' }));
    expect(readDraggedMedia(transfer)).toBeNull();
    transfer.setData('application/x-emulsion-image', 'no JSON');
    expect(readDraggedMedia(transfer)).toBeNull();
  });

  it('tells media from files', () => {
    const transfer = fakeTransfer();
    transfer.setData('Files', '');
    expect(draggedKind(transfer)).toBeNull();
    expect(readDraggedMedia(transfer)).toBeNull();
  });
});
