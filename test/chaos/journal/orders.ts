export interface ChildOrder {
  readonly pair: boolean;
  readonly linkId: string;
  readonly phone: string;
  readonly fence: number;
  readonly storeFile: string;
  readonly recorderFile: string;
  readonly masterKey: string;
  readonly url: string;
  readonly rootPublicKey: string;
  readonly mediaCaPem: string;
  readonly mediaHost: string;
}

export type ChildReport =
  | { readonly kind: 'qr'; readonly qr: string }
  | { readonly kind: 'paired' }
  | { readonly kind: 'state'; readonly state: string };
