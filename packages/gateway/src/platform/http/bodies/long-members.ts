const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const NAME_MAX_BYTES = 64;

/** Receives a JSON string as it arrives, without its quotes and escapes. */
export interface LongText {
  write(text: string): Promise<void>;
  end(): Promise<void>;
}

interface LongMemberOptions {
  /** Members of the outermost object that may be long strings. */
  readonly names: ReadonlySet<string>;
  /** A string up to this size stays in the JSON, as does one whose beginning is no file's. */
  readonly keptBytes: number;
  /** Called with the beginning of a longer string; undefined: it stays in the JSON. */
  open(name: string, beginning: string): Promise<LongText> | undefined;
  /** Called with the remaining JSON, in which `null` replaces every extracted string. */
  keep(json: Buffer): void;
}

/**
 * Extracts long strings from JSON while it arrives, so that they are never held whole. It validates nothing: the rest is parsed as any
 * JSON, and is well-formed exactly when the whole was. A JSON stream parser creates an object for every 256 characters of a string;
 * this scans to the closing quote.
 */
export function createLongMemberReader({ names, keptBytes, open, keep }: LongMemberOptions) {
  let depth = 0;
  let inString = false;
  let escaped = false;
  /** What the outermost object expects next. */
  let expects: 'name' | 'colon' | 'value' | 'nothing' = 'nothing';
  let isObject = false;
  let name = '';
  let nameBytes: number[] | undefined;
  let held: Buffer[] | undefined;
  let heldBytes = 0;
  let long: LongText | undefined;
  let unfinished = '';

  /** Decodes complete escapes. */
  function unescaped(piece: Buffer): string {
    const { text, rest } = unescapeJson(unfinished + piece.toString('latin1'));
    unfinished = rest;
    return text;
  }

  /** End of the string that the piece is in at `from`: at its quote, or after the piece. */
  function endOfString(piece: Buffer, from: number): number {
    const quote = piece.indexOf(QUOTE, from);
    const slash = piece.indexOf(BACKSLASH, from);
    if (!escaped && (slash === -1 || (quote !== -1 && quote < slash)))
      return quote === -1 ? piece.length : quote;
    for (let at = from; at < piece.length; at += 1) {
      if (escaped) escaped = false;
      else if (piece[at] === BACKSLASH) escaped = true;
      else if (piece[at] === QUOTE) return at;
    }
    return piece.length;
  }

  /** Buffers a string until it is known whether it is long. */
  async function holdBack(piece: Buffer, isWhole: boolean): Promise<void> {
    held?.push(piece);
    heldBytes += piece.length;
    if (!isWhole && heldBytes <= keptBytes) return;
    const beginning = Buffer.concat(held ?? []);
    held = undefined;
    const writer =
      heldBytes > keptBytes ? open(name, unescapeJson(beginning.toString('latin1')).text) : undefined;
    if (!writer) {
      keep(Buffer.concat([Buffer.from('"'), beginning]));
      return;
    }
    long = await writer;
    await long.write(unescaped(beginning));
  }

  async function inText(piece: Buffer, isWhole: boolean): Promise<void> {
    if (nameBytes) {
      if (nameBytes.length + piece.length <= NAME_MAX_BYTES) nameBytes.push(...piece);
      else nameBytes = [];
    }
    if (held) await holdBack(piece, isWhole);
    else if (long) await long.write(unescaped(piece));
    else keep(piece);
  }

  function beginString(piece: Buffer, at: number): void {
    inString = true;
    const isMember = depth === 1 && isObject;
    nameBytes = isMember && expects === 'name' ? [] : undefined;
    if (isMember && expects === 'value' && names.has(name)) {
      held = [];
      heldBytes = 0;
    } else keep(piece.subarray(at, at + 1));
  }

  async function endString(): Promise<void> {
    inString = false;
    if (long) {
      if (unfinished !== '') throw new SyntaxError('unfinished escape');
      const ended = long;
      long = undefined;
      keep(Buffer.from('null'));
      await ended.end();
    } else keep(Buffer.from('"'));
    if (nameBytes) {
      name = Buffer.from(nameBytes).toString();
      nameBytes = undefined;
      expects = 'colon';
    }
  }

  function structure(byte: number | undefined): void {
    if (byte === OPEN || byte === OPEN_LIST) {
      if (depth === 0) {
        isObject = byte === OPEN;
        expects = 'name';
      }
      depth += 1;
    } else if (byte === CLOSE || byte === CLOSE_LIST) depth -= 1;
    else if (depth === 1 && byte === COMMA) expects = 'name';
    else if (depth === 1 && byte === COLON && expects === 'colon') expects = 'value';
  }

  return {
    async write(piece: Buffer): Promise<void> {
      let at = 0;
      while (at < piece.length) {
        const from = at;
        if (inString) {
          at = endOfString(piece, from);
          const isWhole = at < piece.length;
          await inText(piece.subarray(from, at), isWhole);
          if (isWhole) {
            await endString();
            at += 1;
          }
          continue;
        }
        while (at < piece.length && piece[at] !== QUOTE) {
          structure(piece[at]);
          at += 1;
        }
        if (at > from) keep(piece.subarray(from, at));
        if (at < piece.length) {
          beginString(piece, at);
          at += 1;
        }
      }
    },
  };
}

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' },
};

/** `rest` is an incomplete escape. */
function unescapeJson(escaped: string): { readonly text: string; readonly rest: string } {
  let text = '';
  let at = 0;
  for (;;) {
    const slash = escaped.indexOf('\\', at);
    if (slash === -1) return { text: text + escaped.slice(at), rest: '' };
    text += escaped.slice(at, slash);
    const kind = escaped[slash + 1] ?? '';
    at = slash + (kind === 'u' ? 6 : 2);
    if (at > escaped.length) return { text, rest: escaped.slice(slash) };
    const hex = escaped.slice(slash + 2, at);
    const character =
      kind === 'u' && /^[\da-f]{4}$/i.test(hex)
        ? String.fromCharCode(Number.parseInt(hex, 16))
        : ESCAPES[kind];
    if (character === undefined) throw new SyntaxError('unknown escape');
    text += character;
  }
}
