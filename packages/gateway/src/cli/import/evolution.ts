import { existsSync } from 'node:fs';
import type { Plan } from '@parley/contract';
import { createDataKeys, devicesOf, getAccount, isRegistered, registerDevice } from '#accounts';
import { choose } from '#conversations';
import { ApiError, createIds, createSystemClock, type SealedBox, systemRandom } from '#kernel';
import { adoptLink, type ForeignKey, type ForeignLink, forgetLink, readForeignLink } from '#network/whatsapp';
import { createLocalBus } from '#platform/bus';
import type { OwnedNumber } from '#platform/http';
import { createLog } from '#platform/observe';
import type { Store } from '#platform/store';
import { adoptSession } from '#sessions';
import { importInstance, isInstanceName } from '#surfaces/compat';
import { openStores } from '../../app/stores.ts';
import { type Config, loadConfig, readEnvironment } from '../../config/config.ts';
import { CommandError, type Input } from '../command.ts';
import type { IMPORT_EVOLUTION } from '../specs.ts';
import { asTable } from '../terminal.ts';
import { type InstanceRow, readInstances, readKeys } from './evolution-source.ts';

/** Outcome of an instance. */
interface Report {
  readonly instance: string;
  readonly phone: string | null;
  readonly outcome: 'linked' | 'to be paired' | 'left out';
  /** Whatever its owner has to know. */
  readonly notes: readonly string[];
}

/** Brings instances of Evolution API here: their names, their webhooks, and the links themselves. */
export async function importEvolution({ options, terminal }: Input<typeof IMPORT_EVOLUTION>): Promise<void> {
  if (options.from === undefined) throw new CommandError('--from is missing: the database of Evolution API');
  if (options.account === undefined) throw new CommandError('--account is missing: whose the numbers are');
  if (options.keys !== undefined && !existsSync(options.keys))
    throw new CommandError(`--keys names a folder that is not there: ${options.keys}`);
  const config = loadConfig(readEnvironment());
  const rows = await readInstances(options.from);
  await using opened = new AsyncDisposableStack();
  const clock = createSystemClock();
  const parts = {
    clock,
    machineClock: clock,
    random: systemRandom,
    log: createLog('warn'),
    onCommit: undefined,
  };
  const keeping = await openStores(config, parts, opened);
  const accountId = options.account;
  await getAccount(accountsOf(keeping), accountId).catch(() => {
    throw new CommandError(`there is no account ${accountId}`);
  });
  const plan = (options.plan ?? 'max') as Plan;
  const target = { ...keeping, config, accountId, plan, keysFolder: options.keys };
  const reports: Report[] = [];
  for (const row of rows) reports.push(await take(row, target, options['dry-run'] ?? false));
  terminal.show({ dry_run: options['dry-run'] ?? false, instances: reports }, () => described(reports));
}

interface Target {
  readonly store: Store;
  readonly sealedBox: SealedBox;
  readonly config: Config;
  readonly accountId: string;
  readonly plan: Plan;
  /** Where the keys of chats are; undefined when not given. */
  readonly keysFolder: string | undefined;
}

const INTEGRATION = 'WHATSAPP-BAILEYS';

async function take(row: InstanceRow, target: Target, isDry: boolean): Promise<Report> {
  const link = row.creds === null ? undefined : readForeignLink(row.creds);
  const phone =
    link?.phone ?? (row.ownerJid ?? row.number)?.replace(/[:@].*/, '').replaceAll(/\D/g, '') ?? '';
  const left = (why: string): Report => ({
    instance: row.name,
    phone: phone || null,
    outcome: 'left out',
    notes: [why],
  });
  if ((row.integration ?? INTEGRATION) !== INTEGRATION) return left(`its integration is ${row.integration}`);
  if (!isInstanceName(row.name)) return left('its name cannot stand in a path here');
  if (!/^\d{7,15}$/.test(phone)) return left('it was never linked, and has no number');
  const outcome = link ? ('linked' as const) : ('to be paired' as const);
  try {
    const number = await numberFor(phone, target, isDry);
    const keys = link && target.keysFolder !== undefined ? await readKeys(target.keysFolder, row.id) : [];
    const notes = number ? await bring(row, link && { ...link, keys: keys ?? [] }, number, target) : [];
    return { instance: row.name, phone, outcome, notes: [...notesOn(row, link, keys), ...notes] };
  } catch (error) {
    if (error instanceof LeftOut || error instanceof ApiError) return left(error.message);
    throw error;
  }
}

class LeftOut extends Error {}

/** Undefined when it would have to be registered, and nothing is to be changed. */
async function numberFor(phone: string, target: Target, isDry: boolean): Promise<OwnedNumber | undefined> {
  const { store, accountId, plan } = target;
  const find = async () => (await devicesOf(store.read, accountId)).find((each) => each.phone === phone);
  const known = await find();
  if (!known && (await isRegistered(store.read, phone)))
    throw new LeftOut('its number is registered for another account');
  if (isDry) return undefined;
  if (!known) await registerDevice(accountsOf(target), 'operator', accountId, { phone, plan });
  const device = known ?? (await find());
  if (!device) throw new LeftOut('its number could not be registered');
  return { slotId: device.slot_id, accountId, phone, plan: device.plan };
}

/** What is here already stays as it is, so that it can be done again when it was cut off. */
async function bring(
  row: InstanceRow,
  link: (ForeignLink & { readonly keys: readonly ForeignKey[] }) | undefined,
  number: OwnedNumber,
  target: Target,
): Promise<string[]> {
  const { store, sealedBox, config } = target;
  const isProduction = config.mode === 'production';
  const clock = createSystemClock();
  const bus = createLocalBus({ clock });
  const accounts = accountsOf(target);
  const urlRules = { httpsOnly: isProduction, publicOnly: isProduction };
  const webhooks = { ...accounts, bus, sealedBox, planOf: async () => number.plan, urlRules };
  const parts = { store, bus, clock, machineClock: clock, sealedBox, accounts, webhooks };
  const settings = {
    rejectCall: row.rejectCall ?? false,
    groupsIgnore: row.groupsIgnore ?? false,
    syncFullHistory: row.syncFullHistory ?? false,
  };
  const webhook = webhookOf(row);
  const imported = await importInstance(parts, number, { name: row.name, settings, webhook });
  if (imported.name === 'taken')
    throw new LeftOut('another instance of this name, or of this number, is here already');
  const notes = imported.webhook === 'refused' ? ['its webhook cannot be used here'] : [];
  await choose(
    {
      ...{ store, bus, clock, ids: accounts.ids },
      keys: createDataKeys({ store, sealedBox, random: systemRandom, clock }),
      histories: { learn: async () => {} },
      links: { urlOf: async () => undefined },
      maxBytes: config.historyMbPerNumber * 1024 * 1024,
    },
    number,
    { enabled: true },
  );
  if (!link) return notes;
  const linkId = accounts.ids.link();
  const { sessionId, lid } = link;
  await adoptLink({ store, sealedBox, clock }, linkId, link, link.keys);
  if (await adoptSession(store, { number, linkId, sessionId, lid, at: clock.now() })) return notes;
  await forgetLink(store, linkId);
  return [...notes, 'its number was linked here already, and stays so'];
}

function accountsOf({ store }: Pick<Target, 'store'>) {
  const clock = createSystemClock();
  return { store, clock, random: systemRandom, ids: createIds({ clock, random: systemRandom }) };
}

function webhookOf({ webhook }: InstanceRow) {
  if (!webhook || !URL.canParse(webhook.url)) return undefined;
  const { url, enabled, headers, events, webhookByEvents, webhookBase64 } = webhook;
  return {
    ...{ url, enabled: enabled ?? true, headers: headers ?? {}, events: events ?? [] },
    ...{ byEvents: webhookByEvents ?? false, base64: webhookBase64 ?? false },
  };
}

function notesOn(
  row: InstanceRow,
  link: ForeignLink | undefined,
  keys: readonly ForeignKey[] | undefined,
): string[] {
  return [
    ...(keys?.length === 0 ? [] : [keys ? `${keys.length} keys of its chats` : 'no keys of its chats there']),
    ...(link ? [] : ['it has no credentials in the database: pair it by QR code']),
    ...(row.webhook && !webhookOf(row) ? ['its webhook has no address that can be used'] : []),
    ...(row.otherSwitches.length > 0 ? [`switched off here: ${row.otherSwitches.join(', ')}`] : []),
  ];
}

function described(reports: readonly Report[]): string {
  if (reports.length === 0) return 'There are no instances.';
  return asTable(
    ['INSTANCE', 'NUMBER', 'OUTCOME', 'NOTES'],
    reports.map(({ instance, phone, outcome, notes }) => [instance, phone ?? '', outcome, notes.join('; ')]),
  );
}
