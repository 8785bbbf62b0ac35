import { after } from '../kernel/clock.ts';

/** Code on a page that a phone can scan. */
export interface ScreenCode {
  /** Number to be linked. */
  readonly phone: string;
  readonly qr?: string | undefined;
  readonly code?: string | undefined;
}

/** Channel between the tabs of this browser, of the same origin. */
const CHANNEL = 'parley-screen';
const LOOK_MS = 400;
const QUESTION = 'what is on your screen?';

/** Publishes this page's code to the sandbox phones in other tabs, in place of a camera. */
export function showToPhones(read: () => ScreenCode | undefined): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const shown = data === QUESTION ? read() : undefined;
    if (shown) channel.postMessage(shown);
  };
  return () => channel.close();
}

/** Requests the codes that other tabs show. */
export function readScreens(): Promise<readonly ScreenCode[]> {
  const channel = new BroadcastChannel(CHANNEL);
  const seen: ScreenCode[] = [];
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (isScreenCode(data)) seen.push(data);
  };
  channel.postMessage(QUESTION);
  return new Promise((resolve) => {
    after(LOOK_MS, () => {
      channel.close();
      resolve(seen);
    });
  });
}

function isScreenCode(data: unknown): data is ScreenCode {
  return typeof data === 'object' && data !== null && 'phone' in data;
}
