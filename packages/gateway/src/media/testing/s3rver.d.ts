declare module '@20minutes/s3rver' {
  /** The part of it that the tests use. */
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      configureBuckets: { name: string; configs: string[] }[];
    });
    allowMismatchedSignatures: boolean;
    readonly middleware: ((context: { readonly path: string }, next: () => Promise<void>) => Promise<void>)[];
    run(): Promise<unknown>;
    close(): Promise<void>;
  }
}
