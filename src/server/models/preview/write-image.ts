import { writeFile } from 'node:fs/promises';
import type { Sharp } from 'sharp';

export type ImageFormat = 'png' | 'jpeg';

export const CREATOR_TOOL = 'Emulsion preview engine';

/** IPTC digital source type: created by an algorithm, not by a trained model. */
const XMP = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
 xmp:CreatorTool="${CREATOR_TOOL}" Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia"/>
</rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`;

const EXIF = { IFD0: { Software: CREATOR_TOOL, ImageDescription: 'Preview, not the work of the model' } };

function encode(source: Sharp, format: ImageFormat): Promise<Buffer> {
  const marked = source.withExif(EXIF).withXmp(XMP);
  const encoded =
    format === 'jpeg'
      ? marked.jpeg({ quality: 92, chromaSubsampling: '4:4:4' })
      : marked.png({ compressionLevel: 2, adaptiveFiltering: true });
  return encoded.toBuffer();
}

export async function writeImage(
  picture: Sharp,
  { file, format, alpha }: { file: string; format: ImageFormat; alpha: boolean },
): Promise<void> {
  await writeFile(file, await encode(alpha ? picture : picture.removeAlpha(), format));
}
