import { type PasskeyCredential, type PasskeyOptions, parsedJson } from '@parley/contract';
import { after } from '../kernel/clock.ts';
import { isCredential, NotSigned } from './credential.ts';

/**
 * Extensions that sign on the network's own site at a page's request. They share the message format of a widely installed
 * extension: messages within the page, in Chromium also to that extension's id. Ours takes the same messages.
 */
const PAGE = 'waha-passkey-page';
const EXTENSION = 'waha-passkey-extension';
const WIDELY_INSTALLED = 'ghpdcgnjffaaekflfpcgkgpbafmjldcp';

type Request =
  | { readonly type: 'waha-passkey-ping' }
  | {
      readonly type: 'waha-passkey-sign';
      readonly challenge: string;
      /** Beyond the shared format: our extension signs exactly these options. */
      readonly options: PasskeyOptions;
    };

interface Reply {
  readonly ok: boolean;
  readonly assertion?: unknown;
}

/** Connection to an extension that has answered. */
export interface Extension {
  sign(options: PasskeyOptions): Promise<PasskeyCredential>;
}

type Ask = (request: Request, patienceMs: number) => Promise<Reply | undefined>;

const ANSWERS_WITHIN_MS = 800;
/** The network's own time limit. */
const SIGN_TIMEOUT_MS = 10 * 60_000;

/** Finds the first extension that answers; undefined when none does. */
export async function findExtension(): Promise<Extension | undefined> {
  const found = await Promise.all(
    [askInPage, askById].map(async (ask) =>
      (await ask({ type: 'waha-passkey-ping' }, ANSWERS_WITHIN_MS))?.ok ? ask : undefined,
    ),
  );
  const ask = found.find((each) => each !== undefined);
  return ask && { sign: (options) => signWith(ask, options) };
}

async function signWith(ask: Ask, options: PasskeyOptions): Promise<PasskeyCredential> {
  const { challenge } = options;
  const reply = await ask({ type: 'waha-passkey-sign', challenge, options }, SIGN_TIMEOUT_MS);
  const assertion = typeof reply?.assertion === 'string' ? parsedJson(reply.assertion) : reply?.assertion;
  if (!reply?.ok || !isCredential(assertion)) throw new NotSigned();
  return assertion;
}

let requests = 0;

const askInPage: Ask = (request, patienceMs) => {
  requests += 1;
  const requestId = `parley-${requests}`;
  const reply = Promise.withResolvers<Reply | undefined>();
  const onMessage = ({ source, data }: MessageEvent<unknown>): void => {
    if (source === window && isReply(data) && data.requestId === requestId) reply.resolve(data);
  };
  window.addEventListener('message', onMessage);
  const stop = after(patienceMs, () => reply.resolve(undefined));
  window.postMessage({ source: PAGE, requestId, ...request }, location.origin);
  return reply.promise.finally(() => {
    window.removeEventListener('message', onMessage);
    stop();
  });
};

function isReply(data: unknown): data is Reply & { readonly requestId: string } {
  return (
    typeof data === 'object' &&
    data !== null &&
    'source' in data &&
    data.source === EXTENSION &&
    'requestId' in data &&
    'ok' in data
  );
}

/** API of Chromium for pages that an extension allows to connect. */
interface ChromeRuntime {
  sendMessage(id: string, message: object, onReply: (reply: unknown) => void): void;
  readonly lastError?: unknown;
}

const askById: Ask = (request, patienceMs) => {
  const runtime: ChromeRuntime | undefined = Reflect.get(window, 'chrome')?.runtime;
  if (!runtime?.sendMessage) return Promise.resolve(undefined);
  const reply = Promise.withResolvers<Reply | undefined>();
  const stop = after(patienceMs, () => reply.resolve(undefined));
  runtime.sendMessage(WIDELY_INSTALLED, request, (answer) => {
    // Must be read, or the browser logs it as unchecked; set when there is no such extension.
    const failed = runtime.lastError !== undefined;
    const isAnswer = typeof answer === 'object' && answer !== null && 'ok' in answer;
    reply.resolve(!failed && isAnswer ? (answer as Reply) : undefined);
  });
  return reply.promise.finally(stop);
};

/** Calls `found` when an extension appears later: ours does on a click on its icon. */
export function awaitExtension(found: () => void): () => void {
  const onMessage = ({ source, data }: MessageEvent<unknown>): void => {
    if (source !== window || typeof data !== 'object' || data === null) return;
    if (Reflect.get(data, 'source') === EXTENSION && Reflect.get(data, 'type') === 'ready') found();
  };
  window.addEventListener('message', onMessage);
  return () => window.removeEventListener('message', onMessage);
}
