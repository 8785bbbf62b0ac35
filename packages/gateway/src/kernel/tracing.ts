/**
 * Tracing hooks of the rooms, present only where traces are on. They carry names, ids and outcomes, never content. A `traceparent` is
 * the text that passes a trace on in W3C Trace Context.
 */

export interface RequestTraces {
  /** Answers a request inside its own span. */
  serving<T>(request: ServedRequest, answer: () => Promise<T>): Promise<T>;
}

export interface ServedRequest {
  readonly method: string;
  /** Path template of the contract, without ids. */
  readonly route: string;
  readonly operation: string;
  readonly requestId: string;
  /** Header of the request. */
  readonly traceparent: string | undefined;
  /** Status of the response, once there is one. */
  status(): number;
}

export interface SendTraces {
  /** Stores the trace of a message about to be accepted, so that its sending and its events continue it. */
  accepting(message: { readonly accountId: string; readonly messageId: string }): Promise<void>;
  /** Covers an attempt up to the network's ack. */
  sending<O extends { readonly kind: string }>(message: SentMessage, attempt: () => Promise<O>): Promise<O>;
}

export interface SentMessage {
  readonly message_id: string;
  readonly account_id: string;
  readonly type: string;
  /** Attempts before this one. */
  readonly attempts: number;
}

export interface DeliveryTraces {
  /** One request to a receiver, which must carry the `traceparent` that `post` gets. */
  delivering<A>(
    delivery: TracedDelivery,
    post: (traceparent: string | undefined) => Promise<A>,
    /** Undefined without a response. */
    statusOf: (answer: A) => number | undefined,
  ): Promise<A>;
}

export interface TracedDelivery {
  readonly eventId: string;
  readonly kind: string;
  readonly webhookId: string;
  readonly accountId: string;
  readonly url: string;
  /** Attempts before this one. */
  readonly tries: number;
  /** JSON. */
  readonly payload: string;
}
