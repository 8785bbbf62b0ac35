import { parsedJson } from '#kernel';
import type { Jid, MediaRef } from '../../content.ts';
import { property } from '../errors.ts';

/**
 * Contents of a media reference: location and key of the file, and the message that it came with, to request it
 * again.
 */
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
  const written = parsedJson(token);
  if (!isOurs(written)) return undefined;
  return {
    kind,
    directPath: written.path,
    mediaKey: Buffer.from(written.key, 'base64'),
    sha256: Buffer.from(written.sha256, 'base64'),
    encryptedSha256: Buffer.from(written.encrypted, 'base64'),
    message: written.message,
  };
}

interface Written extends Record<(typeof TEXTS)[number], string> {
  readonly message: MediaPointer['message'];
}

const TEXTS = ['path', 'key', 'sha256', 'encrypted'] as const;

function isOurs(written: unknown): written is Written {
  const message = property(written, 'message');
  const texts = [
    ...TEXTS.map((name) => property(written, name)),
    property(message, 'id'),
    property(message, 'chat'),
  ];
  return texts.every((text) => typeof text === 'string');
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
