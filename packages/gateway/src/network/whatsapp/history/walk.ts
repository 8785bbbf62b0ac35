import { varintAt } from '../convert/protobuf.ts';

/** Visits the fields of one message in their order. Fields that it does not ask for are skipped and never held. */
export interface FieldVisitor {
  /**
   * Handles a field with a length: returns a visitor for a nested message, `bytes` or `message` to get the value
   * at once, or undefined to skip it.
   */
  enter?(field: number): FieldVisitor | keyof typeof MOST_SHOWN_BYTES | undefined;
  bytes?(field: number, bytes: Uint8Array): void;
  number?(field: number, value: number): void;
  /** Called at the end of the message. */
  leave?(): void;
}

/** Collects results of a visitor. The reader flushes it between two pieces once it is full, and at the end. */
export interface Collector {
  readonly visitor: FieldVisitor;
  isFull(): boolean;
  flush(): Promise<void>;
}

/** The bytes are not a message: they end inside one, or exceed the message around them. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
}

export interface Walk {
  push(chunk: Uint8Array): void;
  /** Ends the input. */
  end(): void;
}

const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;
const FIXED_32 = 5;
/** Maximum lengths of values; longer ones are skipped. No client lets a user write or attach that much. */
const MOST_SHOWN_BYTES = { bytes: 4_096, message: 1024 ** 2 };
/** Longest head of a field with its length or its number. */
const MOST_HEAD_BYTES = 20;

/**
 * Walks through a message of any size that arrives in pieces, and holds only the field that is being read.
 * Nested messages of any length are entered.
 */
export function walkMessage(root: FieldVisitor): Walk {
  const path: { readonly visitor: FieldVisitor; readonly end: number }[] = [{ visitor: root, end: Infinity }];
  /** Bytes of the whole message read so far. */
  let position = 0;
  let skipping = 0;
  let shown: { readonly field: number; readonly bytes: Uint8Array; filled: number } | undefined;
  /** An incomplete head. */
  let rest: Uint8Array = new Uint8Array(0);

  const current = () => path.at(-1) ?? { visitor: root, end: Infinity };

  function leaveFinished(): void {
    while (path.length > 1 && !shown && skipping === 0 && position === current().end) {
      current().visitor.leave?.();
      path.pop();
    }
  }

  function open(field: number, length: number): void {
    if (position + length > current().end) throw new MalformedMessage();
    const wanted = current().visitor.enter?.(field);
    if (wanted === undefined) skipping = length;
    else if (typeof wanted === 'object') path.push({ visitor: wanted, end: position + length });
    else if (length === 0) current().visitor.bytes?.(field, new Uint8Array(0));
    else if (length <= MOST_SHOWN_BYTES[wanted]) shown = { field, bytes: new Uint8Array(length), filled: 0 };
    else skipping = length;
  }

  /** Returns where the head of the next field ends; undefined when it is incomplete. */
  function readHead(bytes: Uint8Array, at: number): number | undefined {
    const head = varintAt(bytes, at);
    if (!head) return undefined;
    const field = Math.floor(head.value / 8);
    switch (head.value % 8) {
      case VARINT: {
        const number = varintAt(bytes, head.end);
        if (!number) return undefined;
        position += number.end - at;
        current().visitor.number?.(field, number.value);
        return number.end;
      }
      case BYTES: {
        const length = varintAt(bytes, head.end);
        if (!length) return undefined;
        position += length.end - at;
        open(field, length.value);
        return length.end;
      }
      case FIXED_64:
      case FIXED_32:
        skipping = head.value % 8 === FIXED_64 ? 8 : 4;
        position += head.end - at;
        return head.end;
      default:
        throw new MalformedMessage();
    }
  }

  /** Reads the rest of a field that began in an earlier piece; returns where it ends in these bytes. */
  function readBody(bytes: Uint8Array, at: number): number {
    if (shown) {
      const part = bytes.subarray(at, at + shown.bytes.length - shown.filled);
      shown.bytes.set(part, shown.filled);
      shown.filled += part.length;
      position += part.length;
      if (shown.filled === shown.bytes.length) {
        const { field, bytes: whole } = shown;
        shown = undefined;
        current().visitor.bytes?.(field, whole);
      }
      return at + part.length;
    }
    const step = Math.min(skipping, bytes.length - at);
    skipping -= step;
    position += step;
    return at + step;
  }

  return {
    push(chunk) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      rest = new Uint8Array(0);
      let at = 0;
      while (at < bytes.length) {
        if (shown || skipping > 0) at = readBody(bytes, at);
        else {
          const end = readHead(bytes, at);
          if (end === undefined) {
            if (bytes.length - at > MOST_HEAD_BYTES) throw new MalformedMessage();
            rest = Uint8Array.from(bytes.subarray(at));
            return;
          }
          at = end;
        }
        if (position > current().end) throw new MalformedMessage();
        leaveFinished();
      }
    },
    end() {
      if (shown || skipping > 0 || rest.length > 0 || path.length > 1) throw new MalformedMessage();
      root.leave?.();
    },
  };
}
