import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import decodeJpeg, { init as initJpegDecoder } from '@jsquash/jpeg/decode.js';
import encode, { init as initJpegEncoder } from '@jsquash/jpeg/encode.js';
import decodePng, { init as initPngDecoder } from '@jsquash/png/decode.js';
import decodeWebp, { init as initWebpDecoder } from '@jsquash/webp/decode.js';
import { CodecError } from '../job.ts';
import { decodeGif } from './gif.ts';
import type { PictureFormat, PictureHeader } from './header.ts';
import type { Pixels } from './scale.ts';

declare global {
  namespace WebAssembly {
    class Module {
      constructor(bytes: Uint8Array);
    }
    class Instance {
      readonly exports: object;
      constructor(module: Module, imports: object);
    }
  }
}

/** The libraries would fetch their code by URL, and print the warnings of the JPEG library. */
const prepare = {
  jpeg: once(() => initJpegDecoder(quietly(import.meta.resolve('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm')))),
  encoder: once(() =>
    initJpegEncoder(quietly(import.meta.resolve('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'))),
  ),
  webp: once(() => initWebpDecoder(quietly(import.meta.resolve('@jsquash/webp/codec/dec/webp_dec.wasm')))),
  png: once(() =>
    initPngDecoder(compiled(import.meta.resolve('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'))),
  ),
};

const decoders: Readonly<Record<PictureFormat, (bytes: Uint8Array, header: PictureHeader) => MaybePixels>> = {
  async jpeg(bytes) {
    await prepare.jpeg();
    return decodeJpeg(exactBuffer(bytes));
  },
  async png(bytes) {
    await prepare.png();
    return decodePng(exactBuffer(bytes));
  },
  async webp(bytes) {
    await prepare.webp();
    return decodeWebp(exactBuffer(bytes));
  },
  gif: async (bytes, header) => decodeGif(bytes, header),
};

type MaybePixels = Promise<Pixels | undefined>;

/** Decodes a picture whose size was checked; a decoder throws errors of every kind on invalid input. */
export async function decodePicture(bytes: Uint8Array, header: PictureHeader): Promise<Pixels> {
  const pixels = await decoders[header.format](bytes, header).catch((cause: unknown) => {
    // A decoder that has exited has lost its memory: the next picture gets a new one.
    if (header.format !== 'gif') prepare[header.format].forget();
    throw new CodecError('unreadable', { cause });
  });
  if (!pixels) throw new CodecError('unreadable');
  return pixels;
}

export async function encodeJpeg({ width, height, data }: Pixels, quality: number): Promise<Uint8Array> {
  await prepare.encoder();
  const image = { width, height, data: Uint8ClampedArray.from(data), colorSpace: 'srgb' } as const;
  return new Uint8Array(await encode(image, { quality }));
}

function quietly(url: string) {
  const instantiateWasm = (imports: object, use: (instance: WebAssembly.Instance) => void) => {
    const instance = new WebAssembly.Instance(compiled(url), imports);
    use(instance);
    return instance.exports;
  };
  return { instantiateWasm, print() {}, printErr() {} };
}

function compiled(url: string): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(fileURLToPath(url)));
}

function once<T>(make: () => T): (() => T) & { forget(): void } {
  let made: { readonly value: T } | undefined;
  const get = () => {
    made ??= { value: make() };
    return made.value;
  };
  return Object.assign(get, {
    forget() {
      made = undefined;
    },
  });
}

/** Small files share their buffer with others. */
function exactBuffer(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}
