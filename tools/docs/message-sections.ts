import { SEND_KINDS } from '../../packages/contract/src/messages/kinds.ts';

/** A section per message kind: the guide text of its record, and its example. */
export function messageSections(): string {
  return Object.values(SEND_KINDS)
    .flatMap(({ summary, guide, example }) => (guide === null ? [] : section(summary, guide, example)))
    .join('\n\n');
}

function section(title: string, guide: string, example: object): string {
  const parts = [`## ${title}`, guide, `\`\`\`json send\n${JSON.stringify(example, null, 2)}\n\`\`\``];
  return parts.filter(Boolean).join('\n\n');
}
