import type { MessagePort } from 'node:worker_threads';
import type { Config } from '#config';
import type { MasterKeys } from '#kernel';
import type { WorkReport } from '#ops';
import type { SharedStore } from '#store';
import type { Endpoint } from './open-driver.ts';
import type { HostFigures } from './place.ts';

/** All that a hosting thread is started with. */
export interface ThreadStart {
  /** From 1 on. */
  readonly thread: number;
  readonly version: string;
  readonly config: Config;
  readonly masterKeys: MasterKeys;
  readonly fingerprintKey: Uint8Array;
  readonly store: SharedStore;
  readonly bus: MessagePort;
  readonly endpoint: Endpoint | undefined;
  /** How far the sandbox has moved the gateway's clock by now. */
  readonly travelledMs: number;
  readonly publicUrl: string | undefined;
  readonly passage: string;
  /** There is no other hosting thread. */
  readonly alone: boolean;
}

/** What the main thread wants of a hosting thread; what has an id is answered under it. */
export type Order =
  | { readonly kind: 'travel'; readonly id: number; readonly ms: number }
  | { readonly kind: 'figures' | 'check' | 'answer'; readonly id: number }
  | { readonly kind: 'public_url'; readonly url: string | undefined }
  | { readonly kind: 'stop' };

/** What a hosting thread tells the main thread. */
export type News =
  | { readonly kind: 'started' }
  | { readonly kind: 'leased'; readonly worker: string }
  | { readonly kind: 'worked'; readonly report: WorkReport }
  | { readonly kind: 'logged'; readonly line: string }
  | { readonly kind: 'done'; readonly id: number; readonly figures?: HostFigures }
  | { readonly kind: 'refused'; readonly id: number };
