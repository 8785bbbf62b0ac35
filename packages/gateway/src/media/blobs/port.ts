import type { ByteRange } from '#kernel';

/**
 * Where sealed files are kept, under names of two parts: `<account>/<object>`. It knows nothing of what is in them. Every method rejects with
 * a `BlobError` when the place cannot be reached, within a bounded time.
 */
export interface MediaStore {
  /** Takes over the file at `path`, which is gone then. When this resolves, it is there whole and survives a crash; before, nothing is. */
  put(name: string, file: { readonly path: string; readonly size: number }): Promise<void>;
  has(name: string): Promise<boolean>;
  /** Rejects with `missing` when there is nothing of that name. Ends early when `signal` aborts. */
  read(name: string, range: ByteRange, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Does nothing when there is nothing of that name. */
  delete(name: string): Promise<void>;
  /** All that is there, in no order. */
  list(): AsyncIterable<StoredBlob>;
  close(): Promise<void>;
}

export interface StoredBlob {
  readonly name: string;
  /** Epoch ms, by the clock of the place. */
  readonly madeAt: number;
}

export class BlobError extends Error {
  override readonly name = 'BlobError';
  readonly code: 'missing' | 'unreachable';

  constructor(code: 'missing' | 'unreachable', options?: ErrorOptions) {
    super(`media store: ${code}`, options);
    this.code = code;
  }
}
