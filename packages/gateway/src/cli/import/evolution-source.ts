import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from '#kernel';
import { FOREIGN_KEY_KINDS, type ForeignKey, readForeignKey } from '#network/whatsapp';
import { ForeignDatabaseError, readForeignDatabase } from '#platform/store';
import { CommandError } from '../command.ts';

/** An instance with what belongs to it, as Evolution API 2.3 keeps it in PostgreSQL. */
export interface InstanceRow {
  readonly id: string;
  readonly name: string;
  readonly integration: string | null;
  readonly number: string | null;
  readonly ownerJid: string | null;
  /** Credentials of the link, as text. */
  readonly creds: string | null;
  readonly rejectCall: boolean | null;
  readonly groupsIgnore: boolean | null;
  readonly syncFullHistory: boolean | null;
  /** Switches that have no counterpart here. */
  readonly otherSwitches: readonly string[];
  readonly webhook: WebhookRow | null;
}

interface WebhookRow {
  readonly url: string;
  readonly enabled: boolean | null;
  readonly headers: object | null;
  readonly events: readonly string[] | null;
  readonly webhookByEvents: boolean | null;
  readonly webhookBase64: boolean | null;
}

const QUERY = `
  SELECT i."id", i."name", i."integration", i."number", i."ownerJid", s."creds",
    t."rejectCall", t."groupsIgnore", t."syncFullHistory",
    array_remove(ARRAY[
      CASE WHEN t."alwaysOnline" THEN 'alwaysOnline' END,
      CASE WHEN t."readMessages" THEN 'readMessages' END,
      CASE WHEN t."readStatus" THEN 'readStatus' END,
      CASE WHEN t."msgCall" <> '' THEN 'msgCall' END
    ], NULL) AS "otherSwitches",
    CASE WHEN w."id" IS NULL THEN NULL ELSE jsonb_build_object('url', w."url", 'enabled', w."enabled", 'headers', w."headers",
      'events', w."events", 'webhookByEvents', w."webhookByEvents", 'webhookBase64', w."webhookBase64") END AS "webhook"
  FROM "Instance" i
  LEFT JOIN "Session" s ON s."sessionId" = i."id"
  LEFT JOIN "Setting" t ON t."instanceId" = i."id"
  LEFT JOIN "Webhook" w ON w."instanceId" = i."id"
  ORDER BY i."name"`;

/** The address may name a schema, as Evolution's own does: `?schema=evolution_api`. */
export async function readInstances(from: string): Promise<InstanceRow[]> {
  try {
    return await readForeignDatabase<InstanceRow>(addressOf(from), QUERY);
  } catch (error) {
    if (!(error instanceof ForeignDatabaseError)) throw error;
    throw new CommandError(
      `--from ${error.isOfSomethingElse ? 'is no database of Evolution API 2.3' : 'cannot be read'}: ${error.message}`,
    );
  }
}

function addressOf(from: string): URL {
  const url = URL.canParse(from) ? new URL(from) : undefined;
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol))
    throw new CommandError('--from must be the address of a PostgreSQL database: postgres://…');
  return url;
}

const ENDING = '.json';

/**
 * The keys of an instance's chats, which Evolution API keeps in files of their own where it has no Redis: `instances/<id>/<kind>-<id>.json`.
 * Undefined when it has no such folder.
 */
export async function readKeys(folder: string, instanceId: string): Promise<ForeignKey[] | undefined> {
  const place = path.join(folder, path.basename(instanceId));
  const names = await readdir(place).catch(unlessMissing);
  if (!names) return undefined;
  const keys: ForeignKey[] = [];
  for (const file of names) {
    const name = keyNamed(file);
    const value = name && readForeignKey(await readFile(path.join(place, file), 'utf8'));
    if (value !== undefined) keys.push({ ...name, value } as ForeignKey);
  }
  return keys;
}

/** Undefined for what is no key, or of a kind that is not taken over. */
export function keyNamed(file: string): Pick<ForeignKey, 'kind' | 'id'> | undefined {
  if (!file.endsWith(ENDING)) return undefined;
  const kind = FOREIGN_KEY_KINDS.find((each) => file.startsWith(`${each}-`));
  return kind && { kind, id: idOf(kind, file.slice(kind.length + 1, -ENDING.length)) };
}

/** Slashes and colons were replaced in names of files; each kind says where they had been. */
function idOf(kind: string, written: string): string {
  if (kind === 'app-state-sync-key') return written.replaceAll('__', '/');
  return kind === 'sender-key' ? written.replace(/--((?:(?!--)[^@])+)--(\d+)$/, '::$1::$2') : written;
}
