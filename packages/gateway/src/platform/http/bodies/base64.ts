/** The text is not base64. */
export class NotBase64 extends Error {}

interface Base64Decoder {
  /** Throws `NotBase64`. */
  write(text: string): Buffer;
  /** Returns the rest of the last pieces. */
  end(): Buffer;
}

const GROUP_LENGTH = 4;
const PADDING_MAX = 2;

/** Decodes base64 in pieces of any length, skips whitespace, and refuses everything else, in linear time. */
export function createBase64Decoder(): Base64Decoder {
  let rest = '';
  let padding = 0;

  return {
    write(text) {
      const packed = text.replaceAll(/[ \t\r\n]/g, '');
      if (/[^A-Za-z0-9+/=]/.test(packed)) throw new NotBase64();
      const end = packed.indexOf('=');
      const body = end === -1 ? packed : packed.slice(0, end);
      if (padding > 0 && body !== '') throw new NotBase64();
      if (end !== -1) padding += packed.length - end;
      if (padding > PADDING_MAX || /[^=]/.test(packed.slice(body.length))) throw new NotBase64();
      const ready = rest + body;
      const whole = ready.length - (ready.length % GROUP_LENGTH);
      rest = ready.slice(whole);
      return Buffer.from(ready.slice(0, whole), 'base64');
    },
    end() {
      if (rest.length === 1) throw new NotBase64();
      return Buffer.from(rest, 'base64');
    },
  };
}

/** Throws `NotBase64`. */
export function decodeBase64(text: string): Buffer {
  const decoder = createBase64Decoder();
  return Buffer.concat([decoder.write(text), decoder.end()]);
}

const DATA_URL_HEAD_MAX = 256;

/** Length of the head of a data URL and its type: `data:image/png;base64,`. Zero for anything else. */
export function splitDataUrl(text: string): { readonly headLength: number; readonly mimetype: string } {
  const comma = text.slice(0, DATA_URL_HEAD_MAX).indexOf(',');
  const said = text.slice('data:'.length, Math.max(0, comma));
  if (!text.startsWith('data:') || !said.endsWith(';base64')) return { headLength: 0, mimetype: '' };
  return { headLength: comma + 1, mimetype: said.slice(0, -';base64'.length) };
}
