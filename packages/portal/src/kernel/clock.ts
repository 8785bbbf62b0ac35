/** The one place where the pages ask for the time or set a timer. */

/** How far the gateway's clock goes before the one of this machine: either may be wrong, and the sandbox's is moved at will. */
let aheadMs = 0;

/** The time as the gateway sees it, by which everything on the pages is dated. */
export function now(): number {
  return machineNow() + aheadMs;
}

export function inDays(days: number): string {
  return new Date(now() + days * 86_400_000).toISOString();
}

export function nowUnix(): number {
  return Math.floor(now() / 1_000);
}

export function machineNow(): number {
  return Date.now();
}

/** Sets the time by the `Date` of an answer; `askedAt` is the machine's time when it was asked for. */
export function followGateway(date: string | null, askedAt: number): void {
  const toldMs = Date.parse(date ?? '');
  if (!Number.isNaN(toldMs)) aheadMs = aheadBy(aheadMs, { toldMs, askedAt, heardAt: machineNow() });
}

const TOLD_TO_THE_MS = 1_000;

/**
 * What is told is rounded down to the second, and was true at some moment between question and answer. What was known before stays
 * unless it contradicts that: otherwise the time would jump to and fro by a second with every answer.
 */
export function aheadBy(
  before: number,
  { toldMs, askedAt, heardAt }: { toldMs: number; askedAt: number; heardAt: number },
): number {
  const least = toldMs - heardAt;
  const most = toldMs + TOLD_TO_THE_MS - askedAt;
  return Math.min(Math.max(before, least), most);
}

/** Calls `action` once; the answer takes the request back. */
export function after(ms: number, action: () => void): () => void {
  const timer = setTimeout(action, ms);
  return () => clearTimeout(timer);
}

/** Ends a request that takes longer. */
export function giveUpAfter(ms: number): AbortSignal {
  return AbortSignal.timeout(ms);
}

/** Calls `action` again and again while somebody can see the page. */
export function everyWhileVisible(ms: number, action: () => void): () => void {
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') action();
  }, ms);
  return () => clearInterval(timer);
}
