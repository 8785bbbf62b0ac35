import type { Dispatcher } from 'undici';
import type { Clock, Timer } from '#kernel';
import { EgressError } from './errors.ts';

export interface AnswerBounds {
  readonly clock: Clock;
  readonly maxBytes: number;
  /** From the first byte of the request to the last of the answer. */
  readonly timeoutMs: number;
}

/** For clients that set no limits of their own: https only, no redirects, and answers that end. */
export function boundAnswers({
  clock,
  maxBytes,
  timeoutMs,
}: AnswerBounds): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    if (!String(options.origin).startsWith('https:')) throw new EgressError('bad_url');
    let patience: Timer | undefined;
    let bytes = 0;
    return dispatch(options, {
      onRequestStart(controller, context) {
        patience?.cancel();
        patience = clock.after(timeoutMs, () => controller.abort(new EgressError('timeout')));
        handler.onRequestStart?.(controller, context);
      },
      onResponseStart(controller, status, headers, text) {
        if (status >= 300 && status < 400) controller.abort(new EgressError('redirected'));
        else if (Number(headers['content-length']) > maxBytes) controller.abort(new EgressError('too_large'));
        else handler.onResponseStart?.(controller, status, headers, text);
      },
      onResponseData(controller, chunk) {
        bytes += chunk.length;
        if (bytes > maxBytes) controller.abort(new EgressError('too_large'));
        else handler.onResponseData?.(controller, chunk);
      },
      onResponseEnd(controller, trailers) {
        patience?.cancel();
        handler.onResponseEnd?.(controller, trailers);
      },
      onResponseError(controller, error) {
        patience?.cancel();
        handler.onResponseError?.(controller, error);
      },
    });
  };
}
