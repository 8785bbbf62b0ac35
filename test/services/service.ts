/** A server that lives as long as the test run. */
export interface Service {
  readonly url: string;
  stop(): Promise<void>;
}
