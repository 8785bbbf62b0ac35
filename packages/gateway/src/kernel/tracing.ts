/**
 * What the rooms tell about their part of a journey, where traces are switched on; without them nobody has any of these. What they tell is names,
 * ids and outcomes, never content. A `traceparent` is the text by which W3C Trace Context hands a journey on.
 */

export interface RequestTraces {
  /** Answers a request inside a span of its own. */
  serving<T>(request: ServedRequest, answer: () => Promise<T>): Promise<T>;
}

export interface ServedRequest {
  readonly method: string;
  /** As the contract writes it, without ids. */
  readonly route: string;
  readonly operation: string;
  readonly requestId: string;
  /** What the caller sent. */
  readonly traceparent: string | undefined;
  /** Of the answer, once there is one. */
  status(): number;
}

export interface SendTraces {
  /** Keeps the journey of a message that is about to be accepted, so that whoever sends it and tells of it goes on with it. */
  accepting(message: { readonly accountId: string; readonly messageId: string }): Promise<void>;
  /** From the beginning of an attempt to the network's ack. */
  sending<O extends { readonly kind: string }>(message: SentMessage, attempt: () => Promise<O>): Promise<O>;
}

export interface SentMessage {
  readonly message_id: string;
  readonly account_id: string;
  readonly type: string;
  /** Those before this one. */
  readonly attempts: number;
}

export interface DeliveryTraces {
  /** One request to a receiver, which is to carry the `traceparent` that `post` gets. */
  delivering<A>(
    delivery: TracedDelivery,
    post: (traceparent: string | undefined) => Promise<A>,
    /** Undefined: there was no answer. */
    statusOf: (answer: A) => number | undefined,
  ): Promise<A>;
}

export interface TracedDelivery {
  readonly eventId: string;
  readonly kind: string;
  readonly webhookId: string;
  readonly accountId: string;
  readonly url: string;
  /** Those before this one. */
  readonly tries: number;
  /** JSON. */
  readonly payload: string;
}
