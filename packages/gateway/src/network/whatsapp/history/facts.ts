import {
  isHostedLidUser,
  isHostedPnUser,
  isLidUser,
  isPnUser,
  WAMessageStubType,
  type WASocket,
} from 'baileys';
import { buildMergedTcTokenIndexWrite } from 'baileys/lib/Utils/tc-token-utils.js';
import type { Jid } from '../../content.ts';
import { accountOf, digitsOf, isPhone, lidJid } from '../convert/index.ts';
import { property } from '../errors.ts';
import { MAPPING } from '../receive/people.ts';
import type { Vault } from '../vault/index.ts';
import type { FieldVisitor } from './walk.ts';

/** Receives what a phone's history says about people; messages are skipped. */
export interface HistorySink {
  /** The two addresses of one person. */
  mapping(pn: string, lid: string): void;
  contact(contact: HistoryContact): void;
  /** A person, under either address, with whom messages were exchanged. */
  chat(person: string): void;
  token(token: HistoryToken): void;
  /** Salt for the tokens of first contacts. */
  salt(salt: Uint8Array): void;
}

export interface HistoryContact {
  readonly id: string;
  readonly name?: string;
  readonly notify?: string;
  readonly verifiedName?: string;
  readonly lid?: string;
  readonly phoneNumber?: string;
}

/** Trusted-contact token that a person gave to the number. */
export interface HistoryToken {
  /** Either address of the person. */
  readonly from: string;
  readonly token: Uint8Array;
  /** Epoch seconds: when it was received, and when this number gave its own token. */
  readonly at: number;
  readonly givenAt?: number;
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const isNumber = (jid: string): boolean => isPnUser(jid) === true || isHostedPnUser(jid) === true;
const isHidden = (jid: string): boolean => isLidUser(jid) === true || isHostedLidUser(jid) === true;

/** Reads a `HistorySync`. */
export function visitHistory(sink: HistorySink): FieldVisitor {
  const [CONVERSATIONS, PUSH_NAMES, MAPPINGS, SALT] = [2, 7, 15, 19];
  return {
    enter(field) {
      if (field === CONVERSATIONS) return visitConversation(sink);
      if (field === PUSH_NAMES) {
        return visitTexts([1, 2], ([id, notify]) => {
          if (id && notify) sink.contact({ id, notify });
        });
      }
      if (field === MAPPINGS) {
        return visitTexts([1, 2], ([pn, lid]) => {
          if (pn && lid) sink.mapping(pn, lid);
        });
      }
      return field === SALT ? 'bytes' : undefined;
    },
    bytes: (_field, salt) => sink.salt(salt),
  };
}

/** Passes on the texts of these fields at the end of the message. */
function visitTexts(
  fields: readonly number[],
  onEnd: (texts: readonly (string | undefined)[]) => void,
): FieldVisitor {
  const texts = new Map<number, string>();
  return {
    enter: (field) => (fields.includes(field) ? 'bytes' : undefined),
    bytes: (field, bytes) => texts.set(field, text(bytes)),
    leave: () => onEnd(fields.map((field) => texts.get(field))),
  };
}

/** Reads a `Conversation`. */
function visitConversation(sink: HistorySink): FieldVisitor {
  const MESSAGES = 2;
  const [ID, NAME, DISPLAY_NAME, PN, LID, USERNAME, ACCOUNT_LID] = [1, 13, 38, 39, 42, 43, 49];
  const [TOKEN, TOKEN_AT, TOKEN_GIVEN_AT] = [21, 22, 28];
  const TEXTS = [ID, NAME, DISPLAY_NAME, PN, LID, USERNAME, ACCOUNT_LID];
  const texts = new Map<number, string>();
  const numbers = new Map<number, number>();
  let token: Uint8Array | undefined;
  let hasMessages = false;
  let numberInReceipts: string | undefined;

  /** A chat under a hidden address without a number may still reveal it by the recipients of messages written there. */
  function emitMapping(id: string): void {
    if (isNumber(id)) {
      const lid = texts.get(LID);
      if (lid) sink.mapping(id, lid);
    } else {
      const pn = texts.get(PN) || numberInReceipts;
      if (pn) sink.mapping(pn, id);
    }
  }

  function emitToken(from: string): void {
    const at = numbers.get(TOKEN_AT) ?? 0;
    const givenAt = numbers.get(TOKEN_GIVEN_AT);
    if (token?.length && at > 0) sink.token({ from, token, at, ...(givenAt ? { givenAt } : {}) });
  }

  return {
    enter(field) {
      if (field === MESSAGES) {
        hasMessages = true;
        return visitMessages(sink, (number) => {
          numberInReceipts ??= number;
        });
      }
      return field === TOKEN || TEXTS.includes(field) ? 'bytes' : undefined;
    },
    bytes(field, bytes) {
      if (field === TOKEN) token = bytes;
      else texts.set(field, text(bytes));
    },
    number: (field, value) => void numbers.set(field, value),
    leave() {
      const id = texts.get(ID) ?? '';
      if (!isNumber(id) && !isHidden(id)) return;
      emitMapping(id);
      emitToken(id);
      if (hasMessages) sink.chat(id);
      const name = texts.get(DISPLAY_NAME) || texts.get(NAME) || texts.get(USERNAME);
      const lid = texts.get(LID) || texts.get(ACCOUNT_LID);
      const phoneNumber = texts.get(PN);
      if (name) {
        sink.contact({ id, name, ...(lid ? { lid } : {}), ...(phoneNumber ? { phoneNumber } : {}) });
      }
    },
  };
}

/** Reads a `HistorySyncMsg` and the `WebMessageInfo` in it. */
function visitMessages(sink: HistorySink, onReceivedBy: (number: string) => void): FieldVisitor {
  const MESSAGE = 1;
  return { enter: (field) => (field === MESSAGE ? visitMessage(sink, onReceivedBy) : undefined) };
}

/** Verified names are in notes of the chat. */
const READ_VERIFIED_NAMES: readonly number[] = [
  WAMessageStubType.BIZ_PRIVACY_MODE_TO_BSP,
  WAMessageStubType.BIZ_PRIVACY_MODE_TO_FB,
];

function visitMessage(sink: HistorySink, onReceivedBy: (number: string) => void): FieldVisitor {
  const [KEY, STUB_TYPE, STUB_PARAMETERS, RECEIPTS] = [1, 24, 26, 40];
  const [CHAT, FROM_ME, PARTICIPANT, RECEIVER] = [1, 2, 4, 1];
  let fromMe = false;
  let author: string | undefined;
  let receiver: string | undefined;
  let stub = 0;
  let parameter: string | undefined;
  return {
    enter(field) {
      if (field === KEY) {
        const addresses = visitTexts([CHAT, PARTICIPANT], ([chat, participant]) => {
          author = participant || chat;
        });
        return {
          ...addresses,
          number(part, value) {
            if (part === FROM_ME) fromMe = value === 1;
          },
        };
      }
      if (field === RECEIPTS) {
        return visitTexts([RECEIVER], ([jid]) => {
          receiver ??= jid;
        });
      }
      return field === STUB_PARAMETERS ? 'bytes' : undefined;
    },
    bytes(_field, bytes) {
      parameter ??= text(bytes);
    },
    number(field, value) {
      if (field === STUB_TYPE) stub = value;
    },
    leave() {
      if (fromMe && receiver && isNumber(receiver)) onReceivedBy(receiver);
      if (author && parameter && READ_VERIFIED_NAMES.includes(stub)) {
        sink.contact({ id: author, verifiedName: parameter });
      }
    },
  };
}

/** The library's own records of trusted-contact tokens. */
const TOKEN = 'tctoken';

/**
 * Stores tokens as the library does: under the hidden address where there is one, the newest wins, and in its
 * index of all tokens.
 */
export async function learnTokens(
  vault: Pick<Vault, 'read' | 'commit'>,
  sock: () => WASocket,
  received: readonly HistoryToken[],
): Promise<void> {
  const lids = await vault.read(
    MAPPING,
    received.map(({ from }) => digitsOf(accountOf(from))),
  );
  const addressOf = (from: string): Jid => {
    const jid = accountOf(from);
    const digits = isPhone(jid) ? lids.get(digitsOf(jid)) : undefined;
    return typeof digits === 'string' ? lidJid(digits) : jid;
  };
  const newest = new Map<Jid, HistoryToken>();
  for (const one of received) {
    const address = addressOf(one.from);
    if (address !== '' && (newest.get(address)?.at ?? 0) < one.at) newest.set(address, one);
  }
  const known = await vault.read(TOKEN, [...newest.keys()]);
  const puts = [...newest].flatMap(([id, { token, at, givenAt }]) => {
    const before = known.get(id);
    if (Number(property(before, 'timestamp') ?? 0) >= at) return [];
    const value = {
      ...(typeof before === 'object' ? before : {}),
      token: Buffer.from(token),
      timestamp: String(at),
      ...(givenAt === undefined ? {} : { senderTimestamp: givenAt }),
    };
    return [{ kind: TOKEN, id, value }];
  });
  if (puts.length === 0) return;
  const index = await buildMergedTcTokenIndexWrite(
    sock().authState.keys,
    puts.map(({ id }) => id),
  );
  const list = Object.entries(index).map(([id, value]) => ({ kind: TOKEN, id, value }));
  await vault.commit({ puts: [...puts, ...list] });
}
