import type { StillFailure } from './still.ts';

/** A path, or the bytes themselves. */
export type FileSource = string | Uint8Array;

export type FileKind = 'image' | 'video' | 'audio' | 'document' | 'sticker';

/** What a message says of its file besides name and type; absent where the file does not say it. */
export interface FileTraits {
  readonly width?: number;
  readonly height?: number;
  /** A JPEG of at most a few kilobytes. */
  readonly thumbnail?: Uint8Array;
  /** Length of a video or sound. */
  readonly seconds?: number;
  /** Loudness of a voice message in 64 columns, from 0 to 100. */
  readonly waveform?: Uint8Array;
  /** The thumbnail of the video is no picture of it, for this reason. */
  readonly noStill?: StillFailure;
}

/** Reasons why a file was not decoded; `timeout` and `crashed` end the thread. */
export type CodecFailure = 'unreadable' | 'too_large' | 'busy' | 'timeout' | 'crashed' | 'closed';

export class CodecError extends Error {
  override readonly name = 'CodecError';
  readonly reason: CodecFailure;

  constructor(reason: CodecFailure, options?: { readonly cause: unknown }) {
    super(`the file was not decoded: ${reason}`, options);
    this.reason = reason;
  }
}

export type Job =
  | { readonly kind: 'describe'; readonly source: FileSource; readonly as: FileKind }
  | { readonly kind: 'square'; readonly source: FileSource; readonly side: number };

export interface ThreadOptions {
  /** Program that takes a picture from a video. */
  readonly ffmpeg?: string;
}

export type Answer = { readonly value: FileTraits | Uint8Array } | { readonly failure: CodecFailure };
