/** What this room needs of whoever records spans and sends them away. */
export interface Spans {
  /** Runs work inside a span that is a part of what runs now, or of `parent` where one is given, or else the first of a new journey. */
  inside<T>(span: NewSpan, work: (noted: Noted) => Promise<T>): Promise<T>;
  /** The `traceparent` of what runs now; undefined where nothing does, or where it is not recorded. */
  current(): string | undefined;
  /** Sends away what is left, for a bounded time. */
  close(): Promise<void>;
}

interface NewSpan {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'consumer' | 'internal';
  readonly attributes: Attributes;
  /** A `traceparent` from outside. */
  readonly parent?: string | undefined;
}

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** What is known only when the work is done. */
export interface Noted {
  /** For whoever goes on with the journey elsewhere; undefined where it is not recorded. */
  readonly traceparent: string | undefined;
  note(attributes: Attributes): void;
  failed(): void;
}
