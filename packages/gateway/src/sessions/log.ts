/** What this room says about itself: never a message, a key or a code. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}
