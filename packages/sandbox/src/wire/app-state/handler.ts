import { ALL_WA_PATCH_NAMES, proto, type WAPatchName } from 'baileys';
import type { LinkedDevice, PhoneNumber } from '../../world/index.ts';
import { Refusal } from '../errors.ts';
import type { Blobs } from '../media/blobs.ts';
import type { IqHandler } from '../stanzas/iq.ts';
import { child, childBytes, children, type Node, node } from '../transport/nodes.ts';
import type { AddressBook } from './address-book.ts';
import type { Collections } from './collections.ts';

/** Page size in patches; a client continues while there are more. */
const PATCHES = 50;
/** Larger patches do not travel in the stanza itself. */
const INLINE_BYTES = 16 * 1024;

/**
 * `w:sync:app:state`. Every requested collection is answered: a client requests a missing one for ever. A client without a
 * version gets a snapshot, which always lies on the media server; so do the mutations of a large patch.
 */
export function createAppStateHandler({
  collections,
  book,
  blobs,
}: {
  collections: Collections;
  book: AddressBook;
  blobs: Blobs;
}): IqHandler {
  const answer = async (device: LinkedDevice, asked: Node): Promise<Node> => {
    const name = patchName(asked.attrs.name);
    const version = Number(asked.attrs.version ?? 0);
    const patch = childBytes(asked, 'patch');
    if (patch) {
      book.adopt(device, await collections.accept(device.phone, name, version, patch));
      return node('collection', { name, version: version + 1 });
    }
    const newest = collections.version(device.phone, name);
    if (asked.attrs.return_snapshot === 'true' && newest > 0) {
      return node('collection', { name, version: newest }, [snapshotNode(device.phone, name, newest)]);
    }
    const patches = collections.since(device.phone, name, version, PATCHES);
    const reached = version + patches.length;
    const more = reached < newest ? 'true' : undefined;
    const nodes = patches.map((each, place) =>
      node('patch', {}, carried(device.phone, name, version + place + 1, each)),
    );
    return node(
      'collection',
      { name, version: more ? reached : newest, has_more_patches: more },
      nodes.length > 0 ? [node('patches', {}, nodes)] : undefined,
    );
  };

  const snapshotNode = (phone: PhoneNumber, name: WAPatchName, version: number): Node => {
    const reference = blobs.upload('md-app-state', `${phone}/${name}/snapshot`, String(version), () =>
      proto.SyncdSnapshot.encode(collections.snapshot(phone, name)).finish(),
    );
    return node('snapshot', {}, proto.ExternalBlobReference.encode(reference).finish());
  };

  const carried = (
    phone: PhoneNumber,
    name: WAPatchName,
    version: number,
    patch: proto.ISyncdPatch,
  ): Uint8Array => {
    const whole = proto.SyncdPatch.encode(patch).finish();
    if (whole.length <= INLINE_BYTES) return whole;
    const { mutations, ...rest } = patch;
    const externalMutations = blobs.upload('md-app-state', `${phone}/${name}/${version}`, '', () =>
      proto.SyncdMutations.encode({ mutations: mutations ?? [] }).finish(),
    );
    return proto.SyncdPatch.encode({ ...rest, mutations: [], externalMutations }).finish();
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
