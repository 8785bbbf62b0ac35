import {
  type BinaryNode,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  jidDecode,
  type WASocket,
} from 'baileys';
import { createKeyedQueue, growingPause, neverRejects, sleepOrAbort } from '#kernel';
import type { DeviceLinkedEvent } from '../../events.ts';
import { accountOf, isOwnJid } from '../convert/index.ts';
import { property, unlessCutOff } from '../errors.ts';
import { byJid, DEVICES, devicesOf, queryUsers } from '../link/queries.ts';
import { ask, type SessionContext } from '../session-context.ts';
import type { ArrivalDraft, Vault } from '../vault/index.ts';

/**
 * Devices of the own number. A stolen phone links a device within seconds, and nothing else shows it. The list is
 * queried when the connection opens and when the network announces a change; the first list of a link is its
 * baseline.
 */
export interface OwnDevices {
  attach(sock: WASocket): void;
}

/** The list of a link; committed together with the event, so that each device is reported once. */
const KIND = 'own-devices';
const LIST = 'list';
const AFTER_FAILURE = { firstMs: 5_000, longestMs: 600_000, jitter: 0.3 };

export function createOwnDevices({
  context,
  vault,
  draftOf,
}: {
  context: SessionContext;
  vault: Pick<Vault, 'read' | 'commit'>;
  draftOf: (event: DeviceLinkedEvent) => ArrivalDraft;
}): OwnDevices {
  const inTurn = createKeyedQueue();

  /** Devices that the network announced as added; the first list may have them already. */
  const announced = new Set<number>();

  async function compare(): Promise<void> {
    const me = context.me();
    const own = jidDecode(me.id)?.device ?? 0;
    const [found] = await ask(context, (sock) => queryUsers(sock, [DEVICES], [byJid(accountOf(me.id))]));
    const listed = found && devicesOf(found);
    const devices = (listed ?? []).map(({ attrs }) => Number(attrs.id)).filter(Number.isSafeInteger);
    // A list without this device is none of the number's.
    if (!devices.includes(own)) return;
    const before = (await vault.read(KIND, [LIST])).get(LIST);
    const known = numbersIn(before, 'devices');
    const reported = numbersIn(before, 'reported') ?? [];
    const isNew = (device: number): boolean => announced.has(device) || known?.includes(device) === false;
    const added = devices.filter((device) => device !== own && !reported.includes(device) && isNew(device));
    for (const device of devices) announced.delete(device);
    if (added.length === 0 && known?.length === devices.length) return;
    const timestamp = Math.floor(context.clock.now() / 1_000);
    const event = {
      kind: 'device_linked',
      id: `device_linked/${context.linkId}/${timestamp}/${added.join('/')}`,
      ...{ timestamp, devices: devices.length, added },
    } as const;
    // The number of a removed device may name another one later.
    const value = { devices, reported: [...reported, ...added].filter((device) => devices.includes(device)) };
    await vault.commit({
      puts: [{ kind: KIND, id: LIST, value }],
      arrivals: added.length > 0 ? [draftOf(event)] : [],
    });
  }

  /** A network that refuses the query for now is asked again while the connection lasts; the next one begins anew. */
  async function lookPatiently(): Promise<void> {
    for (let failures = 1; ; failures++) {
      const { lost } = context.connection();
      try {
        return await compare();
      } catch (error) {
        if (lost.aborted) throw error;
        context.log.debug({ linkId: context.linkId, failures }, 'the own devices could not be compared yet');
        await sleepOrAbort(context.clock, growingPause(AFTER_FAILURE, failures, context.random), lost);
      }
    }
  }

  function look(): void {
    neverRejects(
      inTurn(context.linkId, lookPatiently).catch(
        unlessCutOff('the devices of a number could not be compared'),
      ),
    );
  }

  function lookIfOwn(node: BinaryNode): void {
    if (!isOwnJid(accountOf(node.attrs.from), context.me())) return;
    const added = getBinaryNodeChild(node, 'add');
    const devices = added ? getBinaryNodeChildren(added, 'device') : [];
    for (const { attrs } of devices) announced.add(jidDecode(attrs.jid)?.device ?? 0);
    look();
  }

  return {
    attach(sock) {
      sock.ev.on('connection.update', ({ connection }) => {
        if (connection === 'open') look();
      });
      sock.ws.on('CB:notification,type:devices', lookIfOwn);
      sock.ws.on('CB:notification,type:account_sync', (node: BinaryNode) => {
        if (getBinaryNodeChild(node, 'devices')) lookIfOwn(node);
      });
    },
  };
}

function numbersIn(value: unknown, name: string): readonly number[] | undefined {
  const found = property(value, name);
  return Array.isArray(found) ? found.filter((each) => typeof each === 'number') : undefined;
}
