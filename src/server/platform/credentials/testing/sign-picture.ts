import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { initSync, WasmBuilder, WasmReader } from '@contentauth/c2pa-wasm';
import sharp from 'sharp';
import { type ClaimSigner, SIGNING_USAGES } from '../signing-authority.ts';

class SyncBlob extends Blob {
  readonly content: Uint8Array;
  constructor(content: Uint8Array) {
    super([Uint8Array.from(content)]);
    this.content = content;
  }
  override slice(start?: number, end?: number): Blob {
    return new SyncBlob(this.content.subarray(start, end));
  }
}

/** The library reads blobs as a web worker does. */
function initialize(): void {
  class FileReaderSync {
    readAsArrayBuffer = (blob: SyncBlob): ArrayBuffer => Uint8Array.from(blob.content).buffer;
  }
  Object.assign(globalThis, { FileReaderSync });
  initSync({ module: readFileSync(fileURLToPath(import.meta.resolve('@contentauth/c2pa-wasm/c2pa.wasm'))) });
}
let isReady = false;

const FORMAT = 'image/png';
const CREATED = {
  action: 'c2pa.created',
  digitalSourceType: 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia',
};

/** Signs a PNG with the C2PA library. */
export async function signPicture(signer: ClaimSigner): Promise<Uint8Array> {
  if (!isReady) initialize();
  isReady = true;
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#c84' } })
    .png()
    .toBuffer();
  const manifest = {
    claim_version: 2,
    claim_generator_info: [{ name: 'Emulsion', version: '1' }],
    title: 'A picture',
    format: FORMAT,
    assertions: [{ label: 'c2pa.actions.v2', data: { actions: [CREATED] } }],
  };
  const settings = { verify: { verify_after_sign: false }, builder: { thumbnail: { enabled: false } } };
  const builder = WasmBuilder.fromJson(JSON.stringify(manifest), JSON.stringify(settings));
  const definition = {
    alg: signer.alg,
    reserveSize: signer.reserve_bytes,
    sign: async (claim: Uint8Array) => Uint8Array.from(await signer.sign(claim)),
  };
  return builder.sign(definition, [], FORMAT, new SyncBlob(picture));
}

export interface PictureReport {
  /** `Trusted` if its issuer is an anchor, else `Valid` or `Invalid`. */
  state: string;
  /** Time of the time stamp. */
  time: string | null;
  codes: string[];
}

/** Reads a signed PNG with the C2PA library. */
export async function readPicture(picture: Uint8Array, anchors: string): Promise<PictureReport> {
  const settings = {
    verify: { verify_trust: true },
    trust: { trust_anchors: anchors, trust_config: SIGNING_USAGES.join('\n') },
  };
  const reader = await WasmReader.fromBlob(FORMAT, new SyncBlob(picture), JSON.stringify(settings));
  const { validation_state, validation_results, active_manifest, manifests } = JSON.parse(reader.json()) as {
    validation_state: string;
    active_manifest: string;
    manifests: Record<string, { signature_info?: { time?: string } }>;
    validation_results: { activeManifest: Record<'success' | 'informational' | 'failure', { code: string }[]> };
  };
  return {
    state: validation_state,
    time: manifests[active_manifest]?.signature_info?.time ?? null,
    codes: Object.values(validation_results.activeManifest).flatMap((list) => list.map(({ code }) => code)),
  };
}
