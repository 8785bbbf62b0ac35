import { after } from '../kernel/clock.ts';

/** What a page shows to be taken up by a phone. */
export interface ScreenCode {
  /** The number that is to be linked. */
  readonly phone: string;
  readonly qr?: string | undefined;
  readonly code?: string | undefined;
}

/** The tabs of this browser, of the same origin only. */
const CHANNEL = 'parley-screen';
const LOOK_MS = 400;
const QUESTION = 'what is on your screen?';

/** Lets the sandbox phones in other tabs of this browser see what this page shows, as a camera would. */
export function showToPhones(read: () => ScreenCode | undefined): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const shown = data === QUESTION ? read() : undefined;
    if (shown) channel.postMessage(shown);
  };
  return () => channel.close();
}

/** Everything that the other tabs show at this moment. */
export function lookAtScreens(): Promise<readonly ScreenCode[]> {
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
