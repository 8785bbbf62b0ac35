/** A published version of the terms. */
export interface TermsVersion {
  readonly version: string;
  readonly url: string;
  /** Grows with each version. */
  readonly number: number;
  readonly publishedAt: number;
  readonly effectiveAt: number;
  /** False: of a release that gave none. */
  readonly hasNotice: boolean;
}

/** All versions that were ever published, as they apply at any moment. */
export interface TermsTimeline {
  inForce(now: number): TermsVersion | undefined;
  /** Announced, and not in force yet. */
  upcoming(now: number): TermsVersion | undefined;
  /** Acceptance of a version includes all versions before it. */
  covers(accepted: string | null, version: TermsVersion): boolean;
}

/** From versions in any order. */
export function createTimeline(versions: readonly TermsVersion[]): TermsTimeline {
  const newestFirst = versions.toSorted((a, b) => b.number - a.number);
  const numbers = new Map(versions.map(({ version, number }) => [version, number]));
  const newest = newestFirst[0];
  return {
    inForce: (now) => newestFirst.find(({ effectiveAt }) => effectiveAt <= now),
    upcoming: (now) => (newest && newest.effectiveAt > now ? newest : undefined),
    covers: (accepted, { number }) => accepted !== null && (numbers.get(accepted) ?? 0) >= number,
  };
}

/** Whether the version in force, if there is one, still has to be accepted. */
export function hasToAccept(timeline: TermsTimeline, accepted: string | null, now: number): boolean {
  const inForce = timeline.inForce(now);
  return inForce !== undefined && !timeline.covers(accepted, inForce);
}
