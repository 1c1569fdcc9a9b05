import { describe, expect, it } from 'vitest';
import { RESULT_LIMITS } from './schema-limits.ts';
import { walkResult } from './walk-result.ts';

const at = (name: string) => `https://files.test/${name}`;

describe('walkResult', () => {
  it('finds objects with a url and addresses at any depth, in their order', () => {
    const { files, data } = walkResult({
      images: [{ url: at('1.png'), content_type: 'image/webp' }, { url: at('2') }],
      video: { url: at('v.mp4'), file_name: 'v.mp4' },
      model_urls: { glb: { url: at('m.glb') } },
      thumbnail_url: at('t.jpg'),
      seed: 7,
    });
    expect(files.map(({ path, kind }) => [path, kind])).toEqual([
      ['images.0.url', 'image'],
      ['images.1.url', null],
      ['video.url', 'video'],
      ['model_urls.glb.url', 'file'],
      ['thumbnail_url', 'image'],
    ]);
    expect(data).toEqual({ seed: 7 });
  });

  it('takes results that are an address, a list of them, a text or a number', () => {
    expect(walkResult(at('a.wav')).files).toMatchObject([{ path: '', kind: 'audio' }]);
    expect(walkResult([at('a.mp4'), at('a.mp4')]).files).toHaveLength(1);
    expect(walkResult(['Once ', 'upon'])).toMatchObject({ files: [], data: ['Once ', 'upon'] });
    expect(walkResult(0.5)).toMatchObject({ files: [], data: 0.5 });
    expect(walkResult(null)).toMatchObject({ files: [], data: undefined });
  });

  it('takes nothing that only looks like an address', () => {
    for (const text of [
      'https://example.com is nice',
      'http://example.com/a.png',
      'file:///etc/passwd',
      'javascript:alert(1)',
    ])
      expect(walkResult({ url: text })).toMatchObject({ files: [], data: { url: text } });
    expect(walkResult('data:image/png;base64,AAAA').files).toMatchObject([{ kind: 'image', mime_type: 'image/png' }]);
    expect(walkResult('data:text/html;base64,AAAA').files).toEqual([]);
  });

  it('takes addresses of the provider’s own server without https', () => {
    const image = 'http://127.0.0.1:8188/view/a.png';
    const { files, data } = walkResult([image, 'http://127.0.0.1:81889/b.png'], 'http://127.0.0.1:8188');
    expect(files.map(({ url }) => url)).toEqual([image]);
    expect(data).toEqual(['http://127.0.0.1:81889/b.png']);
  });

  it('stays within its bounds', () => {
    const many = walkResult(Array.from({ length: 1_000 }, (_, index) => at(String(index))));
    expect(many.files).toHaveLength(RESULT_LIMITS.files);
    expect(many.is_cut).toBe(true);
    const deep = Array.from({ length: 5_000 }).reduce<unknown>((inner) => ({ inner }), at('a.png'));
    expect(walkResult(deep)).toMatchObject({ files: [], is_cut: true });
    expect(walkResult({ text: 'x'.repeat(1_000_000) })).toMatchObject({ data: undefined, is_cut: true });
  });
});
