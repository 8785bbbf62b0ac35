import { decodeDecompressedBinaryNode, encodeBinaryNode } from 'baileys';
import { DOUBLE_BYTE_WORDS, SINGLE_BYTE_WORDS } from './dictionary-2.ts';
import { decodeNode, encodeNode, type Node, refuseCompressed } from './nodes.ts';

/** Token table of the binary encoding; a client announces it in its intro. */
export type Dictionary = 2 | 3;

export interface Codec {
  encode(stanza: Node): Buffer;
  decode(bytes: Buffer): Promise<Node>;
}

/** The same tags in both dictionaries. */
const TAGS = {
  LIST_EMPTY: 0,
  DICTIONARY_0: 236,
  DICTIONARY_1: 237,
  DICTIONARY_2: 238,
  DICTIONARY_3: 239,
  INTEROP_JID: 245,
  FB_JID: 246,
  AD_JID: 247,
  LIST_8: 248,
  LIST_16: 249,
  JID_PAIR: 250,
  HEX_8: 251,
  BINARY_8: 252,
  BINARY_20: 253,
  BINARY_32: 254,
  NIBBLE_8: 255,
  PACKED_MAX: 127,
};

/** Created for the first client that uses it: it takes 20 ms, and hardly any client does. */
function makeOlderWords() {
  return {
    TAGS,
    SINGLE_BYTE_TOKENS: [...SINGLE_BYTE_WORDS],
    DOUBLE_BYTE_TOKENS: DOUBLE_BYTE_WORDS.map((words) => [...words]),
    TOKEN_MAP: Object.fromEntries([
      ...DOUBLE_BYTE_WORDS.flatMap((words, dict) => words.map((word, index) => [word, { dict, index }])),
      ...SINGLE_BYTE_WORDS.slice(1).map((word, place) => [word, { index: place + 1 }]),
    ]),
  };
}

let made: ReturnType<typeof makeOlderWords> | undefined;
const olderWords = (): ReturnType<typeof makeOlderWords> => (made ??= makeOlderWords());

/** The library's type lists its own words, but any are accepted. */
type LibraryWords = Parameters<typeof decodeDecompressedBinaryNode>[1];

const CODECS: Readonly<Record<Dictionary, Codec>> = {
  2: {
    encode: (stanza) => encodeBinaryNode(stanza, olderWords()),
    async decode(bytes) {
      refuseCompressed(bytes);
      return decodeDecompressedBinaryNode(bytes.subarray(1), olderWords() as unknown as LibraryWords);
    },
  },
  3: { encode: encodeNode, decode: decodeNode },
};

export const codecOf = (dictionary: Dictionary): Codec => CODECS[dictionary];
