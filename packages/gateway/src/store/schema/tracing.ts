export interface TracingTables {
  message_traces: MessageTraceRow;
}

/** The journey that a message is a part of, where traces are on. */
interface MessageTraceRow {
  message_id: string;
  account_id: string;
  /** As W3C Trace Context writes it. */
  traceparent: string;
  at: number;
}
