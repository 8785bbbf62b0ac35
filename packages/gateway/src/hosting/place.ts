import type { ClientVersionFigures, HostingFigures } from '#ops';

export interface HostFigures extends HostingFigures {
  readonly clientVersion: ClientVersionFigures | undefined;
}

/** Where the numbers of this process are hosted: in the thread that answers requests, in others, or not at all. */
export interface HostingPlace {
  /** Resolves when it hosts. */
  start(): Promise<void>;
  /** Readiness: rejects while nothing can be hosted. */
  check(): Promise<void>;
  /** Of each worker. */
  figures(): Promise<readonly HostFigures[]>;
  /** Where links to files lead, which is known late where nothing was configured. */
  tellPublicUrl?(url: string | undefined): void;
}

export const nowhere: HostingPlace = {
  start: async () => {},
  check: async () => {},
  figures: async () => [],
};
