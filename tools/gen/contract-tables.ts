import type { TProperties } from 'typebox';
import type { EventRecord } from '../../packages/contract/src/events/kind.ts';
import { EVENT_RECORDS } from '../../packages/contract/src/events/schemas.ts';
import { SEND_KINDS } from '../../packages/contract/src/messages/kinds.ts';

type AnyRecord = EventRecord<string, string | null, TProperties>;

const NOTICE = '// Made from the records beside it by `npm run gen`. Do not edit.\n\n';

/** Plain data of the records by file, for code that does not load the schema library. */
export function contractTables(): Record<string, string> {
  return {
    'packages/contract/src/events/traits.generated.ts': NOTICE + eventTraits(),
    'packages/contract/src/messages/features.generated.ts': NOTICE + sendFeatures(),
  };
}

function sendFeatures(): string {
  const rows = Object.entries(SEND_KINDS).map(
    ([kind, { plan, label }]) => `  ${kind}: { plan: '${plan}', label: '${label}' },\n`,
  );
  return `/** Kinds of messages as features of a plan. */\nexport const SEND_FEATURES = {\n${rows.join('')}} as const;\n`;
}

function eventTraits(): string {
  const rows = Object.values<AnyRecord>(EVENT_RECORDS).map((record) => {
    const { kind, category, chat, unrecorded, extension, label } = record;
    const traits = Object.entries({ category, chat, unrecorded, extension, label }).filter(
      ([, value]) => value !== undefined,
    );
    return `  ${kind}: { ${traits.map(([name, value]) => `${name}: ${literal(value)}`).join(', ')} },\n`;
  });
  return `/** Kinds of events without their schemas. */\nexport const EVENT_TRAITS = {\n${rows.join('')}} as const;\n`;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}
