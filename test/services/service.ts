/** A server for the duration of the test run. */
export interface Service {
  readonly url: string;
  stop(): Promise<void>;
}
