/** A field in protobuf's wire format: a number, or the bytes of a text, a message or a byte string. */
export interface WireField {
  readonly field: number;
  readonly value: number | Uint8Array;
}

const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;
const FIXED_32 = 5;

/** Longest valid varint. */
const MOST_VARINT_BYTES = 10;

/**
 * Reads the fields of a message without a schema, for fields that the library's schema lacks. Stops at invalid
 * bytes; numbers beyond the exact range of a double lose their last digits.
 */
export function* fieldsOf(bytes: Uint8Array): Generator<WireField> {
  let at = 0;
  while (at < bytes.length) {
    const head = varintAt(bytes, at);
    if (!head) return;
    const field = Math.floor(head.value / 8);
    const body = bodyAt(bytes, head.end, head.value % 8);
    if (!body || body.end > bytes.length) return;
    yield { field, value: body.value };
    at = body.end;
  }
}

/** Bytes of the first field with this number. */
export function bytesIn(message: Uint8Array | undefined, wanted: number): Uint8Array | undefined {
  for (const { field, value } of message ? fieldsOf(message) : []) {
    if (field === wanted && value instanceof Uint8Array) return value;
  }
  return undefined;
}

interface Read<T> {
  readonly value: T;
  /** Offset of the next byte. */
  readonly end: number;
}

/** Undefined when the varint is incomplete or too long. */
export function varintAt(bytes: Uint8Array, at: number): Read<number> | undefined {
  let value = 0;
  for (let index = 0; index < MOST_VARINT_BYTES; index++) {
    const byte = bytes[at + index];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, end: at + index + 1 };
  }
  return undefined;
}

function bodyAt(bytes: Uint8Array, at: number, type: number): Read<number | Uint8Array> | undefined {
  switch (type) {
    case VARINT:
      return varintAt(bytes, at);
    case FIXED_64:
      return { value: bytes.subarray(at, at + 8), end: at + 8 };
    case FIXED_32:
      return { value: bytes.subarray(at, at + 4), end: at + 4 };
    case BYTES: {
      const length = varintAt(bytes, at);
      if (!length) return undefined;
      const end = length.end + length.value;
      return { value: bytes.subarray(length.end, end), end };
    }
    default:
      return undefined;
  }
}
