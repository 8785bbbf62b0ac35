import type { Jid, MediaRef } from '../../content.ts';

/** What a media reference holds: where the file lies, what opens it, and the message that it came with, to ask for it again. */
export interface MediaPointer {
  readonly kind: MediaRef['kind'];
  readonly directPath: string;
  readonly mediaKey: Uint8Array;
  readonly sha256: Uint8Array;
  readonly encryptedSha256: Uint8Array;
  readonly message: {
    readonly id: string;
    readonly chat: Jid;
    readonly fromMe: boolean;
    readonly participant?: Jid;
  };
}

export function toMediaRef({ kind, ...pointer }: MediaPointer): MediaRef {
  const token = JSON.stringify({
    path: pointer.directPath,
    key: base64(pointer.mediaKey),
    sha256: base64(pointer.sha256),
    encrypted: base64(pointer.encryptedSha256),
    message: pointer.message,
  });
  return { kind, token };
}

/** Undefined when the token was not made by `toMediaRef`. */
export function readMediaRef({ kind, token }: MediaRef): MediaPointer | undefined {
  try {
    const { path, key, sha256, encrypted, message } = JSON.parse(token);
    if (
      ![path, key, sha256, encrypted, message?.id, message?.chat].every((part) => typeof part === 'string')
    ) {
      return undefined;
    }
    return {
      kind,
      directPath: path,
      mediaKey: Buffer.from(key, 'base64'),
      sha256: Buffer.from(sha256, 'base64'),
      encryptedSha256: Buffer.from(encrypted, 'base64'),
      message,
    };
  } catch {
    return undefined;
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
