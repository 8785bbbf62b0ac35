/** The one place where the pages ask for the time or set a timer. */

export function now(): number {
  return Date.now();
}

export function nowUnix(): number {
  return Math.floor(Date.now() / 1_000);
}

/** Calls `action` once; the answer takes the request back. */
export function after(ms: number, action: () => void): () => void {
  const timer = setTimeout(action, ms);
  return () => clearTimeout(timer);
}

/** Calls `action` again and again while somebody can see the page. */
export function everyWhileVisible(ms: number, action: () => void): () => void {
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') action();
  }, ms);
  return () => clearInterval(timer);
}
