import { createPrivateKey, sign, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { encodeCBOR } from '@levischuck/tiny-cbor';
import { initSync, WasmBuilder, WasmReader } from '@contentauth/c2pa-wasm';
import { coseEnvelope, toBeSigned } from '#server/platform/credentials/cose-envelope.ts';
import { createCertificate } from '#server/platform/credentials/create-certificate.ts';

/** The library is made for workers of browsers, and only asks blobs for sizes and slices. */
class BytesBlob {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }
  get size(): number {
    return this.#bytes.length;
  }
  slice(start = 0, end = this.size): BytesBlob {
    return new BytesBlob(this.#bytes.subarray(start, end));
  }
  read(): ArrayBuffer {
    return new Uint8Array(this.#bytes).buffer;
  }
}
const asBlob = (bytes: Uint8Array): Blob => new BytesBlob(bytes) as unknown as Blob;

export interface TestSigner {
  /** Embeds credentials of one action. @param sources a file that it was made from, and others that are parts of it */
  sign(file: Uint8Array, mime_type: string, ...sources: Uint8Array[]): Promise<Buffer>;
  /** Embeds credentials with a CAWG identity assertion of a person, whose signature may be that of something else. */
  signWithIdentity(file: Uint8Array, mime_type: string, options: { is_faulty: boolean }): Promise<Buffer>;
  /** The number of manifests that the library finds; null: the file has no credentials. */
  countManifests(file: Uint8Array, mime_type: string): Promise<number | null>;
}

const RESERVE_BYTES = 4_096;

interface SignerPayload {
  referencedAssertions: readonly { url: string; hash: Uint8Array }[];
  sigType: string;
}

/** In the order in which the library encodes it again. */
const encodePayload = ({ referencedAssertions, sigType }: SignerPayload): Uint8Array =>
  encodeCBOR(
    new Map<string, string | Map<string, string | Uint8Array>[]>([
      [
        'referenced_assertions',
        referencedAssertions.map(
          ({ url, hash }) =>
            new Map<string, string | Uint8Array>([
              ['url', url],
              ['hash', hash],
            ]),
        ),
      ],
      ['sig_type', sigType],
    ]),
  );

/** Signs with a certificate of its own, by the real library. */
export async function createTestSigner(): Promise<TestSigner> {
  Object.assign(globalThis, {
    FileReaderSync: class {
      readAsArrayBuffer = (blob: BytesBlob): ArrayBuffer => blob.read();
    },
  });
  initSync({ module: await readFile(fileURLToPath(import.meta.resolve('@contentauth/c2pa-wasm/c2pa.wasm'))) });
  const { chain: pem, key: keyPem } = await createCertificate(new Date());
  const key = createPrivateKey(keyPem);
  const chain = pem
    .split(/(?<=-----END CERTIFICATE-----)\s*/)
    .filter(Boolean)
    .map((certificate) => new X509Certificate(certificate).raw);
  const envelope = { alg: 'es256', chain, reserve_bytes: RESERVE_BYTES } as const;
  const seal = (content: Uint8Array): Uint8Array<ArrayBuffer> => {
    const signature = sign('sha256', toBeSigned(envelope, content), { key, dsaEncoding: 'ieee-p1363' });
    return new Uint8Array(coseEnvelope(envelope, signature, null));
  };
  const signer = { alg: 'es256', reserveSize: RESERVE_BYTES, sign: async (claim: Uint8Array) => seal(claim) };
  const createIdentity = (is_faulty: boolean) => ({
    sigType: 'cawg.x509.cose',
    // With what it is about.
    reserveSize: 2 * RESERVE_BYTES,
    referencedAssertions: ['c2pa.hash.data'],
    roles: [],
    sign: async (payload: SignerPayload) => seal(is_faulty ? new Uint8Array(8) : encodePayload(payload)),
  });
  const settings = JSON.stringify({ verify: { verify_after_sign: false }, builder: { thumbnail: { enabled: false } } });

  async function signAs(
    file: Uint8Array,
    mime_type: string,
    { sources = [], identities = [] }: { sources?: readonly Uint8Array[]; identities?: readonly object[] },
  ): Promise<Buffer> {
    const action =
      sources.length > 0
        ? { action: 'c2pa.opened', parameters: { ingredientIds: ['source-0'] } }
        : {
            action: 'c2pa.created',
            digitalSourceType: 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia',
          };
    const manifest = {
      claim_version: 2,
      claim_generator_info: [{ name: 'Test', version: '1' }],
      title: 'A fox',
      format: mime_type,
      assertions: [{ label: 'c2pa.actions.v2', data: { actions: [action] } }],
    };
    const builder = WasmBuilder.fromJson(JSON.stringify(manifest), settings);
    for (const [index, source] of sources.entries()) {
      const relationship = index === 0 ? 'parentOf' : 'componentOf';
      const ingredient = JSON.stringify({ title: 'source', relationship, label: `source-${index}` });
      await builder.addIngredientFromBlob(ingredient, mime_type, asBlob(source));
    }
    return Buffer.from(await builder.sign(signer, identities, mime_type, asBlob(file)));
  }

  return {
    sign: (file, mime_type, ...sources) => signAs(file, mime_type, { sources }),
    signWithIdentity: (file, mime_type, { is_faulty }) =>
      signAs(file, mime_type, { identities: [createIdentity(is_faulty)] }),
    async countManifests(file, mime_type) {
      try {
        const reader = await WasmReader.fromBlob(mime_type, asBlob(file), settings);
        return Object.keys((JSON.parse(reader.json()) as { manifests: object }).manifests).length;
      } catch (error) {
        if (/JumbfNotFound/.test(String(error))) return null;
        throw error;
      }
    },
  };
}
