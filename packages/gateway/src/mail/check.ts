import type { Clock } from '#kernel';
import { createMailTransport } from './transport.ts';

/** For `parley doctor`: whether the mail server can be reached and lets us in. */
export async function checkMail(
  { url, from }: { url: string; from: string },
  clock: Pick<Clock, 'after'>,
): Promise<void> {
  const transport = createMailTransport({ url, from, clock });
  try {
    await transport.check();
  } finally {
    transport.close();
  }
}
