/** The only module of the pages that reads the time or sets timers. */

/** Offset of the gateway's clock to this machine's. Either may be wrong, and tests move the sandbox's. */
let offsetMs = 0;

/** The gateway's time; all dates on the pages refer to it. */
export function now(): number {
  return localNow() + offsetMs;
}

export function inDays(days: number): string {
  return new Date(now() + days * 86_400_000).toISOString();
}

export function nowUnix(): number {
  return Math.floor(now() / 1_000);
}

export function localNow(): number {
  return Date.now();
}

/** Adjusts the offset by the `Date` of an answer; `askedAt` is the machine's time of the request. */
export function followGatewayClock(date: string | null, askedAt: number): void {
  const reportedMs = Date.parse(date ?? '');
  if (!Number.isNaN(reportedMs))
    offsetMs = adjustOffset(offsetMs, { reportedMs, askedAt, answeredAt: localNow() });
}

const DATE_RESOLUTION_MS = 1_000;

/**
 * The reported time is rounded down to the second and was read between request and answer. The previous offset stays while it is
 * consistent with that; otherwise the time would jump by up to a second with every answer.
 */
export function adjustOffset(
  before: number,
  { reportedMs, askedAt, answeredAt }: { reportedMs: number; askedAt: number; answeredAt: number },
): number {
  const least = reportedMs - answeredAt;
  const most = reportedMs + DATE_RESOLUTION_MS - askedAt;
  return Math.min(Math.max(before, least), most);
}

/** Calls `action` once; returns the function that cancels it. */
export function after(ms: number, action: () => void): () => void {
  const timer = setTimeout(action, ms);
  return () => clearTimeout(timer);
}

/** Signal that aborts a request after `ms`. */
export function timeoutSignal(ms: number): AbortSignal {
  return AbortSignal.timeout(ms);
}

/** Calls `action` every `ms` while the page is visible. */
export function everyWhileVisible(ms: number, action: () => void): () => void {
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') action();
  }, ms);
  return () => clearInterval(timer);
}
