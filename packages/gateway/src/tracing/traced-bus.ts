import type { Bus } from '#bus';
import type { Spans } from './spans.ts';

/** Calls to the host of a session carry the journey along; a host that records none does not look at it. */
export function traceBus(bus: Bus, spans: Spans): Bus {
  return {
    serve: (subject, handle) =>
      bus.serve(subject, (request) => {
        const { traceparent, action } = (request ?? {}) as { traceparent?: unknown; action?: unknown };
        if (typeof traceparent !== 'string') return handle(request);
        const attributes = { 'parley.action': String(action) };
        return spans.inside({ name: `host ${action}`, kind: 'server', attributes, parent: traceparent }, () =>
          handle(request),
        );
      }),
    call(subject, request, options) {
      const traceparent = spans.current();
      if (traceparent === undefined || typeof request !== 'object' || request === null)
        return bus.call(subject, request, options);
      return bus.call(subject, { ...request, traceparent }, options);
    },
    publish: (topic, message) => bus.publish(topic, message),
    subscribe: (topic, listener) => bus.subscribe(topic, listener),
    check: () => bus.check(),
    close: () => bus.close(),
  };
}
