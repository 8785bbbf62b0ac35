import { isHostedLidUser, isHostedPnUser, isLidUser, isPnUser, WAMessageStubType } from 'baileys';
import type { FieldVisitor } from './walk.ts';

/** What a phone's history says of people; its messages are left where they are. */
export interface HistorySink {
  /** The two addresses of one person. */
  mapping(pn: string, lid: string): void;
  contact(contact: HistoryContact): void;
  /** Somebody, under either address, with whom messages were exchanged. */
  chat(person: string): void;
  token(token: HistoryToken): void;
  /** From which tokens for first contacts are made. */
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

/** What somebody gave to the number as a sign of trust. */
export interface HistoryToken {
  /** Under either address of theirs. */
  readonly from: string;
  readonly token: Uint8Array;
  /** Epoch seconds: when it was given, and when this number gave its own. */
  readonly at: number;
  readonly givenAt?: number;
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const isNumber = (jid: string): boolean => isPnUser(jid) === true || isHostedPnUser(jid) === true;
const isHidden = (jid: string): boolean => isLidUser(jid) === true || isHostedLidUser(jid) === true;

/** `HistorySync` */
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

/** The texts of these fields, when the message is over. */
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

/** `Conversation` */
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

  /** A chat under the hidden address whose number is not told may still tell it by who has received what was written there. */
  function tellMapping(id: string): void {
    if (isNumber(id)) {
      const lid = texts.get(LID);
      if (lid) sink.mapping(id, lid);
    } else {
      const pn = texts.get(PN) || numberInReceipts;
      if (pn) sink.mapping(pn, id);
    }
  }

  function tellToken(from: string): void {
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
      tellMapping(id);
      tellToken(id);
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

/** `HistorySyncMsg`, and the `WebMessageInfo` in it. */
function visitMessages(sink: HistorySink, onReceivedBy: (number: string) => void): FieldVisitor {
  const MESSAGE = 1;
  return { enter: (field) => (field === MESSAGE ? visitMessage(sink, onReceivedBy) : undefined) };
}

/** Names that the network has verified are told by notes in the chat with them. */
const TELL_VERIFIED_NAMES: readonly number[] = [
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
      if (author && parameter && TELL_VERIFIED_NAMES.includes(stub)) {
        sink.contact({ id: author, verifiedName: parameter });
      }
    },
  };
}
