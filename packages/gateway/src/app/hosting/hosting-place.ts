import type { ClientVersionFigures, HostingFigures } from '#platform/observe';

export interface HostFigures extends HostingFigures {
  readonly clientVersion: ClientVersionFigures | undefined;
}

/** Where the numbers of this process are hosted: in the main thread, in other threads, or not at all. */
export interface HostingPlace {
  /** Resolves when it hosts. */
  start(): Promise<void>;
  /** Readiness: rejects while nothing can be hosted. */
  check(): Promise<void>;
  /** One entry per worker. */
  figures(): Promise<readonly HostFigures[]>;
  /** Sets the base of links to files, which is known only after listening where it is not configured. */
  setPublicUrl?(url: string | undefined): void;
}

export const noHosting: HostingPlace = {
  start: async () => {},
  check: async () => {},
  figures: async () => [],
};
