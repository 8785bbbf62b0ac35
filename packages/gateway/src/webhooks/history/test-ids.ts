/** Ids of sample events begin with this; no other event's id does. */
export const TEST_PREFIX = 'test_';

export function isTest(eventId: string): boolean {
  return eventId.startsWith(TEST_PREFIX);
}
