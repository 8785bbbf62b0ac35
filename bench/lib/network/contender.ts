/** Where the network is, and whom to believe. */
export interface Address {
  readonly url: string;
  readonly rootPublicKey: Uint8Array;
  readonly mediaCaPem: string;
  readonly mediaHost: string;
}

export interface ContenderOptions {
  readonly address: Address;
  /** Where links are kept for a later process. */
  readonly folder: string;
}

/** One way to hold numbers on the network: Parley's driver, or the library's bare sockets. */
export interface Contender {
  /** Starts linking a number and answers what its phone has to scan. */
  showQr(phone: string): Promise<string>;
  /** Resolves when the phone has agreed. */
  linked(phone: string): Promise<void>;
  /** Resolves when the number is connected. */
  logIn(phone: string): Promise<void>;
  /** Resolves when the network has acknowledged the message. */
  send(from: string, to: string, text: string): Promise<void>;
  /** How many people the phone has told of so far; the bare library keeps none. */
  contactsOf?(phone: string): Promise<number>;
  /** Ends in order: all that linking brought along is worked off, and the links are kept for a later process. */
  close(): Promise<void>;
}

export type ContenderKind = 'bare' | 'parley';

export function jidOf(phone: string): string {
  return `${phone}@s.whatsapp.net`;
}
