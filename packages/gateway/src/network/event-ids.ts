/** How the ids of all receipts for a message begin. */
export function receiptsOf(messageId: string): string {
  return `receipt/${messageId}/`;
}
