import { ALL_WA_PATCH_NAMES, type WAPatchName } from 'baileys';
import type { LinkedDevice } from '../../world/index.ts';
import { Refusal } from '../errors.ts';
import type { IqHandler } from '../stanzas/iq.ts';
import { child, childBytes, children, type Node, node } from '../transport/nodes.ts';
import type { AddressBook } from './address-book.ts';
import type { Collections } from './collections.ts';

/** `w:sync:app:state`. Every collection asked for is answered: a client asks for a missing one for ever. */
export function createAppStateHandler({
  collections,
  book,
}: {
  collections: Collections;
  book: AddressBook;
}): IqHandler {
  const answer = async (device: LinkedDevice, asked: Node): Promise<Node> => {
    const name = patchName(asked.attrs.name);
    const version = Number(asked.attrs.version ?? 0);
    const patch = childBytes(asked, 'patch');
    if (patch) {
      book.adopt(device, await collections.accept(device.phone, name, version, patch));
      return node('collection', { name, version: version + 1 });
    }
    const patches = collections.since(device.phone, name, version);
    return node(
      'collection',
      { name, version: collections.version(device.phone, name) },
      patches.length > 0
        ? [
            node(
              'patches',
              {},
              patches.map((bytes) => node('patch', {}, bytes)),
            ),
          ]
        : undefined,
    );
  };

  return async ({ device }, request) => {
    const answers: Node[] = [];
    for (const asked of children(child(request, 'sync'), 'collection'))
      answers.push(await answer(device, asked));
    return [node('sync', {}, answers)];
  };
}

function patchName(text: string | undefined): WAPatchName {
  const name = ALL_WA_PATCH_NAMES.find((known) => known === text);
  if (!name) throw new Refusal(400, 'bad-request');
  return name;
}
