/** Address of the network, and its trust anchors. */
export interface Address {
  readonly url: string;
  readonly rootPublicKey: Uint8Array;
  readonly mediaCaPem: string;
  readonly mediaHost: string;
}

export interface ContenderOptions {
  readonly address: Address;
  /** Folder of stored links for a later process. */
  readonly folder: string;
}

/** One implementation of linked numbers: Parley's driver, or the library's bare sockets. */
export interface Contender {
  /** Starts linking a number and returns the QR for its phone. */
  showQr(phone: string): Promise<string>;
  /** Resolves when the phone has confirmed. */
  linked(phone: string): Promise<void>;
  /** Resolves when the number is connected. */
  logIn(phone: string): Promise<void>;
  /** Resolves when the network has acknowledged the message. */
  send(from: string, to: string, text: string): Promise<void>;
  /** Number of people received from the phone so far; the bare library stores none. */
  contactsOf?(phone: string): Promise<number>;
  /** Closes gracefully: work from the linking is finished, and the links are stored for a later process. */
  close(): Promise<void>;
}

export type ContenderKind = 'bare' | 'parley';

export function jidOf(phone: string): string {
  return `${phone}@s.whatsapp.net`;
}
