/** Whether a message to this address goes to one person, with whom there is a chat or not. */
export function isPersonal(to: string): boolean {
  return to.endsWith('@s.whatsapp.net') || to.endsWith('@lid');
}
